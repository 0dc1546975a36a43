package dev.reprise.engine.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentMapTest {

  @Test
  void behaves_like_a_tree_map_whatever_is_done_to_it() {
    for (long seed = 1; seed <= 200; seed++) {
      var random = new Random(seed);
      var model = new TreeMap<String, Integer>();
      var map = PersistentMap.<Integer>empty();
      for (int i = 0; i < 200; i++) {
        var key = "sleep:" + random.nextInt(40);
        if (random.nextInt(3) == 0) {
          model.remove(key);
          map = map.remove(key);
        } else {
          model.put(key, i);
          map = map.put(key, i);
        }

        assertThat(map.get(key)).as("seed %d", seed).isEqualTo(model.get(key));
        assertThat(map.firstFrom(key)).isEqualTo(model.ceilingKey(key));
        assertThat(map.firstFrom("sleep:" + i)).isEqualTo(model.ceilingKey("sleep:" + i));
        assertThat(map.size()).isEqualTo(model.size());
        assertThat(map.isEmpty()).isEqualTo(model.isEmpty());
      }
      assertThat(entries(map)).as("seed %d", seed).isEqualTo(List.copyOf(model.entrySet()));
    }
  }

  @Test
  void an_older_map_does_not_change() {
    var before = PersistentMap.<Integer>empty().put("a", 1).put("b", 2);

    var after = before.put("a", 3).remove("b").put("c", 4);

    assertThat(entries(before)).containsExactly(Map.entry("a", 1), Map.entry("b", 2));
    assertThat(entries(after)).containsExactly(Map.entry("a", 3), Map.entry("c", 4));
  }

  @Test
  void to_remove_what_is_not_there_changes_nothing() {
    var map = PersistentMap.<Integer>empty().put("a", 1);

    assertThat(map.remove("b")).isSameAs(map);
    assertThat(map.remove("a")).isSameAs(PersistentMap.empty());
  }

  /** Ten thousand entries need 14 levels; a tree that is not balanced has thousands. */
  @ParameterizedTest
  @ValueSource(strings = {"sleep:%d", "sleep:%05d", "%05d", "receive approval:%d"})
  void ten_thousand_ids_of_one_name_do_not_make_it_deep(String name) {
    var map = PersistentMap.<Integer>empty();

    for (int i = 0; i < 10_000; i++) map = map.put(name.formatted(i), i);

    assertThat(map.depth()).isBetween(14, 40);
  }

  @Test
  void what_was_removed_leaves_no_trace_in_its_depth() {
    for (long seed = 1; seed <= 50; seed++) {
      var random = new Random(seed);
      var thinned = PersistentMap.<Integer>empty();
      var kept = PersistentMap.<Integer>empty();
      for (int i = 0; i < 400; i++) thinned = thinned.put("sleep:" + i, i);
      for (int i = 0; i < 400; i++) {
        if (random.nextInt(4) == 0) kept = kept.put("sleep:" + i, i);
        else thinned = thinned.remove("sleep:" + i);
      }

      assertThat(thinned.depth()).as("seed %d", seed).isEqualTo(kept.depth());
    }
  }

  private static List<Map.Entry<String, Integer>> entries(PersistentMap<Integer> map) {
    var entries = new ArrayList<Map.Entry<String, Integer>>();
    map.forEach((key, value) -> entries.add(Map.entry(key, value)));
    return entries;
  }
}

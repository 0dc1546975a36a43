package dev.reprise.engine.replay;

import static java.util.Collections.emptyList;
import static java.util.Collections.emptyMap;
import static java.util.Collections.emptySet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SparseTest {
  @Test
  void the_first_element_makes_a_collection_of_its_own() {
    List<String> list = Sparse.add(emptyList(), "a");
    Set<String> set = Sparse.add(emptySet(), "a");
    Map<String, Integer> map = Sparse.put(emptyMap(), "a", 1);

    assertThat(list).containsExactly("a");
    assertThat(set).containsExactly("a");
    assertThat(map).containsExactly(Map.entry("a", 1));
    assertThat(emptyList()).isEmpty();
    assertThat(emptySet()).isEmpty();
    assertThat(emptyMap()).isEmpty();
  }

  @Test
  void further_elements_go_into_the_same_one_also_when_it_is_empty_again() {
    var list = Sparse.add(emptyList(), "a");
    list.clear();
    var set = Sparse.add(emptySet(), "a");
    set.clear();
    var map = Sparse.put(emptyMap(), "a", 1);
    map.clear();

    assertThat(Sparse.add(list, "b")).isSameAs(list).containsExactly("b");
    assertThat(Sparse.add(set, "b")).isSameAs(set).containsExactly("b");
    assertThat(Sparse.put(map, "b", 2)).isSameAs(map).containsExactly(Map.entry("b", 2));
  }

  @Test
  void elements_stay_in_the_order_of_adding() {
    Set<String> set = emptySet();
    Map<String, Integer> map = emptyMap();
    for (var name : List.of("z", "a", "m")) {
      set = Sparse.add(set, name);
      map = Sparse.put(map, name, 0);
    }

    assertThat(set).containsExactly("z", "a", "m");
    assertThat(map.keySet()).containsExactly("z", "a", "m");
  }
}

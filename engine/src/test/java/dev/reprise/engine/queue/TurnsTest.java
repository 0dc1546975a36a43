package dev.reprise.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.QueueLimits;
import dev.reprise.engine.queue.FlowControl.Group;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Keys that take turns, over a long time. */
class TurnsTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final int SEEDS = 200;

  /** A queue of which a store hands out a few at a time. */
  private static final class Line {
    private final QueueLimits limits;
    private final Map<String, Integer> ready = new LinkedHashMap<>();
    private final Map<String, Instant> since = new HashMap<>();
    private final Map<String, Long> running = new HashMap<>();
    private Flow flow = Flow.NEW;
    private Instant now = NOON;

    private Line(QueueLimits limits) {
      this.limits = limits;
    }

    private void add(String key, int count) {
      now = now.plusMillis(1);
      ready.merge(key, count, Integer::sum);
      since.putIfAbsent(key, now);
    }

    private void drop(String key) {
      ready.remove(key);
      since.remove(key);
    }

    /** Whose were handed out. */
    private List<String> take(int allowed) {
      now = now.plusMillis(1);
      var control = new FlowControl(limits, flow, now);
      var groups = new ArrayList<Group>();
      ready.forEach((key, count) -> groups.add(new Group(0, key, count, since.get(key))));
      var taken = new ArrayList<String>();
      for (var pick : control.turns(allowed, running, groups)) {
        for (int i = 0; i < pick.count(); i++) taken.add(pick.key());
        if (ready.merge(pick.key(), -pick.count(), Integer::sum) == 0) drop(pick.key());
        else since.put(pick.key(), now);
      }
      flow = QueueJson.flow(QueueJson.write(control.after(taken.size())));
      return taken;
    }

    private Map<String, Integer> takeAll(int times, int each) {
      var counts = new HashMap<String, Integer>();
      for (int i = 0; i < times; i++) take(each).forEach(key -> counts.merge(key, 1, Integer::sum));
      return counts;
    }
  }

  private static final int MANY = 1_000_000;

  @Test
  void a_key_with_a_million_waiting_does_not_hold_up_one_with_few() {
    var line = new Line(QueueLimits.none().fair());
    line.add("big", MANY);
    line.takeAll(100, 1);
    line.add("small", 5);

    assertThat(line.take(10)).filteredOn("small"::equals).hasSize(5);
  }

  @Test
  void weights_hold_within_one_turn_however_many_are_taken_at_a_time() {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var weights = new HashMap<String, Integer>();
      var limits = QueueLimits.none().fair();
      for (int key = 0; key < 2 + random.nextInt(6); key++) {
        weights.put("key" + key, 1 + random.nextInt(10));
        limits = limits.weight("key" + key, weights.get("key" + key));
      }
      var line = new Line(limits);
      weights.keySet().forEach(key -> line.add(key, MANY));
      int sum = weights.values().stream().mapToInt(weight -> weight).sum();

      var counts = line.takeAll(sum * 10, 1 + random.nextInt(7));

      double all = counts.values().stream().mapToInt(count -> count).sum();
      weights.forEach(
          (key, weight) -> {
            // Each is at most one turn of its own ahead of the one that comes next.
            double behind = (double) weights.size() * weight / sum;
            assertThat(counts.get(key) - all * weight / sum)
                .as("%s of %s", key, weights)
                .isBetween(-behind - 1e-6, 1 + 1e-6);
          });
    }
  }

  @Test
  void a_key_without_a_weight_has_one() {
    var line = new Line(QueueLimits.none().weight("gold", 3));
    line.add("gold", MANY);
    line.add("other", MANY);

    var counts = line.takeAll(100, 4);

    assertThat(counts.get("gold")).isBetween(299, 301);
    assertThat(counts.get("other")).isBetween(99, 101);
  }

  @Test
  void an_idle_key_does_not_save_up_turns() {
    var line = new Line(QueueLimits.none().fair());
    line.add("early", 1);
    line.take(1);
    line.add("busy", MANY);
    line.takeAll(1_000, 1);
    line.add("early", MANY);

    var counts = line.takeAll(100, 1);

    assertThat(counts.get("early")).isBetween(49, 52);
  }

  @Test
  void a_key_at_its_limit_does_not_save_up_turns() {
    var line = new Line(QueueLimits.none().fair().perKey(1));
    line.add("stuck", MANY);
    line.add("free", MANY);
    line.running.put("stuck", 1L);
    line.takeAll(1_000, 1);
    line.running.clear();

    var counts = line.takeAll(100, 1);

    assertThat(counts.get("stuck")).isBetween(49, 52);
  }

  /** Each new customer has a turn, and still those who were there get theirs. */
  @Test
  void keys_that_come_all_the_time_do_not_starve_one_that_waits() {
    var line = new Line(QueueLimits.none().fair());
    line.add("faithful", MANY);
    line.take(1);
    int served = 0;

    for (int customer = 0; customer < 1_000; customer++) {
      line.add("customer" + customer, 1);
      line.add("late" + customer, 1);
      if (line.take(1).contains("faithful")) served++;
      line.drop("late" + customer);
    }

    assertThat(served).isGreaterThan(5);
  }

  @Test
  void what_is_kept_does_not_grow_with_the_keys_that_were_served() {
    var line = new Line(QueueLimits.none().fair());
    int most = 0;

    for (int customer = 0; customer < 10_000; customer++) {
      line.add("customer" + customer, 1);
      line.take(1);
      most = Math.max(most, line.flow.ahead().size());
    }

    assertThat(most).isLessThan(10);
  }

  /** Whatever comes and goes, among those that always have something nobody falls behind. */
  @Test
  void keys_that_always_wait_get_the_same_whatever_others_do() {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var line = new Line(QueueLimits.none().fair());
      line.add("one", MANY);
      line.add("two", MANY);
      var counts = new HashMap<String, Integer>();
      for (int i = 0; i < 300; i++) {
        if (random.nextInt(3) == 0) line.add("guest" + random.nextInt(5), 1 + random.nextInt(4));
        line.take(1 + random.nextInt(4)).forEach(key -> counts.merge(key, 1, Integer::sum));
      }

      assertThat(counts.get("one") - counts.get("two")).as("seed %d", seed).isBetween(-1, 1);
    }
  }
}

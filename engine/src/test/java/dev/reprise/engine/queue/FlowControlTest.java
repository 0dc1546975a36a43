package dev.reprise.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.QueueLimits;
import dev.reprise.engine.queue.FlowControl.Group;
import dev.reprise.engine.queue.FlowControl.Pick;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How much of a queue may be handed out at one time. */
class FlowControlTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final QueueLimits NONE = QueueLimits.none();

  private static FlowControl control(QueueLimits limits) {
    return new FlowControl(limits, Flow.NEW, NOON);
  }

  private static Group group(int priority, String key, int count, int age) {
    return new Group(priority, key, count, NOON.minusSeconds(age));
  }

  @Test
  void without_limits_nothing_is_counted() {
    assertThat(FlowControl.isNeeded(NONE)).isFalse();
    assertThat(FlowControl.isNeeded(NONE.perWorker(3))).isFalse();
  }

  @Test
  void limits_that_hold_for_all_workers_are_counted() {
    assertThat(FlowControl.isNeeded(NONE.concurrency(1))).isTrue();
    assertThat(FlowControl.isNeeded(NONE.paused())).isTrue();
    assertThat(FlowControl.isNeeded(NONE.perKey(1))).isTrue();
    assertThat(FlowControl.isNeeded(NONE.rate(1, Duration.ofSeconds(1)))).isTrue();
    assertThat(FlowControl.isNeeded(NONE.fair())).isTrue();
    assertThat(FlowControl.isNeeded(NONE.weight("a", 2))).isTrue();
  }

  @Test
  void a_worker_gets_what_it_wants_unless_the_queue_allows_it_less() {
    assertThat(FlowControl.room(NONE, 8, 100)).isEqualTo(8);
    assertThat(FlowControl.room(NONE.perWorker(5), 8, 0)).isEqualTo(5);
    assertThat(FlowControl.room(NONE.perWorker(5), 2, 1)).isEqualTo(2);
    assertThat(FlowControl.room(NONE.perWorker(5), 8, 3)).isEqualTo(2);
  }

  @Test
  void a_worker_that_has_more_than_it_is_allowed_by_now_gets_nothing() {
    assertThat(FlowControl.room(NONE.perWorker(2), 8, 5)).isZero();
  }

  @Test
  void what_runs_already_counts() {
    var control = control(NONE.concurrency(10));

    assertThat(control.allowance(64, 0)).isEqualTo(10);
    assertThat(control.allowance(64, 7)).isEqualTo(3);
    assertThat(control.allowance(2, 7)).isEqualTo(2);
    assertThat(control.allowance(64, 10)).isZero();
  }

  @Test
  void a_queue_whose_limit_was_lowered_below_what_runs_hands_nothing_out() {
    assertThat(control(NONE.concurrency(10)).allowance(64, 5_000_000_000L)).isZero();
  }

  @Test
  void a_paused_queue_hands_nothing_out() {
    assertThat(control(NONE.paused()).allowance(64, 0)).isZero();
  }

  @Test
  void the_tightest_limit_counts() {
    var limits = NONE.concurrency(10).rate(4, Duration.ofSeconds(1));

    assertThat(control(limits).allowance(64, 0)).isEqualTo(4);
    assertThat(control(limits).allowance(64, 8)).isEqualTo(2);
  }

  // ---- whose come first

  @Test
  void lower_numbers_come_first_whoever_has_waited_longer() {
    var ready = List.of(group(5, "a", 9, 1000), group(-1, "b", 2, 1), group(0, "a", 1, 1));

    assertThat(control(NONE.fair()).turns(4, Map.of(), ready))
        .containsExactly(new Pick(-1, "b", 2), new Pick(0, "a", 1), new Pick(5, "a", 1));
  }

  @Test
  void nothing_is_picked_if_nothing_is_allowed_or_there() {
    assertThat(control(NONE.fair()).turns(0, Map.of(), List.of(group(0, "a", 9, 1)))).isEmpty();
    assertThat(control(NONE.fair()).turns(9, Map.of(), List.of())).isEmpty();
  }

  @Test
  void no_more_of_a_key_are_picked_than_there_are() {
    var ready = List.of(group(0, "a", 2, 9), group(0, "b", 1, 1));

    assertThat(control(NONE.fair()).turns(100, Map.of(), ready))
        .containsExactlyInAnyOrder(new Pick(0, "a", 2), new Pick(0, "b", 1));
  }

  @Test
  void of_keys_with_the_same_turn_the_one_that_waits_longest_is_first() {
    var ready = List.of(group(0, "young", 9, 1), group(0, "old", 9, 100));

    assertThat(control(NONE.fair()).turns(1, Map.of(), ready))
        .containsExactly(new Pick(0, "old", 1));
  }

  @Test
  void what_a_key_has_running_counts_for_its_limit() {
    var ready = List.of(group(0, "a", 9, 100), group(0, "b", 9, 1), group(0, "c", 9, 50));

    assertThat(control(NONE.perKey(3)).turns(64, Map.of("a", 2L, "c", 3L), ready))
        .containsExactlyInAnyOrder(new Pick(0, "a", 1), new Pick(0, "b", 3));
  }

  @Test
  void the_limit_of_a_key_counts_over_all_priorities() {
    var ready = List.of(group(0, "a", 2, 1), group(1, "a", 9, 100), group(2, "a", 9, 100));

    assertThat(control(NONE.perKey(3)).turns(64, Map.of(), ready))
        .containsExactly(new Pick(0, "a", 2), new Pick(1, "a", 1));
  }

  @Test
  void tasks_without_a_key_are_one_key_together() {
    var ready = List.of(group(0, "", 9, 100), group(0, "a", 9, 1));

    assertThat(control(NONE.perKey(1)).turns(64, Map.of(), ready))
        .containsExactlyInAnyOrder(new Pick(0, "", 1), new Pick(0, "a", 1));
  }
}

package dev.reprise.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ErrorCode;
import dev.reprise.QueueLimits;
import dev.reprise.QueueLimits.Rate;
import dev.reprise.RepriseException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Limits as people set them. */
class QueueLimitsTest {
  private static final QueueLimits NONE = QueueLimits.none();
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void nothing_is_limited_unless_somebody_says_so() {
    assertThat(NONE).isEqualTo(new QueueLimits(null, null, null, null, false, Map.of()));
    assertThat(NONE.byKey()).isFalse();
  }

  @Test
  void each_change_keeps_the_others() {
    var limits =
        NONE.perWorker(4).concurrency(20).perKey(2).rate(100, SECOND).fair().weight("gold", 3);

    assertThat(limits)
        .isEqualTo(new QueueLimits(4, 20, 2, new Rate(100, SECOND), true, Map.of("gold", 3)));
    assertThat(limits.paused().perWorker(5).weight("silver", 2))
        .isEqualTo(
            new QueueLimits(5, 0, 2, new Rate(100, SECOND), true, Map.of("gold", 3, "silver", 2)));
  }

  @Test
  void a_weight_is_replaced_and_lets_keys_take_turns() {
    assertThat(NONE.weight("gold", 3).weight("gold", 5).weights()).isEqualTo(Map.of("gold", 5));
    assertThat(NONE.weight("gold", 3).turns()).isTrue();
  }

  @Test
  void whose_a_task_is_matters_for_turns_and_limits_of_keys() {
    assertThat(NONE.fair().byKey()).isTrue();
    assertThat(NONE.perKey(1).byKey()).isTrue();
    assertThat(NONE.concurrency(1).rate(1, SECOND).perWorker(1).byKey()).isFalse();
  }

  @Test
  void they_do_not_change_with_the_map_they_were_made_of() {
    var weights = new HashMap<>(Map.of("gold", 3));
    var limits = new QueueLimits(null, null, null, null, true, weights);

    weights.clear();

    assertThat(limits.weights()).isEqualTo(Map.of("gold", 3));
  }

  @Test
  void numbers_that_make_no_sense_are_refused() {
    refused(() -> NONE.concurrency(-1), "the concurrency must be at least 0: -1");
    refused(() -> NONE.perWorker(0), "the concurrency per worker must be at least 1: 0");
    refused(() -> NONE.perKey(0), "the concurrency per key must be at least 1: 0");
    refused(() -> NONE.weight("gold", 0), "the weight of gold must be at least 1: 0");
    refused(() -> NONE.rate(0, SECOND), "the rate must be at least 1: 0");
    refused(() -> NONE.rate(1, Duration.ZERO), "the time of a rate must be positive: PT0S");
    refused(() -> NONE.rate(1, SECOND.negated()), "the time of a rate must be positive: PT-1S");
  }

  private static void refused(ThrowingCallable call, String why) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R135))
        .hasMessageContaining(why);
  }

  @Test
  void a_key_has_a_name() {
    assertThatThrownBy(() -> NONE.weight(" ", 1)).hasMessageStartingWith("R112 the key is blank");
    assertThatThrownBy(() -> NONE.weight("k".repeat(101), 1))
        .hasMessageStartingWith("R112 the key has 101 characters, the limit is 100");
  }
}

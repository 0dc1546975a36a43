package dev.reprise.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static long seconds(RetryPolicy policy, int failed) {
    return policy.delayAfter(failed, 0.5).orElseThrow().toSeconds();
  }

  @Test
  void the_default_doubles_from_a_second_to_a_minute_and_gives_up_after_five_attempts() {
    var policy = RetryPolicy.defaults();

    assertThat(IntStream.rangeClosed(1, 4).mapToLong(n -> seconds(policy, n)))
        .containsExactly(1L, 2L, 4L, 8L);
    assertThat(policy.delayAfter(5, 0)).isEmpty();
    assertThat(policy.delayAfter(6, 0)).isEmpty();
    assertThat(seconds(policy.attempts(0), 7)).isEqualTo(60);
    assertThat(seconds(policy.attempts(0), 1_000_000)).isEqualTo(60);
  }

  @Test
  void presets_are_what_they_say() {
    assertThat(RetryPolicy.none().delayAfter(1, 0)).isEmpty();
    assertThat(seconds(RetryPolicy.fixed(SECOND.multipliedBy(7), 3), 2)).isEqualTo(7);
    assertThat(RetryPolicy.fixed(SECOND, 3).delayAfter(3, 0)).isEmpty();
    var exponential = RetryPolicy.exponential(SECOND, SECOND.multipliedBy(5), 0);
    assertThat(IntStream.rangeClosed(1, 5).mapToLong(n -> seconds(exponential, n)))
        .containsExactly(1L, 2L, 4L, 5L, 5L);
  }

  @Test
  void jitter_keeps_its_bounds() {
    var policy = RetryPolicy.fixed(SECOND.multipliedBy(10), 0).jitter(0.5);
    var random = new Random(3);

    for (int i = 0; i < 1_000; i++) {
      assertThat(policy.delayAfter(1, random.nextDouble()).orElseThrow())
          .isBetween(SECOND.multipliedBy(5), SECOND.multipliedBy(15));
    }
    assertThat(policy.delayAfter(1, 0)).contains(SECOND.multipliedBy(5));
    assertThat(policy.delayAfter(1, 0.5)).contains(SECOND.multipliedBy(10));
    assertThat(policy.delayAfter(1, 1)).contains(SECOND.multipliedBy(15));
    assertThat(RetryPolicy.fixed(SECOND, 0).jitter(1).delayAfter(1, 0)).contains(Duration.ZERO);
  }

  @Test
  void durations_of_any_length_are_possible() {
    var forever = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    assertThat(RetryPolicy.exponential(SECOND, forever, 0).delayAfter(3, 0.5))
        .contains(SECOND.multipliedBy(4));
    assertThat(RetryPolicy.exponential(SECOND, forever, 0).delayAfter(5_000, 0.5).orElseThrow())
        .isGreaterThan(Duration.ofDays(365 * 200));
    assertThat(RetryPolicy.fixed(forever, 0).delayAfter(1, 0.5).orElseThrow())
        .isGreaterThan(Duration.ofDays(365 * 200));
    assertThat(RetryPolicy.fixed(Duration.ZERO, 0).delayAfter(5_000, 0.5)).contains(Duration.ZERO);
    assertThat(RetryPolicy.fixed(Duration.ofNanos(1), 0).delayAfter(1, 0.5))
        .contains(Duration.ofNanos(1));
  }

  @Test
  void a_policy_is_changed_by_making_another() {
    var policy =
        RetryPolicy.defaults()
            .attempts(9)
            .jitter(0.1)
            .maxDuration(SECOND)
            .notOn(IOException.class)
            .notOn(IllegalStateException.class);

    assertThat(policy.maxAttempts()).isEqualTo(9);
    assertThat(policy.jitter()).isEqualTo(0.1);
    assertThat(policy.maxDuration()).isEqualTo(SECOND);
    assertThat(policy.nonRetryable())
        .isEqualTo(Set.of("java.io.IOException", "java.lang.IllegalStateException"));
    assertThat(RetryPolicy.defaults().nonRetryable()).isEmpty();
  }

  @Test
  void what_makes_no_sense_is_refused() {
    var defaults = RetryPolicy.defaults();

    assertThatThrownBy(() -> defaults.attempts(-1)).hasMessageContaining("attempts");
    assertThatThrownBy(() -> defaults.jitter(1.1)).hasMessageContaining("jitter");
    assertThatThrownBy(() -> defaults.jitter(-0.1)).hasMessageContaining("jitter");
    assertThatThrownBy(() -> defaults.jitter(Double.NaN)).hasMessageContaining("jitter");
    assertThatThrownBy(() -> RetryPolicy.fixed(SECOND.negated(), 1)).hasMessageContaining("delay");
    assertThatThrownBy(() -> policy(0.9)).hasMessageContaining("factor");
    assertThatThrownBy(() -> policy(Double.NaN)).hasMessageContaining("factor");
  }

  private static RetryPolicy policy(double factor) {
    return new RetryPolicy(SECOND, factor, SECOND, 1, 0, null, Set.of());
  }
}

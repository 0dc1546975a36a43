package dev.reprise.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.RetryPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

  @Test
  void the_default_waits_twice_as_long_each_time_and_gives_up_after_five_attempts() {
    var policy = RetryPolicy.defaults();

    assertThat(policy.delayAfter(1, 0)).contains(Duration.ofSeconds(1));
    assertThat(policy.delayAfter(2, 0)).contains(Duration.ofSeconds(2));
    assertThat(policy.delayAfter(4, 0)).contains(Duration.ofSeconds(8));
    assertThat(policy.delayAfter(5, 0)).isEmpty();
  }

  @Test
  void no_delay_is_longer_than_the_cap() {
    var policy = RetryPolicy.defaults().attempts(0);

    assertThat(policy.delayAfter(7, 0)).contains(Duration.ofSeconds(60));
    assertThat(policy.delayAfter(10_000, 0)).contains(Duration.ofSeconds(60));
  }

  @Test
  void jitter_moves_a_delay_by_its_share_in_either_direction() {
    var policy = RetryPolicy.fixed(Duration.ofSeconds(10), 3).jitter(0.5);

    assertThat(policy.delayAfter(1, 0)).contains(Duration.ofSeconds(5));
    assertThat(policy.delayAfter(1, 0.5)).contains(Duration.ofSeconds(10));
    assertThat(policy.delayAfter(1, 1)).contains(Duration.ofSeconds(15));
  }

  @Test
  void policies_that_make_no_sense_are_refused() {
    var policy = RetryPolicy.defaults();

    assertThatThrownBy(() -> policy.attempts(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> policy.jitter(1.1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RetryPolicy.fixed(Duration.ofSeconds(-1), 2))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

package dev.reprise.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class OverrunTest {
  private static final long SECOND = 1_000_000_000L;

  private final Overrun overrun = new Overrun(Duration.ofSeconds(10));

  @Test
  void it_is_said_at_the_limit_and_whenever_that_has_doubled() {
    var said = new ArrayList<Long>();
    for (long at = 5; at <= 170; at += 5) {
      if (overrun.isNews(at * SECOND, 5 * SECOND)) said.add(at);
    }

    assertThat(said).containsExactly(10L, 20L, 40L, 80L, 160L);
  }

  @Test
  void looks_that_come_late_say_it_once() {
    assertThat(overrun.isNews(95 * SECOND, 90 * SECOND)).isTrue();
    assertThat(overrun.isNews(100 * SECOND, 5 * SECOND)).isFalse();
    assertThat(overrun.isNews(9 * SECOND, 9 * SECOND)).isFalse();
  }
}

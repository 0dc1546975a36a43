package dev.reprise.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static final long SECOND = 1_000_000_000L;

  private final RateLimit limit = new RateLimit(Duration.ofSeconds(10), 2);

  @Test
  void the_first_line_of_a_key_comes_at_once_and_the_next_tells_how_many_were_left_out() {
    assertThat(limit.ask("a", 0)).hasValue(0);
    assertThat(limit.ask("a", SECOND)).isEmpty();
    assertThat(limit.ask("a", 9 * SECOND)).isEmpty();
    assertThat(limit.ask("b", 9 * SECOND)).hasValue(0);
    assertThat(limit.ask("a", 10 * SECOND)).hasValue(2);
    assertThat(limit.ask("a", 20 * SECOND)).hasValue(0);
  }

  @Test
  void what_was_mentioned_longest_ago_is_forgotten() {
    limit.ask("a", 0);
    limit.ask("b", 0);
    limit.ask("a", SECOND);

    limit.ask("c", SECOND);

    assertThat(limit.ask("a", SECOND)).isEmpty();
    assertThat(limit.ask("b", SECOND)).hasValue(0);
  }
}

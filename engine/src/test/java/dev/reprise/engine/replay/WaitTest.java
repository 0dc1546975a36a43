package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.replay.Wait.Kind;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WaitTest {

  @SuppressWarnings("NullAway") // a wait that nobody waits in
  private static Wait wait(String id, String site) {
    return new Wait(Kind.SLEEP, null, id, "a sleep", site);
  }

  @Test
  void a_wait_says_what_for_until_when_and_where() {
    var wait = wait("sleep:1", "Shop.java:7");
    wait.due = Instant.parse("2030-01-01T00:00:00Z");

    assertThat(wait.describe())
        .isEqualTo("a sleep (sleep:1), due 2030-01-01T00:00:00Z at Shop.java:7");
  }

  @Test
  void what_a_wait_does_not_have_it_does_not_say() {
    assertThat(wait(null, null).describe()).isEqualTo("a sleep");
  }
}

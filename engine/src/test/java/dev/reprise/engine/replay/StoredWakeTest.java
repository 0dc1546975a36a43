package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StoredWakeTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(1);
  private static final RunChange NOTHING = new RunChange.None();

  @Test
  void a_row_that_is_due_is_that_of_an_active_run() {
    assertThat(new StoredWake(NOW, NOW).activeSince(LATER)).isEqualTo(NOTHING);
    assertThat(new StoredWake(NOW, LATER).activeSince(LATER)).isEqualTo(NOTHING);
  }

  @Test
  void a_row_that_is_due_later_or_never_is_made_due() {
    assertThat(new StoredWake(LATER, NOW).activeSince(NOW)).isEqualTo(new RunChange.WakeAt(NOW));
    assertThat(new StoredWake(null, NOW).activeSince(NOW)).isEqualTo(new RunChange.WakeAt(NOW));
  }

  @Test
  void an_active_run_that_waits_is_written_even_if_it_is_due_then() {
    assertThat(new StoredWake(NOW, NOW).parkedUntil(NOW)).isEqualTo(new RunChange.WakeAt(NOW));
    assertThat(new StoredWake(NOW, NOW).parkedUntil(null)).isEqualTo(new RunChange.WakeAt(null));
  }

  @Test
  void what_the_row_says_already_is_not_written_again() {
    var wake = new StoredWake(NOW, NOW);

    assertThat(wake.parkedUntil(LATER)).isEqualTo(new RunChange.WakeAt(LATER));
    assertThat(wake.parkedUntil(LATER)).isEqualTo(NOTHING);
    assertThat(wake.parkedUntil(null)).isEqualTo(new RunChange.WakeAt(null));
    assertThat(wake.parkedUntil(null)).isEqualTo(NOTHING);
    assertThat(wake.activeSince(LATER)).isEqualTo(new RunChange.WakeAt(LATER));
    assertThat(wake.activeSince(LATER.plusSeconds(1))).isEqualTo(NOTHING);
    assertThat(wake.parkedUntil(LATER)).isEqualTo(new RunChange.WakeAt(LATER));
  }
}

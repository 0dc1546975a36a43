package dev.reprise.engine.replay;

import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the row of a run says about when it is due, so that the row is written when that changes and
 * not for every step: due at once while the run is active, so that a dead node's active runs are
 * found; else when its first wait is due, or never.
 *
 * <p>Belongs to whoever holds the baton.
 */
final class StoredWake {
  private static final RunChange NONE = new RunChange.None();

  private boolean active;
  private @Nullable Instant due;

  StoredWake(@Nullable Instant due, Instant now) {
    this.due = due;
    this.active = due != null && !due.isAfter(now);
  }

  /** The run waits until then, or for an input only. */
  RunChange parkedUntil(@Nullable Instant then) {
    if (!active && Objects.equals(due, then)) return NONE;
    active = false;
    due = then;
    return new RunChange.WakeAt(then);
  }

  /** The run has something to do. */
  RunChange activeSince(Instant now) {
    if (active) return NONE;
    active = true;
    due = now;
    return new RunChange.WakeAt(now);
  }
}

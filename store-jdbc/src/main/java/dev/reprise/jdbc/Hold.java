package dev.reprise.jdbc;

import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.RunChange.Begin;
import dev.reprise.engine.store.Transition.RunChange.Block;
import dev.reprise.engine.store.Transition.RunChange.Close;
import dev.reprise.engine.store.Transition.RunChange.Compensate;
import dev.reprise.engine.store.Transition.RunChange.Continue;
import dev.reprise.engine.store.Transition.RunChange.None;
import dev.reprise.engine.store.Transition.RunChange.Release;
import dev.reprise.engine.store.Transition.RunChange.Unblock;
import dev.reprise.engine.store.Transition.RunChange.WakeAt;

/** What a node may do with a run. */
enum Hold {
  /** It runs, and the node owns it. */
  OWNED,
  /** The same, and it has a place on a queue. */
  PLACED,
  /** It is blocked. */
  HELD,
  /** It has not begun. */
  WAITING,
  /** None of these. */
  NONE;

  /**
   * Its owner writes to a run, and nobody else; a held one goes on, or ends, and nothing more; so
   * does one that has not begun.
   */
  boolean takes(RunChange change) {
    return switch (change) {
      case None _, WakeAt _, Release _, Block _, Continue _ -> isOwned();
      case Begin _ -> this == WAITING;
      case Unblock _ -> this == HELD;
      case Compensate _ -> isOwned() || this == HELD;
      case Close _ -> this != NONE;
    };
  }

  boolean isOwned() {
    return this == OWNED || this == PLACED;
  }
}

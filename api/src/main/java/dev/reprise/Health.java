package dev.reprise;

import java.util.List;

/**
 * How an engine is at a moment, as far as it knows without asking the database.
 *
 * @param state whether it does its work
 * @param reasons why it does not, or not well, for people; empty if it is {@link State#UP}
 */
public record Health(State state, List<String> reasons) {
  public Health {
    reasons = List.copyOf(reasons);
  }

  /** Whether an engine does its work. */
  public enum State {
    /** It does. */
    UP,
    /** Something keeps it from its work, and it goes on by itself when that is over. */
    DEGRADED,
    /** It does nothing, and will not by itself: it is closed, or another engine took its place. */
    DOWN
  }

  /** Whether it does its work. */
  public boolean isUp() {
    return state == State.UP;
  }
}

package dev.reprise.engine.replay;

import org.jspecify.annotations.Nullable;

/**
 * A part of workflow code that can be given up as a whole: the workflow, a branch, a scope. Giving
 * up reaches everything inside, but not what is shielded. Belongs to whoever holds the baton.
 */
final class CancelScope {
  private final @Nullable CancelScope outer;
  private final boolean shield;
  private @Nullable String why; // it was given up; null if it was not

  private CancelScope(@Nullable CancelScope outer, boolean shield) {
    this.outer = outer;
    this.shield = shield;
  }

  /** That of the whole workflow. */
  static CancelScope root() {
    return new CancelScope(null, false);
  }

  CancelScope inner() {
    return new CancelScope(this, false);
  }

  /** One that giving up what is outside of it does not reach. */
  CancelScope shielded() {
    return new CancelScope(this, true);
  }

  void cancel(String reason) {
    if (why == null) why = reason;
  }

  /** Whether it, or something around it, was given up. */
  boolean isCancelled() {
    return why() != null;
  }

  /** Why it, or something around it, was given up; null if nothing was. */
  @Nullable String why() {
    for (CancelScope scope = this; scope != null; scope = scope.outer) {
      if (scope.why != null) return scope.why;
      if (scope.shield) return null;
    }
    return null;
  }

  /** Whether giving up that one reaches it. */
  boolean isIn(CancelScope other) {
    for (CancelScope scope = this; scope != null; scope = scope.outer) {
      if (scope == other) return true;
      if (scope.shield) return false;
    }
    return false;
  }
}

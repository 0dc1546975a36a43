package dev.reprise;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a branch of an open run waits for.
 *
 * @param kind of what
 * @param id of the activity, timer or wait in the history; empty if it has none
 * @param what in a few words
 * @param site the line of workflow code that waits, or null
 * @param due when its time comes: of a timer, of a limit, of the next attempt; or null
 * @param attempt of an activity, the attempt that runs or is next; else 0
 * @param lastFailure of an activity between two attempts, what the last one failed with; or null
 * @param note of what is on a queue, where it is: since when, with which worker; of an activity
 *     that runs, for how long; of what nobody can run, what to do about it; or null
 */
public record Waiting(
    Kind kind,
    String id,
    String what,
    @Nullable String site,
    @Nullable Instant due,
    int attempt,
    @Nullable FailureInfo lastFailure,
    @Nullable String note) {

  /** Without a note. */
  public Waiting(
      Kind kind,
      String id,
      String what,
      @Nullable String site,
      @Nullable Instant due,
      int attempt,
      @Nullable FailureInfo lastFailure) {
    this(kind, id, what, site, due, attempt, lastFailure, null);
  }

  /** The same with a note. */
  public Waiting withNote(String text) {
    return new Waiting(kind, id, what, site, due, attempt, lastFailure, text);
  }

  /** Of what kind. */
  public enum Kind {
    ACTIVITY,
    TIMER,
    SIGNAL,
    CHILD,
    CONDITION,
    BRANCH,
    COMPENSATION,
    /**
     * A run that has not begun: its turn on a queue, or its time. Or one that no engine can run.
     */
    QUEUE
  }

  @Override
  public String toString() {
    var text = new StringBuilder(what);
    if (!id.isEmpty()) text.append(" (").append(id).append(')');
    if (attempt > 1) text.append(", attempt ").append(attempt);
    if (lastFailure != null) text.append(" after ").append(lastFailure);
    if (note != null) text.append(", ").append(note);
    if (due != null) text.append(", due ").append(due);
    if (site != null) text.append(" at ").append(site);
    return text.toString();
  }
}

package dev.reprise.engine.filter;

import dev.reprise.Status;
import dev.reprise.engine.filter.Subject.OpenWork;
import dev.reprise.engine.filter.Token.Kind;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a run waits for, as far as a store can tell without its code: by what is recorded and has
 * not ended. A run may wait for several things. Signals, updates and conditions leave no trace
 * before they come: a run that waits for nothing else waits for one of those.
 */
public enum WaitKind {
  /** It has not begun: its turn on a queue, or its time. */
  QUEUE,
  /** A sleep. */
  TIMER,
  /** An activity on a queue, or between two attempts; or it is at work right now. */
  ACTIVITY,
  /** A child. */
  CHILD,
  /** A signal, an update or a condition: nothing else is open. */
  SIGNAL,
  /** What it did is being undone. */
  COMPENSATION;

  /** For messages. */
  static final String ALL =
      Arrays.stream(values()).map(WaitKind::label).collect(Collectors.joining(", "));

  /** As filters write it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What a word stands for; nothing if it is none of them. */
  static Set<WaitKind> of(Token token) {
    var found = EnumSet.noneOf(WaitKind.class);
    if (token.kind() != Kind.WORD && token.kind() != Kind.TEXT) return found;
    if (!token.path().isEmpty()) return found;
    for (var kind : values()) if (kind.label().equalsIgnoreCase(token.text())) found.add(kind);
    return found;
  }

  /** Whether a run waits for that. */
  boolean holds(Subject run, Instant now) {
    return switch (this) {
      case QUEUE -> run.status() == Status.QUEUED;
      case COMPENSATION -> run.status() == Status.COMPENSATING;
      case TIMER, ACTIVITY, CHILD, SIGNAL ->
          run.status() == Status.RUNNING && holds(run, run.openWork().get(), now);
    };
  }

  private boolean holds(Subject run, OpenWork open, Instant now) {
    var due = run.wakeAt();
    boolean atWork = due != null && !due.isAfter(now) && !open.timers();
    boolean activity = open.tasks() || open.retries() || atWork;
    return switch (this) {
      case TIMER -> open.timers();
      case CHILD -> open.children();
      case ACTIVITY -> activity;
      case SIGNAL -> !open.timers() && !open.children() && !activity;
      case QUEUE, COMPENSATION -> false;
    };
  }
}

package dev.reprise.engine.replay;

import dev.reprise.FailureInfo;
import dev.reprise.Waiting;
import dev.reprise.engine.bind.CallSite;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.journal.Ticket;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a fiber waits for. Belongs to whoever holds the baton. */
final class Wait {

  /** What kind of thing. */
  enum Kind {
    STEP,
    SLEEP,
    SIGNAL,
    CONDITION,
    PROMISE
  }

  final Kind kind;
  final Fiber fiber;
  final @Nullable String id; // what an event that ends the wait calls it; null if none can
  final String what; // for people
  private @Nullable String site; // see site()
  @Nullable Step step; // of a STEP

  @Nullable Instant due; // of a sleep, a limit or the next attempt
  RunPort.@Nullable Timer timer; // armed when live
  boolean done;
  boolean child; // of a PROMISE: that of a child
  @Nullable BranchPromise<?> task; // of a PROMISE: that of an activity on a queue
  boolean timedOut;
  boolean cancelled;
  @Nullable Event outcome; // of a STEP or SIGNAL
  @Nullable Object value; // of a STEP that ran here: its result as a replay would give it
  @Nullable FailureInfo failure; // of a STEP between two attempts: what the last one failed with
  @Nullable Ticket barrier; // what must be durable before the STEP may begin
  @Nullable AttemptContext running; // of a STEP: what its attempt knows, while it runs here
  long seen; // of a CONDITION: the progress at which it was last false

  Wait(Kind kind, Fiber fiber, @Nullable String id, String what, @Nullable String site) {
    this(kind, fiber, id, what, site, null);
  }

  private Wait(
      Kind kind,
      Fiber fiber,
      @Nullable String id,
      String what,
      @Nullable String site,
      @Nullable Step step) {
    this.kind = kind;
    this.fiber = fiber;
    this.id = id;
    this.what = what;
    this.site = site;
    this.step = step;
  }

  static Wait forStep(Fiber fiber, Step step, @Nullable String site) {
    var call = step.call();
    return new Wait(Kind.STEP, fiber, call.id(), "activity " + call.name(), site, step);
  }

  /**
   * The line of workflow code that waits. To find it takes longer than to replay an event: so that
   * of a step that is replayed is only looked for when somebody wants to know. Not while its
   * function runs, which may be code of users too.
   */
  @Nullable String site() {
    if (site == null && step != null) site = CallSite.in(fiber.thread());
    return site;
  }

  /** An attempt of the step has failed, which an event says: another one follows. */
  void attemptFailed(FailureInfo why) {
    failure = why;
    step = Objects.requireNonNull(step).withoutArguments();
  }

  /** For people who ask what the run does. */
  Waiting toWaiting(RunState state) {
    if (task != null) return ofTask(task, state);
    int attempt = step == null ? 0 : state.failedAttempts(step.call().id()) + 1;
    var waiting =
        new Waiting(kindForPeople(), id == null ? "" : id, what, site(), due, attempt, failure);
    if (running == null || !running.hasBegun()) return waiting;
    return waiting.withNote(
        "has run for %d s".formatted(TimeUnit.NANOSECONDS.toSeconds(running.nanos())));
  }

  /** The attempt that runs; null if none does. */
  @Nullable RunningAttempt attempt() {
    var context = running;
    if (context == null || !context.hasBegun() || step == null) return null;
    return new RunningAttempt(
        step.call().id(),
        context.attempt(),
        context.nanos(),
        context.quietNanos(),
        step.timeout() != null,
        fiber.thread());
  }

  private Waiting ofTask(BranchPromise<?> promise, RunState state) {
    var activity = Objects.requireNonNull(promise.activity());
    int attempt = state.failedAttempts(activity) + 1;
    return new Waiting(
        Waiting.Kind.ACTIVITY, activity, what, site(), due, attempt, promise.lastFailure());
  }

  private Waiting.Kind kindForPeople() {
    if (child) return Waiting.Kind.CHILD;
    return switch (kind) {
      case STEP ->
          Objects.requireNonNull(step).undo() ? Waiting.Kind.COMPENSATION : Waiting.Kind.ACTIVITY;
      case SLEEP -> Waiting.Kind.TIMER;
      case SIGNAL -> Waiting.Kind.SIGNAL;
      case CONDITION -> Waiting.Kind.CONDITION;
      case PROMISE -> Waiting.Kind.BRANCH;
    };
  }

  /** For people: what and where. */
  String describe() {
    var text = new StringBuilder(what);
    if (id != null) text.append(" (").append(id).append(')');
    if (due != null) text.append(", due ").append(due);
    if (site() != null) text.append(" at ").append(site());
    return text.toString();
  }
}

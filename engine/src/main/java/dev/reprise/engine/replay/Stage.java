package dev.reprise.engine.replay;

import dev.reprise.RepriseException;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Event.SignalReceived;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.replay.Wait.Kind;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the code of a run plays: what its fibers wait for, and the history they follow.
 *
 * <p>Two things happen here. The code <b>records</b> a command: live, that appends its event; while
 * replaying, the history must have the same event next. And an event is <b>delivered</b>: the fiber
 * that waits for it goes on; an event that nobody waits for means that the code went another way.
 *
 * <p>An inline activity is recorded only when it has ended, so it is compared when its outcome is
 * delivered. All fields belong to whoever holds the {@link Baton}.
 */
final class Stage {
  private static final int RUN_BYTES = 3_500; // measured: an idle run without its threads
  private static final int FIBER_BYTES = 3_000; // measured: a parked thread of cold user code
  private static final int SHOWN_WAITS = 5; // in an error; a fan-out may have thousands

  private final RunRow row;
  private final Cast cast;
  private final Waits waits;
  private final Consumer<Recorded> recorder;
  private final Supplier<Instant> clock;
  private final Renames renames = new Renames();

  private @Nullable Role role; // who takes what is not for a wait; null if there is no code
  private RunState state = RunState.empty();
  private @Nullable HistoryCursor history; // null when the code has caught up
  private @Nullable NewCode newCode; // until the history says that it goes on
  private @Nullable RepriseException mismatch; // the first; code that catches it gets no further
  private int departure; // the event at which that was; 0 if nowhere
  private long received; // bytes of values that the code was given and may hold

  Stage(
      Machine machine,
      RunRow row,
      Baton baton,
      Consumer<Recorded> recorder,
      Supplier<Instant> clock) {
    this.row = row;
    this.cast = new Cast(machine, row, this, baton);
    this.waits = new Waits(baton);
    this.recorder = recorder;
    this.clock = clock;
  }

  /** What the code does with events that no wait is for. */
  interface Role {
    /** The run begins. */
    void begin(Event.WorkflowStarted started);

    /** A request begins to be answered. False if nobody answers such requests. */
    boolean update(Event.UpdateReceived update);

    /** A child has ended. False if nobody knows it. */
    boolean childEnded(String id, Event outcome);

    /** An activity has ended. False if it was not asked for on a queue. */
    boolean activityEnded(Call call, Event outcome);

    /** An attempt has failed of an activity on a queue. False if it was not asked for on one. */
    boolean activityFailed(Event.ActivityRetryScheduled retry);

    /** Activities on queues may have been given up. */
    void activitiesGivenUp();
  }

  /** Makes an attempt of a step, outside of the baton; the message tells what came of it. */
  interface Attempts {
    Baton.Message make(Wait wait);
  }

  void castAs(Role code) {
    role = code;
  }

  Cast cast() {
    return cast;
  }

  Waits waits() {
    return waits;
  }

  Renames renames() {
    return renames;
  }

  // ---- the history ------------------------------------------------------------------------------

  /** The code follows these events. */
  void follow(List<EventRow> events) {
    history = new HistoryCursor(events);
  }

  /** There is no code any more: these events add up to something, and that is all. */
  void fold(List<EventRow> events) {
    var cursor = new HistoryCursor(events);
    while (cursor.hasNext()) state = state.apply(cursor.take());
  }

  RunState state() {
    return state;
  }

  boolean isReplaying() {
    return history != null;
  }

  /** All fibers wait: makes one ready, by a condition that may hold now or by the next event. */
  boolean nextEvent() {
    checkPath();
    if (waits.askConditions()) return true;
    if (peek() == null) return false;
    deliver(take());
    return true;
  }

  /** The next event of the history, if there is one. What only people want to know is passed. */
  @Nullable Recorded peek() {
    while (history != null && history.peek() instanceof Recorded next) {
      if (!next.event().isPassed()) return renames.apply(next);
      take();
    }
    return null;
  }

  /**
   * Whether the code is given something for the first time: nothing is recorded that came of it. A
   * run that was blocked by what it was given meets it as new once more.
   */
  boolean isNew() {
    return history == null || history.isAtEnd();
  }

  private Recorded take() {
    var cursor = Objects.requireNonNull(history);
    var recorded = renames.apply(cursor.take());
    if (!cursor.hasNext()) history = null;
    state = state.apply(recorded);
    return recorded;
  }

  /** Records a command; while replaying, the history must have it next. */
  void record(Command command, String what, @Nullable String site) {
    var recorded = peek();
    if (recorded == null) {
      var now = clock.get();
      append(Decider.decide(command, now), site, now);
      return;
    }
    var now = Decider.decide(command, recorded.at());
    if (!Mismatch.isSame(recorded.event(), now, isCopied(recorded))) {
      throw mismatch(recorded, what + Mismatch.at(site), differenceIn(recorded.event(), now));
    }
    take();
  }

  /** Whether it comes from another run, whose id may be part of what it says. */
  private boolean isCopied(Recorded recorded) {
    var lineage = state.life().origin().lineage();
    return lineage != null && recorded.index() <= lineage.copied();
  }

  /** The code has ended: inputs that came while its end was on its way to the disk are next. */
  void passInputs() {
    while (peek() instanceof Recorded next && next.event().isInput(this::isQueued)) take();
  }

  private boolean isQueued(String activity) {
    return state.life().tasks().contains(activity);
  }

  /** Activities on queues that were given up are not wanted any more. */
  void activitiesGivenUp() {
    if (role != null) role.activitiesGivenUp();
  }

  /** Whether the code goes the new way at this change. */
  boolean hasPatch(String change) {
    var next = peek();
    return next == null || next.event().equals(new Event.PatchMarked(change));
  }

  /**
   * Where a loop of an earlier run goes on, with all that belongs to it; null if it begins here.
   */
  Event.@Nullable LoopSnapshot takeSnapshot(String id) {
    if (!(peek() instanceof Recorded next
        && next.event() instanceof Event.LoopSnapshot snapshot
        && snapshot.id().equals(id))) {
      return null;
    }
    take();
    waits.signals().clear();
    for (int i = 0; i < snapshot.carried(); i++) {
      if (take().event() instanceof SignalReceived signal) waits.signals().offer(signal);
    }
    return snapshot;
  }

  /** The code goes on with a history that does not say so. */
  void takeUp(@Nullable NewCode code) {
    newCode = code;
  }

  /** Whether no activity may begin before {@link #noteCode} is durable. */
  boolean owesCode() {
    return newCode != null && newCode.first() && history == null;
  }

  /** Records that the code goes on, if that is not known; comes before all that it does live. */
  void noteCode() {
    var code = newCode;
    if (code == null || history != null) return;
    newCode = null;
    append(new Event.WorkflowTakenUp(code.hash()), null, state.now());
  }

  /** Appends an event that was decided at that time. */
  Recorded append(Event event, @Nullable String site, Instant now) {
    noteCode();
    var recorded = new Recorded(state.size() + 1, now, site, event);
    state = state.apply(recorded);
    recorder.accept(recorded);
    return recorded;
  }

  /** Goes back to where a refused end was decided. */
  void rewind(RunState to) {
    state = to;
  }

  // ---- events to fibers -------------------------------------------------------------------------

  void deliver(Recorded recorded) {
    waits.progressed();
    var payload = recorded.event().payload();
    if (payload != null) received += payload.size();
    switch (recorded.event()) {
      case Event.WorkflowStarted e -> {
        takeUnreceived(e);
        Objects.requireNonNull(role).begin(e);
      }
      case Event.ActivityCompleted e -> activityEnded(recorded, e.call());
      case Event.ActivityFailed e -> activityEnded(recorded, e.call());
      case Event.ActivityCancelled e -> activityEnded(recorded, e.call());
      case Event.CompensationCompleted e -> stepEnded(recorded, e.call());
      case Event.CompensationFailed e -> stepEnded(recorded, e.call());
      case Event.ActivityRetryScheduled e when isReported(e) -> {}
      case Event.ActivityRetryScheduled e -> {
        var wait = step(recorded, e.call());
        wait.attemptFailed(e.failure());
        waits.postpone(wait, e.due());
      }
      case Event.TimerFired e -> waits.finish(expected(recorded, e.id(), Kind.SLEEP));
      case Event.WaitTimedOut e -> {
        var wait = waits.of(e.id());
        if (wait == null || !e.due().equals(wait.due)) throw unexpected(recorded);
        wait.timedOut = true;
        waits.finish(wait);
      }
      case SignalReceived signal -> {
        var wait = waits.signals().offer(signal);
        if (wait != null) {
          wait.outcome = signal;
          waits.finish(wait);
        }
      }
      case Event.WorkflowCancelRequested _, Event.TimeLimitReached _ -> cast.cancelAll();
      case Event.UpdateReceived e -> expect(role == null || role.update(e), recorded);
      case Event.ChildCompleted e -> expect(role == null || role.childEnded(e.id(), e), recorded);
      case Event.ChildFailed e -> expect(role == null || role.childEnded(e.id(), e), recorded);
      case Event.UpdateRefused _, Event.WorkflowResumed _, Event.WorkflowTakenUp _ -> {}
      case Event.ActivityScheduled _,
          Event.ActivityCancelRequested _,
          Event.TimerScheduled _,
          Event.TimerCancelled _,
          Event.PatchMarked _,
          Event.CompensationRegistered _,
          Event.CompensationsStarted _,
          Event.ChildStarted _,
          Event.MessageSent _,
          Event.UpdateCompleted _,
          Event.UpdateFailed _,
          Event.ValuePublished _,
          Event.AttributeChanged _,
          Event.LoopSnapshot _,
          Event.WorkflowCompleted _,
          Event.WorkflowFailed _,
          Event.WorkflowCancelled _,
          Event.WorkflowTimedOut _,
          Event.WorkflowTerminated _,
          Event.WorkflowContinuedAsNew _ ->
          throw unexpected(recorded); // the code should have asked for it before it waited
    }
  }

  /** Signals that an earlier run left are there before the code does anything. */
  private void takeUnreceived(Event.WorkflowStarted started) {
    var lineage = started.origin().lineage();
    int count = lineage == null ? 0 : lineage.unreceived();
    for (int i = 0; i < count; i++) {
      if (take().event() instanceof SignalReceived signal) waits.signals().offer(signal);
    }
  }

  private void expect(boolean taken, Recorded recorded) {
    if (!taken) throw unexpected(recorded);
  }

  /** Without code only activities on queues can end: nobody waits for them any more. */
  private void activityEnded(Recorded recorded, Call call) {
    if (role == null || role.activityEnded(call, recorded.event())) return;
    stepEnded(recorded, call);
  }

  private boolean isReported(Event.ActivityRetryScheduled retry) {
    return role == null ? waits.of(retry.call().id()) == null : role.activityFailed(retry);
  }

  private void stepEnded(Recorded recorded, Call call) {
    var wait = step(recorded, call);
    wait.outcome = recorded.event();
    waits.finish(wait);
  }

  private Wait step(Recorded recorded, Call call) {
    var wait = expected(recorded, call.id(), Kind.STEP);
    var asked = Objects.requireNonNull(wait.step).call();
    boolean same = isCopied(recorded) ? call.name().equals(asked.name()) : call.equals(asked);
    expect(same, recorded);
    return wait;
  }

  private Wait expected(Recorded recorded, String id, Kind kind) {
    var wait = waits.of(id);
    if (wait == null || wait.kind != kind) throw unexpected(recorded);
    return wait;
  }

  // ---- another path -----------------------------------------------------------------------------

  /** Code that has left the path gets no further. */
  void checkPath() {
    if (mismatch != null) throw mismatch;
  }

  private RepriseException unexpected(Recorded recorded) {
    var texts = cast.describeWaits();
    int more = texts.size() - SHOWN_WAITS;
    var shown = String.join("; ", more > 0 ? texts.subList(0, SHOWN_WAITS) : texts);
    var code = texts.isEmpty() ? "has ended" : shown + (more > 0 ? "; and " + more + " more" : "");
    return mismatch(recorded, code, differenceIn(recorded.event()));
  }

  private RepriseException mismatch(Recorded recorded, String code, @Nullable String difference) {
    if (mismatch == null) {
      mismatch = Mismatch.of(row, recorded, code, difference, newCode);
      departure = recorded.index();
    }
    return mismatch;
  }

  /** How many events the code has followed. */
  int followed() {
    return departure == 0 ? state.size() : departure - 1;
  }

  private @Nullable String differenceIn(Event recorded, Event now) {
    var told = Mismatch.ofCommands(recorded, now);
    return told != null ? told : differenceIn(recorded);
  }

  /** Says what differs where kind, name and id are the same. */
  private @Nullable String differenceIn(Event event) {
    var wait = waits.of(event.subject());
    if (wait == null) return null;
    var call = event.call();
    if (wait.step != null) return call == null ? null : Mismatch.ofCalls(call, wait.step.call());
    return wait.due != null ? "the times are not the same" : null;
  }

  /** About how many bytes of memory all this takes. */
  long weight() {
    return RUN_BYTES + (long) FIBER_BYTES * cast.size() + received;
  }
}

package dev.reprise.engine.replay;

import dev.reprise.BranchCancelled;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.WorkflowCancelled;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Event.SignalReceived;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.replay.Wait.Kind;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the code of a run plays: its fibers, what they wait for, and the history they follow.
 *
 * <p>Two things happen here. The code <b>records</b> a command: live, that appends its event; while
 * replaying, the history must have the same event next. And an event is <b>delivered</b>: the fiber
 * that waits for it goes on; an event that nobody waits for means that the code went another way.
 *
 * <p>An inline activity is recorded only when it has ended, so it is compared when its outcome is
 * delivered. All fields belong to whoever holds the {@link Baton}, except where said otherwise.
 */
final class Stage {
  private static final int RUN_BYTES = 2_000; // measured: an idle run without its threads
  private static final int FIBER_BYTES = 3_000; // measured: a parked thread of cold user code
  private static final int MAX_REFUSALS = 1_000; // of one thread of a dead run; then it loops
  private static final int SHOWN_WAITS = 5; // in an error; a fan-out may have thousands

  private final Machine machine;
  private final RunRow row;
  private final Baton baton;
  private final Consumer<Payload> main; // begins the workflow's method
  private final Consumer<Recorded> recorder;
  private final Supplier<Instant> clock;

  private RunState state = RunState.empty();
  private @Nullable HistoryCursor history; // null when the code has caught up
  private @Nullable RepriseException mismatch; // the first; code that catches it gets no further
  private int departure; // the event at which that was; 0 if nowhere
  private final Set<Fiber> fibers = new LinkedHashSet<>(2);
  private final Map<String, Wait> waits = new LinkedHashMap<>(4); // those that an event can end
  private final Set<Wait> toLaunch = new LinkedHashSet<>(2); // steps that have not begun
  private final Set<Wait> toArm = new LinkedHashSet<>(2); // waits whose time is not watched yet
  private final List<Wait> toGiveUp = new ArrayList<>(0); // steps of branches that were given up
  private final SignalBox signals = new SignalBox();
  private final List<Wait> conditions = new ArrayList<>(0);
  private long received; // bytes of values that the code was given and may hold
  private long progress; // counts what may have made a condition true
  private volatile boolean leaving; // read by every thread of the run, as is the next
  private volatile boolean dead;

  Stage(
      Machine machine,
      RunRow row,
      Baton baton,
      Consumer<Payload> main,
      Consumer<Recorded> recorder,
      Supplier<Instant> clock) {
    this.machine = machine;
    this.row = row;
    this.baton = baton;
    this.main = main;
    this.recorder = recorder;
    this.clock = clock;
  }

  // ---- the history ------------------------------------------------------------------------------

  void follow(List<EventRow> events) {
    history = new HistoryCursor(events);
  }

  RunState state() {
    return state;
  }

  boolean isReplaying() {
    return history != null;
  }

  /** All fibers wait: makes one ready, by a condition that may hold now or by the next event. */
  boolean nextEvent() {
    if (mismatch != null) throw mismatch;
    if (askConditions()) return true;
    if (history == null) return false;
    deliver(take(history));
    return true;
  }

  private Recorded take(HistoryCursor cursor) {
    var recorded = cursor.take();
    if (!cursor.hasNext()) history = null;
    state = state.apply(recorded);
    return recorded;
  }

  /** Records a command; while replaying, the history must have it next. */
  void record(Command command, String what, @Nullable String site) {
    var cursor = history;
    if (cursor == null) {
      var now = clock.get();
      append(Decider.decide(command, now), site, now);
      return;
    }
    var recorded = Objects.requireNonNull(cursor.peek());
    var now = Decider.decide(command, recorded.at());
    if (!Mismatch.isSame(recorded.event(), now)) {
      throw mismatch(recorded, what + Mismatch.at(site), differenceIn(recorded.event(), now));
    }
    take(cursor);
  }

  /** The code has ended: inputs that came while its end was on its way to the disk are next. */
  void passInputs() {
    while (history != null && history.peek() instanceof Recorded next && isInput(next.event())) {
      take(history);
    }
  }

  private static boolean isInput(Event event) {
    return event instanceof SignalReceived || event instanceof Event.WorkflowCancelRequested;
  }

  /** Whether the code goes the new way at this change. */
  boolean hasPatch(String change) {
    var next = history == null ? null : history.peek();
    return next == null || next.event().equals(new Event.PatchMarked(change));
  }

  /** Appends an event that was decided at that time. */
  Recorded append(Event event, @Nullable String site, Instant now) {
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
    progress++;
    var payload = recorded.event().payload();
    if (payload != null) received += payload.size();
    switch (recorded.event()) {
      case Event.WorkflowStarted started -> main.accept(started.input());
      case Event.ActivityCompleted e -> stepEnded(recorded, e.call());
      case Event.ActivityFailed e -> stepEnded(recorded, e.call());
      case Event.ActivityRetryScheduled e -> {
        var wait = step(recorded, e.call());
        toLaunch.remove(wait);
        wait.due = e.due();
        wait.failure = e.failure();
        toArm.add(wait);
      }
      case Event.TimerFired e -> finish(expected(recorded, e.id(), Kind.SLEEP));
      case Event.WaitTimedOut e -> {
        var wait = waits.get(e.id());
        if (wait == null || !e.due().equals(wait.due)) throw unexpected(recorded);
        wait.timedOut = true;
        finish(wait);
      }
      case SignalReceived signal -> {
        var wait = signals.offer(signal);
        if (wait != null) {
          wait.outcome = signal;
          finish(wait);
        }
      }
      case Event.WorkflowCancelRequested _ -> {
        for (var fiber : List.copyOf(fibers)) cancel(fiber);
      }
      case Event.TimerScheduled _,
          Event.TimerCancelled _,
          Event.PatchMarked _,
          Event.WorkflowCompleted _,
          Event.WorkflowFailed _,
          Event.WorkflowCancelled _ ->
          throw unexpected(recorded); // the code should have asked for it before it waited
    }
  }

  private void stepEnded(Recorded recorded, Call call) {
    var wait = step(recorded, call);
    wait.outcome = recorded.event();
    finish(wait);
  }

  private Wait step(Recorded recorded, Call call) {
    var wait = expected(recorded, call.id(), Kind.STEP);
    if (!call.equals(Objects.requireNonNull(wait.step).call())) throw unexpected(recorded);
    return wait;
  }

  private Wait expected(Recorded recorded, String id, Kind kind) {
    var wait = waits.get(id);
    if (wait == null || wait.kind != kind) throw unexpected(recorded);
    return wait;
  }

  private RepriseException unexpected(Recorded recorded) {
    var texts = describeWaits();
    int more = texts.size() - SHOWN_WAITS;
    var shown = String.join("; ", more > 0 ? texts.subList(0, SHOWN_WAITS) : texts);
    var code = texts.isEmpty() ? "has ended" : shown + (more > 0 ? "; and " + more + " more" : "");
    return mismatch(recorded, code, differenceIn(recorded.event()));
  }

  private RepriseException mismatch(Recorded recorded, String code, @Nullable String difference) {
    if (mismatch == null) {
      mismatch = Mismatch.of(row, recorded, code, difference);
      departure = recorded.index();
    }
    return mismatch;
  }

  /** How many events the code has followed. */
  int followed() {
    return departure == 0 ? state.size() : departure - 1;
  }

  private @Nullable String differenceIn(Event recorded, Event now) {
    var results = Mismatch.ofResults(recorded, now);
    return results != null ? results : differenceIn(recorded);
  }

  /** Says what differs where kind, name and id are the same. */
  private @Nullable String differenceIn(Event event) {
    var wait = waits.get(event.subject());
    if (wait == null) return null;
    if (wait.step != null) return "the arguments (or the name) of the call are not the same";
    return wait.due != null ? "the times are not the same" : null;
  }

  // ---- fibers -----------------------------------------------------------------------------------

  /** The fiber of the calling thread, which must be one that may use the context now. */
  Fiber enter() {
    var fiber = Fiber.current();
    if (fiber == null || fiber.stage() != this) throw foreign("from a thread that is not its own");
    if (dead) throw sentinel(fiber);
    if (fiber.isOutside()) throw foreign("from inside an activity");
    if (mismatch != null) throw mismatch;
    if (fiber.isCancelled()) throw givenUp();
    return fiber;
  }

  /** Code that catches the sentinel and calls again and again is left standing where it is. */
  private Unwind sentinel(Fiber fiber) {
    if (fiber.countRefusal() <= MAX_REFUSALS) return Unwind.INSTANCE;
    if (!fiber.isOutside()) {
      fibers.remove(fiber);
      baton.end();
    }
    for (; ; ) LockSupport.park(this); // a loop without end would take a processor for ever
  }

  private RepriseException foreign(String where) {
    return new RepriseException(
        ErrorCode.R111,
        "the context of workflow '%s' was used %s: use it in workflow code only, and ctx.async for"
                .formatted(row.workflowId(), where)
            + " concurrency");
  }

  /** What a fiber meets that is not wanted any more. */
  RuntimeException givenUp() {
    var reason = state.cancelled();
    return reason == null
        ? new BranchCancelled("this branch was given up, its time was over")
        : new WorkflowCancelled(row.workflowId(), reason);
  }

  /** Makes a fiber and puts it at the end of the line. */
  Fiber spawn(@Nullable Fiber parent, dev.reprise.Context context, Consumer<Fiber> body) {
    var fiber =
        new Fiber(machine, this, row.workflowId(), parent, context, self -> play(self, body));
    fibers.add(fiber);
    baton.ready(fiber);
    progress++;
    return fiber;
  }

  private void play(Fiber fiber, Consumer<Fiber> body) {
    try {
      progress++; // what it does before it waits may make a condition true
      if (!dead) body.accept(fiber);
    } finally {
      fibers.remove(fiber);
      fiber.bequeath();
      progress++;
      baton.end();
    }
  }

  /** Passes the baton on until the wait is over. The fiber has the baton again then. */
  void await(Fiber fiber, Wait wait, Attempts attempts) {
    fiber.waitFor(wait);
    boolean turn = baton.yield(fiber);
    while (!turn) turn = baton.postAndAwait(fiber, attempts.make(wait));
    fiber.waitFor(null);
    if (dead) throw Unwind.INSTANCE;
    if (wait.kind != Kind.CONDITION) progress++;
    if (wait.cancelled) throw givenUp();
  }

  /** Makes an attempt of a step, outside of the baton; the message tells what came of it. */
  interface Attempts {
    Baton.Message make(Wait wait);
  }

  // ---- waits ------------------------------------------------------------------------------------

  /** A wait that an event can end. */
  void register(Wait wait) {
    waits.put(Objects.requireNonNull(wait.id), wait);
    if (wait.kind == Kind.STEP) toLaunch.add(wait);
    if (wait.due != null) toArm.add(wait);
  }

  /** Ends a wait: its fiber is next in line. */
  void finish(Wait wait) {
    if (wait.done) return;
    forget(wait);
    baton.ready(wait.fiber);
  }

  /** Takes a wait out of all lists. */
  void forget(Wait wait) {
    wait.done = true;
    if (wait.id != null) waits.remove(wait.id);
    if (wait.timer != null) wait.timer.cancel();
    switch (wait.kind) {
      case STEP -> toLaunch.remove(wait);
      case SIGNAL -> signals.giveUp(wait);
      case CONDITION -> conditions.remove(wait);
      case SLEEP, PROMISE -> {}
    }
  }

  SignalBox signals() {
    return signals;
  }

  /** A wait for a condition that was false just now. */
  void addCondition(Wait wait) {
    wait.seen = progress;
    if (!conditions.contains(wait)) conditions.add(wait);
  }

  void progressed() {
    progress++;
  }

  /** Lets the fibers ask their conditions again, if anything has happened since. */
  private boolean askConditions() {
    boolean any = false;
    for (var wait : conditions) {
      if (wait.seen == progress) continue;
      wait.seen = progress;
      baton.ready(wait.fiber);
      any = true;
    }
    return any;
  }

  /** Gives up a branch and all that it started. A step that it waits for is left to end. */
  void cancel(Fiber fiber) {
    if (!fibers.contains(fiber) || fiber.isCancelled()) return;
    fiber.markCancelled();
    for (var child : List.copyOf(fiber.children())) cancel(child);
    var wait = fiber.waitingFor();
    if (wait == null || wait.done) return;
    if (wait.kind == Kind.STEP) {
      // An attempt that was due by now runs, or did before a crash: the history cannot tell.
      if (wait.due != null && wait.due.isAfter(state.now())) toGiveUp.add(wait);
      return;
    }
    if (wait.kind == Kind.SLEEP) {
      var id = Objects.requireNonNull(wait.id);
      record(new Command.CancelTimer(id), "gives up the sleep " + id, wait.site);
    }
    wait.cancelled = true;
    finish(wait);
  }

  Set<Wait> toLaunch() {
    return toLaunch;
  }

  Set<Wait> toArm() {
    return toArm;
  }

  List<Wait> toGiveUp() {
    return toGiveUp;
  }

  /** When the first of the waits is due, or null if none ever is. */
  @Nullable Instant earliestDue() {
    Instant earliest = null;
    for (var wait : waits.values()) {
      if (wait.due != null && (earliest == null || wait.due.isBefore(earliest))) {
        earliest = wait.due;
      }
    }
    return earliest;
  }

  /** About how many bytes of memory all this takes. */
  long weight() {
    return RUN_BYTES + (long) FIBER_BYTES * fibers.size() + received;
  }

  /** What the fibers wait for, for people. */
  List<String> describeWaits() {
    var texts = new ArrayList<String>();
    for (var fiber : fibers) {
      var wait = fiber.waitingFor();
      if (wait != null) texts.add(wait.describe());
    }
    return texts;
  }

  // ---- the end ----------------------------------------------------------------------------------

  boolean isDead() {
    return dead;
  }

  /** Its last transition is on its way: activities that have not begun by now never do. */
  void leave() {
    leaving = true;
  }

  /** Whether an activity may begin: not once another node may have the run. */
  boolean mayAct() {
    return !leaving && !dead;
  }

  /** Ends all fibers, one after the other; those outside when they come back. */
  void die() {
    dead = true;
    for (var wait : waits.values()) if (wait.timer != null) wait.timer.cancel();
    waits.clear();
    toLaunch.clear();
    toArm.clear();
    toGiveUp.clear();
    conditions.clear();
    for (var fiber : fibers) if (fiber.isUnwindable()) baton.ready(fiber);
  }

  /** A fiber that was outside when the run died has come back. */
  void unwind(Fiber fiber) {
    baton.ready(fiber);
  }
}

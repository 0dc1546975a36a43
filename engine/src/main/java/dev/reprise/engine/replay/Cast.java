package dev.reprise.engine.replay;

import static java.util.Collections.emptySet;

import dev.reprise.BranchCancelled;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Waiting;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowTimedOut;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.replay.Wait.Kind;
import dev.reprise.engine.store.RunRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The fibers of a run: who may use the context, who is given up, and how all end. Belongs to
 * whoever holds the baton, except where said otherwise.
 */
final class Cast {
  private static final int MAX_REFUSALS = 1_000; // of one thread of a dead run; then it loops
  private static final ScopedValue<Boolean> LOOKING = ScopedValue.newInstance();

  private final Machine machine;
  private final RunRow row;
  private final Stage stage;
  private final Baton baton;
  private Set<Fiber> branches = emptySet(); // all fibers but the main one
  private final CancelScope root = CancelScope.root();
  private @Nullable Fiber main;
  private boolean mainPlays; // from its beginning to its end
  private boolean over; // the code has said how it ends
  private volatile boolean leaving; // read by every thread of the run, as is the next
  private volatile boolean dead;

  Cast(Machine machine, RunRow row, Stage stage, Baton baton) {
    this.machine = machine;
    this.row = row;
    this.stage = stage;
    this.baton = baton;
  }

  // ---- who may come in --------------------------------------------------------------------------

  /** The fiber of the calling thread, which must be one that may use the context now. */
  Fiber enter() {
    var fiber = enterAnyway();
    if (fiber.isCancelled()) throw givenUp(fiber);
    return fiber;
  }

  /** The same, whether it was given up or not. */
  Fiber enterAnyway() {
    if (LOOKING.isBound()) throw looking();
    var fiber = Fiber.current();
    if (fiber == null || fiber.stage() != stage) throw foreign("from a thread that is not its own");
    if (dead) throw sentinel(fiber);
    if (fiber.isOutside()) throw foreign("from inside an activity");
    stage.checkPath();
    if (over) throw Unwind.INSTANCE;
    return fiber;
  }

  /** Code that catches the sentinel and calls again and again is left standing where it is. */
  private Unwind sentinel(Fiber fiber) {
    if (fiber.countRefusal() <= MAX_REFUSALS) return Unwind.INSTANCE;
    if (!fiber.isOutside()) {
      remove(fiber);
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

  private RepriseException looking() {
    return new RepriseException(
        ErrorCode.R128,
        "a query handler or validator of workflow '%s' used the context: it may only look at the"
                .formatted(row.workflowId())
            + " workflow's own variables; use an update to change something");
  }

  /** Runs code that may look at the workflow's variables and do nothing else. */
  static <T extends @Nullable Object> T look(ScopedValue.CallableOp<T, Exception> code)
      throws Exception {
    return ScopedValue.where(LOOKING, true).call(code);
  }

  /** What a fiber meets that is not wanted any more. */
  RuntimeException givenUp(Fiber fiber) {
    var why = stage.state().cancelled();
    if (why == null || !fiber.scope().isIn(root)) {
      return new BranchCancelled("this branch was given up, " + fiber.scope().why());
    }
    return why.isTimeout()
        ? new WorkflowTimedOut(row.workflowId(), why.reason())
        : new WorkflowCancelled(row.workflowId(), why.reason());
  }

  // ---- fibers -----------------------------------------------------------------------------------

  /** Makes the first fiber. */
  void begin(Context context, Consumer<Fiber> body) {
    var fiber = fiber(null, root.inner(), context, body);
    main = fiber;
    mainPlays = true;
    join(fiber);
  }

  /** Makes a fiber and puts it at the end of the line. */
  Fiber spawn(Fiber parent, CancelScope own, Context context, Consumer<Fiber> body) {
    var fiber = fiber(parent, own, context, body);
    branches = Sparse.add(branches, fiber);
    join(fiber);
    return fiber;
  }

  private Fiber fiber(
      @Nullable Fiber parent, CancelScope own, Context context, Consumer<Fiber> body) {
    return new Fiber(
        machine, stage, row.workflowId(), parent, own, context, self -> play(self, body));
  }

  private void join(Fiber fiber) {
    baton.ready(fiber);
    stage.waits().progressed();
  }

  private void remove(Fiber fiber) {
    if (fiber == main) mainPlays = false;
    else branches.remove(fiber);
  }

  /** Those that have not ended, in the order of their beginning. */
  private List<Fiber> fibers() {
    var fibers = new ArrayList<Fiber>(size());
    if (mainPlays) fibers.add(main());
    fibers.addAll(branches);
    return fibers;
  }

  private void play(Fiber fiber, Consumer<Fiber> body) {
    try {
      stage.waits().progressed(); // what it does before it waits may make a condition true
      if (!dead) body.accept(fiber);
    } finally {
      remove(fiber);
      fiber.bequeath();
      stage.waits().progressed();
      baton.end();
    }
  }

  /** Passes the baton on until the wait is over. The fiber has the baton again then. */
  void await(Fiber fiber, Wait wait, Stage.Attempts attempts) {
    fiber.waitFor(wait);
    boolean turn = baton.yield(fiber);
    while (!turn) turn = baton.postAndAwait(fiber, attempts.make(wait));
    fiber.waitFor(null);
    if (dead) throw Unwind.INSTANCE;
    if (wait.kind != Kind.CONDITION) stage.waits().progressed();
    if (wait.cancelled) throw givenUp(fiber);
  }

  /** That of the workflow's method. */
  Fiber main() {
    return Objects.requireNonNull(main);
  }

  /** Whether nobody but this fiber is there. */
  boolean isAlone(Fiber fiber) {
    return fiber == main && size() == 1;
  }

  int size() {
    return branches.size() + (mainPlays ? 1 : 0);
  }

  // ---- giving up --------------------------------------------------------------------------------

  /** Gives up the whole workflow. */
  void cancelAll() {
    root.cancel("the workflow should end");
    if (main != null) giveUp(main);
    else stage.activitiesGivenUp();
  }

  /** Gives up a branch and all that it started, since its time is over. */
  void timeOut(Fiber fiber) {
    fiber.own().cancel("its time was over");
    giveUp(fiber);
  }

  /**
   * Ends the waits of this fiber and of those that it started, as far as they are given up. A step
   * that runs is left to end, and told.
   */
  void giveUp(Fiber fiber) {
    endWaits(fiber);
    stage.activitiesGivenUp();
  }

  private void endWaits(Fiber fiber) {
    for (var child : List.copyOf(fiber.children())) endWaits(child);
    var wait = fiber.waitingFor();
    if (!fiber.isCancelled() || wait == null || wait.done) return;
    if (wait.kind == Kind.STEP) {
      if (wait.running != null) wait.running.cancel();
      // An attempt that was due by now runs, or did before a crash: the history cannot tell.
      if (wait.due != null && wait.due.isAfter(stage.state().now())) stage.waits().giveUp(wait);
      return;
    }
    if (wait.kind == Kind.SLEEP) {
      var id = Objects.requireNonNull(wait.id);
      stage.record(new Command.CancelTimer(id), "gives up the sleep " + id, wait.site());
    }
    wait.cancelled = true;
    stage.waits().finish(wait);
  }

  // ---- the end ----------------------------------------------------------------------------------

  /** The code has said how it ends: nothing that it does from here on counts. */
  void over() {
    over = true;
  }

  boolean isDead() {
    return dead;
  }

  /** Its last transition is on its way: activities that have not begun by now never do. */
  void leave() {
    leaving = true;
  }

  /** Whether an activity may begin: not once another node may have the run. Any thread may ask. */
  boolean mayAct() {
    return !leaving && !dead;
  }

  /** Ends all fibers, one after the other; those outside when they come back. */
  void die() {
    dead = true;
    stage.waits().clear();
    for (var fiber : fibers()) {
      var wait = fiber.waitingFor();
      if (wait != null && wait.running != null) wait.running.cancel();
      if (fiber.isUnwindable()) baton.ready(fiber);
    }
  }

  /** A fiber that was outside when the run died has come back. */
  void unwind(Fiber fiber) {
    baton.ready(fiber);
  }

  // ---- for people -------------------------------------------------------------------------------

  /** What the fibers wait for, in words. */
  List<String> describeWaits() {
    var texts = new ArrayList<String>();
    for (var fiber : fibers()) {
      var wait = fiber.waitingFor();
      if (wait != null) texts.add(wait.describe());
    }
    return texts;
  }

  /** The attempts that run at this moment. */
  List<RunningAttempt> attempts() {
    var attempts = new ArrayList<RunningAttempt>();
    for (var fiber : fibers()) {
      var wait = fiber.waitingFor();
      var attempt = wait == null ? null : wait.attempt();
      if (attempt != null) attempts.add(attempt);
    }
    return attempts;
  }

  /** What the fibers wait for. */
  List<Waiting> waiting() {
    var waiting = new ArrayList<Waiting>();
    for (var fiber : fibers()) {
      var wait = fiber.waitingFor();
      if (wait != null) waiting.add(wait.toWaiting(stage.state()));
    }
    return waiting;
  }
}

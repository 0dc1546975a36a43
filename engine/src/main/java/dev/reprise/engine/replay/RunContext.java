package dev.reprise.engine.replay;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.Promise;
import dev.reprise.ReceivedSignal;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Steps;
import dev.reprise.TimedOut;
import dev.reprise.TypeRef;
import dev.reprise.WorkflowCancelled;
import dev.reprise.engine.bind.CallSite;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.event.Event.SignalReceived;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.replay.Wait.Kind;
import dev.reprise.engine.store.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The context of one run: turns what workflow code asks for into commands and waits. */
final class RunContext implements Context {
  private final LiveRun run;
  private final RunRow row;
  private final RunSettings settings;
  private final Ids ids = new Ids();
  private final RunSteps steps;
  private final RunRandom random;
  private final Map<String, Boolean> patches = new HashMap<>(0);
  private System.@Nullable Logger logger;

  RunContext(LiveRun run, RunRow row, RunSettings settings) {
    this.run = run;
    this.row = row;
    this.settings = settings;
    this.steps = new RunSteps(run, settings, ids, ActivityOptions.defaults());
    this.random = new RunRandom(this, row.runId());
  }

  Fiber enter() {
    return run.stage().enter();
  }

  // ---- the code itself --------------------------------------------------------------------------

  /** Begins the workflow's method on a fiber of its own. */
  void begin(WorkflowDefinition definition, Payload input) {
    run.stage().spawn(null, this, _ -> main(definition, input));
  }

  /**
   * An exception is an outcome of the workflow. A mistake in the use of the engine is not, nor is
   * an {@link Error}: they block the run, which goes on when the code or the machine is mended.
   */
  private void main(WorkflowDefinition definition, Payload input) {
    try {
      var values = settings.values();
      var given = values.decode(input, definition.input(), "the input");
      var result = definition.workflow().run(this, given);
      var payload = values.encode(result, definition.output(), "the result of the workflow");
      run.ended(new Command.Complete(payload), "returns");
    } catch (Unwind _) {
      // the run has left memory
    } catch (RepriseException | Error mistake) {
      run.block(mistake);
    } catch (Exception failure) {
      end(failure);
    }
  }

  private void end(Exception failure) {
    try {
      var wanted = run.stage().state().cancelled();
      if (failure instanceof WorkflowCancelled && wanted != null) {
        run.ended(new Command.Cancel(wanted), "ends as it was asked to");
        return;
      }
      var recorded = Failures.of(failure);
      run.ended(new Command.Fail(recorded), "fails with " + recorded);
    } catch (RepriseException mismatch) {
      run.block(mismatch);
    }
  }

  @Override
  public String workflowId() {
    return row.workflowId();
  }

  @Override
  public UUID runId() {
    return row.runId();
  }

  // ---- activities -------------------------------------------------------------------------------

  @Override
  public Steps with(ActivityOptions options) {
    return new RunSteps(run, settings, ids, options);
  }

  @Override
  public <T> T activities(Class<T> type, ActivityOptions options) {
    enter();
    var target = settings.activities().implementing(type);
    return ActivityProxy.of(type, target, new RunSteps(run, settings, ids, options));
  }

  @Override
  public <R extends @Nullable Object> R run(Step0<R> step) {
    return steps.run(step);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R run(Step1<A, R> step, A a) {
    return steps.run(step, a);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object> R run(
      Step2<A, B, R> step, A a, B b) {
    return steps.run(step, a, b);
  }

  @Override
  public <
          A extends @Nullable Object,
          B extends @Nullable Object,
          C extends @Nullable Object,
          R extends @Nullable Object>
      R run(Step3<A, B, C, R> step, A a, B b, C c) {
    return steps.run(step, a, b, c);
  }

  @Override
  public void run(VoidStep0 step) {
    steps.run(step);
  }

  @Override
  public <A extends @Nullable Object> void run(VoidStep1<A> step, A a) {
    steps.run(step, a);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object> void run(
      VoidStep2<A, B> step, A a, B b) {
    steps.run(step, a, b);
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
      void run(VoidStep3<A, B, C> step, A a, B b, C c) {
    steps.run(step, a, b, c);
  }

  @Override
  public <R extends @Nullable Object> R run(
      String label, Class<R> type, Callable<? extends R> step) {
    return steps.run(label, type, step);
  }

  @Override
  public <R extends @Nullable Object> R run(
      String label, TypeRef<R> type, Callable<? extends R> step) {
    return steps.run(label, type, step);
  }

  @Override
  public void run(String label, Action step) {
    steps.run(label, step);
  }

  // ---- branches ---------------------------------------------------------------------------------

  @Override
  public <T extends @Nullable Object> Promise<T> async(Branch<? extends T> branch) {
    return spawn(enter(), branch);
  }

  private <T extends @Nullable Object> BranchPromise<T> spawn(
      Fiber parent, Branch<? extends T> branch) {
    var promise = new BranchPromise<T>(this);
    promise.playedBy(run.stage().spawn(parent, this, fiber -> play(fiber, branch, promise)));
    return promise;
  }

  private static <T extends @Nullable Object> void play(
      Fiber fiber, Branch<? extends T> branch, BranchPromise<T> promise) {
    try {
      if (fiber.isCancelled()) throw fiber.stage().givenUp();
      promise.complete(branch.run());
    } catch (Unwind _) {
      // the run has left memory
    } catch (Throwable failure) {
      promise.fail(failure);
    }
  }

  @Override
  public <T extends @Nullable Object> List<T> all(List<? extends Promise<? extends T>> promises) {
    var mine = mine(promises);
    var join = join(Join.Until.ALL, mine, "all of %d branches".formatted(mine.size()));
    var failed = join.decisive();
    if (failed != null) failed.outcome();
    var results = new ArrayList<T>(mine.size());
    for (var promise : mine) results.add(promise.outcome());
    return results;
  }

  @Override
  public <T extends @Nullable Object> T any(List<? extends Promise<? extends T>> promises) {
    return first(Join.Until.ANY, promises, "any of %d branches");
  }

  @Override
  public <T extends @Nullable Object> T race(List<? extends Promise<? extends T>> promises) {
    return first(Join.Until.FIRST, promises, "the first of %d branches");
  }

  @SuppressWarnings("unchecked") // the decisive promise is one of those given
  private <T extends @Nullable Object> T first(
      Join.Until until, List<? extends Promise<? extends T>> promises, String what) {
    if (promises.isEmpty()) throw new IllegalArgumentException("no promise to wait for");
    var mine = mine(promises);
    var join = join(until, mine, what.formatted(mine.size()));
    return (T) Objects.requireNonNull(join.decisive()).outcome();
  }

  private Join join(Join.Until until, List<? extends BranchPromise<?>> promises, String what) {
    var fiber = enter();
    var join = new Join(until, promises);
    if (join.isOver()) return join;
    var wait = new Wait(Kind.PROMISE, fiber, null, what, CallSite.find());
    join.whenOver(() -> run.stage().finish(wait));
    try {
      run.await(fiber, wait);
    } finally {
      join.giveUp();
    }
    return join;
  }

  @SuppressWarnings("unchecked") // every promise was made by a context
  private static <T extends @Nullable Object> List<BranchPromise<? extends T>> mine(
      List<? extends Promise<? extends T>> promises) {
    var mine = new ArrayList<BranchPromise<? extends T>>(promises.size());
    for (var promise : promises) {
      var branch = (BranchPromise<? extends T>) promise;
      branch.checkUser();
      mine.add(branch);
    }
    return mine;
  }

  @Override
  public <T extends @Nullable Object> T withTimeout(Duration limit, Branch<? extends T> branch) {
    var fiber = enter();
    var promise = this.<T>spawn(fiber, branch);
    var join = new Join(Join.Until.FIRST, List.of(promise));
    var wait = limited(Kind.PROMISE, fiber, "timeout", limit, "a branch");
    join.whenOver(() -> run.stage().finish(wait));
    run.stage().register(wait);
    try {
      run.await(fiber, wait);
    } finally {
      join.giveUp();
    }
    if (!wait.timedOut) return promise.outcome();
    run.stage().cancel(Objects.requireNonNull(promise.fiber()));
    throw new TimedOut("the branch did not end within " + limit);
  }

  private Wait limited(Kind kind, Fiber fiber, String name, Duration limit, String what) {
    var wait = new Wait(kind, fiber, ids.next(name), what, CallSite.find());
    wait.due = Decider.after(run.stage().state().now(), limit);
    return wait;
  }

  // ---- waiting ----------------------------------------------------------------------------------

  @Override
  public void await(BooleanSupplier condition) {
    var fiber = enter();
    if (condition.getAsBoolean()) return;
    awaitCondition(
        new Wait(Kind.CONDITION, fiber, null, "a condition", CallSite.find()), condition);
  }

  @Override
  public boolean await(Duration limit, BooleanSupplier condition) {
    var fiber = enter();
    var wait = limited(Kind.CONDITION, fiber, "await", limit, "a condition");
    if (condition.getAsBoolean()) return true;
    run.stage().register(wait);
    return awaitCondition(wait, condition);
  }

  private boolean awaitCondition(Wait wait, BooleanSupplier condition) {
    try {
      boolean holds = false;
      while (!holds && !wait.timedOut) {
        run.stage().addCondition(wait);
        run.await(wait.fiber, wait);
        holds = condition.getAsBoolean();
      }
      return holds;
    } finally {
      run.stage().forget(wait); // also if the condition throws
      run.stage().progressed();
    }
  }

  @Override
  public void sleep(Duration duration) {
    var fiber = enter();
    if (!duration.isPositive()) return;
    var id = ids.next("sleep");
    sleep(fiber, id, new Command.Sleep(id, duration), "sleeps for " + duration);
  }

  @Override
  public void sleepUntil(Instant instant) {
    var fiber = enter();
    if (!instant.isAfter(run.stage().state().now())) return;
    var id = ids.next("sleep");
    sleep(fiber, id, new Command.SleepUntil(id, instant), "sleeps until " + instant);
  }

  private void sleep(Fiber fiber, String id, Command command, String what) {
    var site = CallSite.find();
    run.stage().record(command, what, site);
    var wait = new Wait(Kind.SLEEP, fiber, id, "a sleep", site);
    wait.due = run.stage().state().timers().get(id);
    run.stage().register(wait);
    run.await(fiber, wait);
  }

  // ---- signals ----------------------------------------------------------------------------------

  @Override
  public <T extends @Nullable Object> T receive(Signal<T> signal) {
    return Objects.requireNonNull(next(signal.name(), null)).value(signal);
  }

  @Override
  public <T> Optional<T> receive(Signal<T> signal, Duration limit) {
    var received = next(signal.name(), limit);
    return received == null
        ? Optional.empty()
        : Optional.of(Objects.requireNonNull(received.value(signal), "the signal is null"));
  }

  @Override
  public ReceivedSignal receiveAny() {
    return Objects.requireNonNull(next(null, null));
  }

  @Override
  public Optional<ReceivedSignal> receiveAny(Duration limit) {
    return Optional.ofNullable(next(null, limit));
  }

  /** The next signal of that name, or of any; null when the time is over. */
  private @Nullable Received next(@Nullable String name, @Nullable Duration limit) {
    var fiber = enter();
    var counter = name == null ? "receive" : "receive " + name;
    var what = name == null ? "any signal" : "signal '" + name + "'";
    var wait =
        limit == null
            ? new Wait(Kind.SIGNAL, fiber, ids.next(counter), what, CallSite.find())
            : limited(Kind.SIGNAL, fiber, counter, limit, what);
    var waiting = run.stage().signals().take(name);
    if (waiting != null) return new Received(waiting, settings.values());
    run.stage().signals().receive(name, wait);
    run.stage().register(wait);
    run.await(fiber, wait);
    return wait.outcome instanceof SignalReceived signal
        ? new Received(signal, settings.values())
        : null;
  }

  // ---- values -----------------------------------------------------------------------------------

  @Override
  public Instant now() {
    enter();
    return run.stage().state().now();
  }

  @Override
  public RandomGenerator random() {
    enter();
    return random;
  }

  @Override
  public UUID uuid() {
    enter();
    return random.uuid();
  }

  @Override
  public System.Logger logger() {
    enter();
    if (logger == null) logger = new RunLogger(System.getLogger(row.workflow()), run.stage());
    return logger;
  }

  @Override
  public boolean replaying() {
    enter();
    return run.stage().isReplaying();
  }

  @Override
  public boolean patched(String change) {
    enter();
    if (change.isBlank()) throw new IllegalArgumentException("the name of a change is blank");
    var known = patches.get(change);
    if (known != null) return known;
    boolean here = run.stage().hasPatch(change);
    if (here) {
      run.stage()
          .record(new Command.MarkPatch(change), "asks for change " + change, CallSite.find());
    }
    patches.put(change, here);
    return here;
  }
}

package dev.reprise.engine.replay;

import static java.util.Collections.emptySet;

import dev.reprise.ActivityOptions;
import dev.reprise.Attributes;
import dev.reprise.Child;
import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.JoinPolicy;
import dev.reprise.Key;
import dev.reprise.Promise;
import dev.reprise.Query;
import dev.reprise.ReceivedSignal;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Steps;
import dev.reprise.Texts;
import dev.reprise.TypeRef;
import dev.reprise.Update;
import dev.reprise.Workflow;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.bind.CallSite;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.store.RunRow;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The context of one run: turns what workflow code asks for into commands and waits. */
final class RunContext extends ForwardingSteps implements Context {
  /** Events; replaying more takes a while. */
  static final int LONG_HISTORY = 10_000;

  private final LiveRun run;
  private final RunRow row;
  private final RunSettings settings;
  private final Ids ids = new Ids();
  private final RunSteps steps;
  private final RunRandom random;
  private final Branches branches;
  private final QueuedCalls queued;
  private final Pauses pauses;
  private final Children children;
  private final Handlers handlers;
  private final Loop loop;
  private Set<String> unpatched = emptySet(); // changes that the code has passed
  private @Nullable WorkflowDefinition definition;
  private @Nullable Payload next; // what the workflow goes on with
  private System.@Nullable Logger logger;

  RunContext(LiveRun run, RunRow row, RunSettings settings) {
    this.run = run;
    this.row = row;
    this.settings = settings;
    this.branches = new Branches(run, this, ids);
    this.queued = new QueuedCalls(run, settings, ids, branches);
    this.steps = new RunSteps(run, settings, ids, queued, ActivityOptions.defaults());
    this.pauses = new Pauses(run, settings.values(), ids, branches);
    this.children = new Children(run, row, settings, ids, branches);
    this.handlers = new Handlers(run, settings.values(), this);
    this.loop = new Loop(run, settings.values(), ids);
    this.random = new RunRandom(run, row.runId());
  }

  Fiber enter() {
    return run.stage().cast().enter();
  }

  @Override
  Steps steps() {
    return steps;
  }

  Children children() {
    return children;
  }

  QueuedCalls queued() {
    return queued;
  }

  Handlers handlers() {
    return handlers;
  }

  // ---- the code itself --------------------------------------------------------------------------

  /** Begins the workflow's method on a fiber of its own. */
  void begin(WorkflowDefinition code, Payload input) {
    definition = code;
    run.stage().cast().begin(this, _ -> main(code, input));
  }

  private WorkflowDefinition definition() {
    return Objects.requireNonNull(definition);
  }

  /**
   * An exception is an outcome of the workflow. A mistake in the use of the engine is not, nor is
   * an {@link Error}: they block the run, which goes on when the code or the machine is mended.
   */
  private void main(WorkflowDefinition code, Payload input) {
    try {
      var given = given(input, code.input());
      var result = code.workflow().run(this, given);
      if (next != null) {
        run.continues(next);
        return;
      }
      var payload = settings.values().encode(result, code.output(), "the result of the workflow");
      run.ended(new Command.Complete(payload), "returns");
    } catch (Unwind _) {
      // the run has left memory
    } catch (RepriseException | Error mistake) {
      run.block(mistake);
    } catch (Exception failure) {
      end(failure);
    }
  }

  /** What people may have written is read with care the first time; children are given values. */
  private @Nullable Object given(Payload input, Type type) {
    var origin = run.stage().state().life().origin();
    boolean isOfPeople = origin.parent() == null && origin.lineage() == null;
    return isOfPeople && run.stage().isNew()
        ? settings.values().receive(input, type, "the input")
        : settings.values().decode(input, type, "the input");
  }

  private void end(Exception failure) {
    var mistake = Failures.mistake(failure);
    if (mistake != null) {
      run.block(mistake);
      return;
    }
    try {
      var how = Conclusion.of(failure, run.stage().state());
      run.ended(how, Conclusion.describe(how));
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
    return new RunSteps(run, settings, ids, queued, options);
  }

  @Override
  public <T> T activities(Class<T> type, ActivityOptions options) {
    enter();
    var calls = new RunSteps(run, settings, ids, queued, options);
    ActivityRegistry.checkInterface(type);
    boolean elsewhere = options.queue().isPresent();
    var target = elsewhere ? null : settings.activities().implementing(type);
    return ActivityProxy.of(type, target, calls);
  }

  // ---- branches ---------------------------------------------------------------------------------

  @Override
  public <T extends @Nullable Object> Promise<T> async(Branch<? extends T> branch) {
    return branches.async(branch);
  }

  @Override
  public <T extends @Nullable Object> List<T> all(List<? extends Promise<? extends T>> promises) {
    return branches.all(promises);
  }

  @Override
  public <T extends @Nullable Object> T any(List<? extends Promise<? extends T>> promises) {
    return branches.any(promises);
  }

  @Override
  public <T extends @Nullable Object> T race(List<? extends Promise<? extends T>> promises) {
    return branches.race(promises);
  }

  @Override
  public <T extends @Nullable Object> T withTimeout(Duration limit, Branch<? extends T> branch) {
    return branches.withTimeout(limit, branch);
  }

  @Override
  public <T extends @Nullable Object> T scope(JoinPolicy policy, ScopeBody<? extends T> body) {
    return branches.scope(policy, body);
  }

  @Override
  public <T extends @Nullable Object> T shielded(Branch<? extends T> code) {
    return branches.shielded(code);
  }

  @Override
  public void shielded(Action code) {
    branches.<@Nullable Object>shielded(
        () -> {
          code.run();
          return null;
        });
  }

  @Override
  public boolean cancelled() {
    run.stage().cast().enterAnyway();
    return run.stage().state().cancelled() != null;
  }

  // ---- children ---------------------------------------------------------------------------------

  @Override
  public <I extends @Nullable Object, O extends @Nullable Object> Child<O> start(
      Class<? extends Workflow<I, O>> workflow, I input, ChildOptions options) {
    return children.start(workflow, input, options);
  }

  @Override
  public <O extends @Nullable Object> Child<O> start(
      String workflow, @Nullable Object input, Class<O> result, ChildOptions options) {
    return children.start(workflow, input, result, options);
  }

  // ---- going on for ever ------------------------------------------------------------------------

  @Override
  public int historySize() {
    enter();
    return run.stage().state().size();
  }

  @Override
  public boolean shouldContinueAsNew() {
    enter();
    return run.stage().state().size() >= LONG_HISTORY;
  }

  @Override
  @SuppressWarnings("NullAway") // what the workflow's method returns then is not looked at
  public <O extends @Nullable Object> O continueAsNew(@Nullable Object input) {
    var fiber = enter();
    if (fiber != run.stage().cast().main()) {
      throw new IllegalStateException(
          "continueAsNew belongs into the workflow's method, not into a branch of it");
    }
    var type = definition().input();
    next = settings.values().encode(input, type, "the input of the new run");
    return null;
  }

  @Override
  public <S> S loop(S initial, Turn<S> turn) {
    return loop.play(initial.getClass(), initial, turn);
  }

  @Override
  public <S> S loop(TypeRef<S> type, S initial, Turn<S> turn) {
    return loop.play(type.type(), initial, turn);
  }

  // ---- telling ----------------------------------------------------------------------------------

  @Override
  public <T extends @Nullable Object> void publish(Key<T> key, T value) {
    enter();
    var payload = settings.values().encode(value, key.type(), "the value of " + key.name());
    record(new Command.Publish(key.name(), payload), "publishes " + key.name());
  }

  @Override
  public void attribute(String name, @Nullable Object value) {
    enter();
    var checked = StartOptions.defaults().attribute(name, value == null ? "" : value);
    var changed = value == null ? null : checked.attributes().get(name);
    if (changed != null && !run.stage().isReplaying()) checkNumber(name);
    record(new Command.SetAttribute(name, changed), "sets the attribute " + name);
  }

  /** What is recorded counts, also if a release before had no limit. */
  private void checkNumber(String name) {
    var attributes = run.stage().state().life().attributes();
    if (!attributes.contains(name)) Attributes.checkNumber(attributes.size() + 1, name);
  }

  private void record(Command command, String what) {
    run.stage().record(command, what, CallSite.find());
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> void onQuery(
      Query<A, R> query, Handler<? super A, ? extends R> handler) {
    enter();
    handlers.add(query, handler);
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> void onUpdate(
      Update<A, R> update,
      Validator<? super A> validator,
      Handler<? super A, ? extends R> handler) {
    enter();
    handlers.add(update, validator, handler);
  }

  // ---- waiting ----------------------------------------------------------------------------------

  @Override
  public void await(BooleanSupplier condition) {
    pauses.await(condition);
  }

  @Override
  public boolean await(Duration limit, BooleanSupplier condition) {
    return pauses.await(limit, condition);
  }

  @Override
  public void sleep(Duration duration) {
    pauses.sleep(duration);
  }

  @Override
  public void sleepUntil(Instant instant) {
    pauses.sleepUntil(instant);
  }

  @Override
  public <T extends @Nullable Object> T receive(Signal<T> signal) {
    return Objects.requireNonNull(pauses.next(signal, null)).value(signal);
  }

  @Override
  public <T> Optional<T> receive(Signal<T> signal, Duration limit) {
    if (!signal.hasValue()) throw bare(signal);
    var received = pauses.next(signal, limit);
    return received == null ? Optional.empty() : Optional.of(received.present(signal));
  }

  private static RepriseException bare(Signal<?> signal) {
    return new RepriseException(
        ErrorCode.R146,
        "the signal '%s' carries no value that an Optional could hold: call ctx.awaitSignal, which"
                .formatted(signal.name())
            + " says whether it came");
  }

  @Override
  public boolean awaitSignal(Signal<@Nullable Void> signal, Duration limit) {
    return pauses.next(signal, limit) != null;
  }

  @Override
  public ReceivedSignal receiveAny() {
    return Objects.requireNonNull(pauses.next(null, null));
  }

  @Override
  public Optional<ReceivedSignal> receiveAny(Duration limit) {
    return Optional.ofNullable(pauses.next(null, limit));
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
    if (logger == null) logger = new RunLogger(row, run.stage());
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
    Texts.checked(change, "name of a change", Integer.MAX_VALUE);
    if (run.stage().state().life().patches().contains(change)) return true;
    if (unpatched.contains(change)) return false;
    if (!run.stage().hasPatch(change)) {
      unpatched = Sparse.add(unpatched, change);
      return false;
    }
    record(new Command.MarkPatch(change), "asks for change " + change);
    return true;
  }
}

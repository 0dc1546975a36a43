package dev.reprise.testkit;

import dev.reprise.Client;
import dev.reprise.Completion;
import dev.reprise.ErrorCode;
import dev.reprise.Fork;
import dev.reprise.Handle;
import dev.reprise.HistoryEvent;
import dev.reprise.Key;
import dev.reprise.ListQuery;
import dev.reprise.NodeDescription;
import dev.reprise.Query;
import dev.reprise.QueueDescription;
import dev.reprise.QueueLimits;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.RunPage;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Steps.Action;
import dev.reprise.Steps.Step1;
import dev.reprise.TypeRef;
import dev.reprise.Update;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.Codec;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Transition;
import dev.reprise.testkit.Clockwork.Passed;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An engine for the test of workflows: the real one, on a store in memory and on a time that the
 * test moves.
 *
 * <pre>{@code
 * engine.workflow(new Checkout(shop));
 * var checkout = engine.start(Checkout.class, "order-7", order);
 * engine.after(Duration.ofHours(2), () -> checkout.signal(APPROVAL, "ops"));
 *
 * assertThat(checkout).completedWith(new Receipt("ops"));
 * }</pre>
 *
 * <p>First it is set up, then used; the first use starts it. The time begins at {@link #START} and
 * stands still until the test calls {@link #advance}, or waits for a result: then, whenever
 * everything waits, it jumps to what is due next. What a test reads of a run (its status, its
 * history), and what it sends to it, is read and sent when nothing moves, so that it is the same
 * each time. Safe for use by many threads.
 */
public final class TestEngine implements Client, AutoCloseable {
  /** When the time of each test begins: a Tuesday. */
  public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private static final int EVICTIONS = 100; // one is refused while something looks at the run

  private final MemoryStore store = new MemoryStore();
  private final VirtualTime time = new VirtualTime(START);
  private final Appointments appointments = new Appointments(time);
  private final Replacements replacements = new Replacements(store, appointments);
  private final List<Throwable> troubles = Collections.synchronizedList(new ArrayList<>());
  private final Effects effects = new Effects();
  private final Setup setup = new Setup();
  private final Lives lives = new Lives(store, time, replacements, setup::apply);
  private final Clockwork clock = new Clockwork(time, appointments, lives, troubles);
  private final AtomicInteger messages = new AtomicInteger();
  private boolean lenient;

  private TestEngine() {}

  /** A new engine with a store and a time of its own; close it after the test. */
  public static TestEngine create() {
    return new TestEngine();
  }

  // ---- set up -----------------------------------------------------------------------------------

  /** Registers a workflow under the name of its class. */
  public TestEngine workflow(Workflow<?, ?> workflow) {
    return with(WorkflowDefinition.of(workflow), reprise -> reprise.workflow(workflow));
  }

  /** Registers a workflow, for example a lambda, under a name and with types. */
  public <I, O> TestEngine workflow(
      String name, Class<I> input, Class<O> output, Workflow<I, O> workflow) {
    return workflow(name, (Type) input, (Type) output, workflow);
  }

  /** Registers a workflow, for example a lambda, under a name and with generic types. */
  public <I extends @Nullable Object, O extends @Nullable Object> TestEngine workflow(
      String name, TypeRef<I> input, TypeRef<O> output, Workflow<I, O> workflow) {
    return workflow(name, input.type(), output.type(), workflow);
  }

  /** Registers a workflow with types that are known only when the program runs. */
  public TestEngine workflow(String name, Type input, Type output, Workflow<?, ?> workflow) {
    return with(
        WorkflowDefinition.of(name, input, output, workflow),
        reprise -> reprise.workflow(name, input, output, workflow));
  }

  private TestEngine with(WorkflowDefinition definition, Consumer<Reprise> registration) {
    setup.add(registration);
    setup.add(definition);
    return this;
  }

  /**
   * Lets workflows be registered whose bytecode shows that they may not be the same on replay: from
   * here on nobody looks. For one place in the code {@code @Deterministic} is better.
   */
  public TestEngine unguarded() {
    setup.unguarded();
    return this;
  }

  /** Registers objects, fakes or mocks, that workflows call by {@code ctx.activities(…)}. */
  public TestEngine activities(Object... objects) {
    setup.add(reprise -> reprise.activities(objects));
    return this;
  }

  /** Registers a function by its label, to undo what workflows did. */
  public <A> TestEngine activity(
      String label, Class<A> argument, Reprise.ActivityFunction<A> function) {
    setup.add(reprise -> reprise.activity(label, argument, function));
    return this;
  }

  /** Changes another setting of the engine: {@code engine.set(e -> e.loopLimit(10))}. */
  public TestEngine set(Consumer<Reprise> setting) {
    setup.add(setting);
    return this;
  }

  /** How values become bytes; JSON by default. */
  public TestEngine codec(Codec codec) {
    setup.codec(codec);
    return this;
  }

  /**
   * Any other setting of the engine: {@code engine.configure(reprise -> reprise.retry(policy))}.
   */
  public TestEngine configure(Consumer<Reprise> settings) {
    setup.add(settings);
    return this;
  }

  /** Whether time jumps on while the test waits for a result and nothing moves; true. */
  public TestEngine autoSkip(boolean skip) {
    clock.autoSkip(skip);
    return this;
  }

  /** How long the test waits in real time for activities and workflow code to come back; 30 s. */
  public TestEngine patience(Duration limit) {
    clock.patience(limit);
    return this;
  }

  /** Does not fail the test when an activity was replaced that nobody called. */
  public TestEngine lenient() {
    lenient = true;
    return this;
  }

  // ---- activities -------------------------------------------------------------------------------

  /**
   * Does this in place of an activity from now on, whichever way workflows call it: by an
   * interface, by a method reference, or as a lambda under a label. What it returns goes through
   * the codec as a real result does. If nobody calls it the test fails: its name may be mistyped.
   *
   * @param activity its recorded name, such as {@code Payments.charge}, or the label
   */
  public TestEngine replace(String activity, Replacement replacement) {
    replacements.put(activity, replacement);
    return this;
  }

  /** The same for an activity with one argument. */
  public <A> TestEngine replace(
      String activity, Class<A> argument, Step1<A, ? extends @Nullable Object> replacement) {
    return replace(activity, call -> replacement.apply(call.argument(0, argument)));
  }

  /**
   * A fake that may be called by activities and by the test, and fails the test if workflow code
   * calls it: what workflow code does outside of an activity happens again after each crash. Give
   * it to workflows in place of the fake itself.
   *
   * @param type the interface by which workflows call it
   */
  public <T> T effects(Class<T> type, T fake) {
    return effects.of(type, fake);
  }

  // ---- time -------------------------------------------------------------------------------------

  /** The time of the test. */
  public Instant now() {
    return time.now();
  }

  /** Lets so much time pass, from one thing that is due to the next; returns when all is quiet. */
  public void advance(Duration duration) {
    advanceTo(now().plus(duration));
  }

  /** Lets time pass until then. */
  public void advanceTo(Instant then) {
    if (setup.hasWorkflows()) lives.alive();
    clock.advanceTo(then);
  }

  /**
   * Does this at that time, when the test lets it pass: after the timers of the same moment, and
   * when all is quiet. If it fails, so does the test.
   */
  public TestEngine at(Instant then, Action action) {
    appointments.at(then, action);
    return this;
  }

  /** Does this so much later than now. */
  public TestEngine after(Duration duration, Action action) {
    return at(now().plus(duration), action);
  }

  /** Waits until all is quiet: no workflow and no activity runs. The time stays as it is. */
  public void awaitQuiet() {
    clock.awaitQuiet();
  }

  // ---- trouble ----------------------------------------------------------------------------------

  /** Kills the engine as {@code kill -9} does; another goes on, on the same store and time. */
  public void crash() {
    lives.crash();
  }

  /**
   * Takes a run that waits out of memory: it comes back by replay when it has to go on.
   *
   * @throws IllegalStateException if it cannot leave: an activity runs, or it is due in a second
   */
  public void evict(String workflowId) {
    for (int tries = 0; isInMemory(workflowId); tries++) {
      if (tries == EVICTIONS) {
        throw new IllegalStateException(
            "'%s' does not leave memory: an activity of it runs, or it is due within a second"
                .formatted(workflowId));
      }
      call(engine -> engine.evict(workflowId));
    }
  }

  private boolean isInMemory(String workflowId) {
    clock.settle();
    return lives.call(engine -> engine.isInMemory(workflowId));
  }

  /**
   * Stops the engine when all is quiet, and forgets its set-up: what is registered next is a new
   * release, which goes on with the runs of the old one.
   */
  public TestEngine redeploy() {
    clock.awaitQuiet();
    lives.stop();
    setup.clear();
    return this;
  }

  // ---- the client -------------------------------------------------------------------------------

  @Override
  public <I extends @Nullable Object, O extends @Nullable Object> Handle<O> start(
      Class<? extends Workflow<I, O>> workflow, String workflowId, I input) {
    var started = lives.call(engine -> engine.start(workflow, workflowId, input));
    return new TestHandle<>(this, started, setup.output(WorkflowDefinition.nameOf(workflow)));
  }

  @Override
  public Handle<@Nullable Object> start(
      String workflow, String workflowId, @Nullable Object input) {
    var started = lives.call(engine -> engine.start(workflow, workflowId, input));
    return new TestHandle<>(this, started, setup.output(workflow));
  }

  @Override
  public <O extends @Nullable Object> Handle<O> handle(
      Class<? extends Workflow<?, O>> workflow, String workflowId) {
    Handle<O> found = lives.call(engine -> engine.handle(workflow, workflowId));
    return new TestHandle<>(this, found, WorkflowDefinition.outputOf(workflow));
  }

  @Override
  public <O extends @Nullable Object> Handle<O> handle(String workflowId, TypeRef<O> result) {
    Handle<O> found = lives.call(engine -> engine.handle(workflowId, result));
    return new TestHandle<>(this, found, result.type());
  }

  /** With an id of its own, so that it arrives once even if the engine crashes meanwhile. */
  @Override
  public <T extends @Nullable Object> void signal(String workflowId, Signal<T> signal, T value) {
    signal(workflowId, signal, value, "TestEngine.signal " + messages.incrementAndGet());
  }

  @Override
  public <T extends @Nullable Object> void signal(
      String workflowId, Signal<T> signal, T value, String messageId) {
    clock.settle();
    call(engine -> engine.signal(workflowId, signal, value, messageId));
  }

  @Override
  public void cancel(String workflowId, String reason) {
    clock.settle();
    var before = lives.now();
    try {
      call(engine -> engine.cancel(workflowId, reason));
    } catch (RepriseException e) {
      boolean again = before != null && !before.equals(lives.now());
      if (e.code() != ErrorCode.R114 || !again || !wasCancelRequested(workflowId)) throw e;
    }
  }

  /** The request became durable in the crash, and the run has ended since. */
  private boolean wasCancelRequested(String workflowId) {
    return history(workflowId).stream()
        .anyMatch(event -> event.type().equals("WorkflowCancelRequested"));
  }

  @Override
  public <I extends @Nullable Object, O extends @Nullable Object> Handle<O> start(
      Class<? extends Workflow<I, O>> workflow, String workflowId, I input, StartOptions options) {
    var started = lives.call(engine -> engine.start(workflow, workflowId, input, options));
    return new TestHandle<>(this, started, setup.output(WorkflowDefinition.nameOf(workflow)));
  }

  @Override
  public Handle<@Nullable Object> start(
      String workflow, String workflowId, @Nullable Object input, StartOptions options) {
    var started = lives.call(engine -> engine.start(workflow, workflowId, input, options));
    return new TestHandle<>(this, started, setup.output(workflow));
  }

  @Override
  public <O extends @Nullable Object> Handle<O> start(
      String workflow,
      TypeRef<O> result,
      String workflowId,
      @Nullable Object input,
      StartOptions options) {
    var started = lives.call(engine -> engine.start(workflow, workflowId, input, options));
    return new TestHandle<>(this, started, result.type());
  }

  @Override
  public void terminate(String workflowId, String reason, boolean compensate) {
    clock.settle();
    call(engine -> engine.terminate(workflowId, reason, compensate));
  }

  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R query(
      String workflowId, Query<A, R> query, A argument) {
    clock.settle();
    return lives.call(engine -> engine.query(workflowId, query, argument));
  }

  /** If the handler waits for time, the time passes. */
  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R update(
      String workflowId, Update<A, R> update, A argument, String messageId) {
    clock.settle();
    return new Answer<R>(
            () -> lives.call(engine -> engine.update(workflowId, update, argument, messageId)))
        .await(clock);
  }

  /** The limit is of real time, which hardly passes in a test. */
  @Override
  public <A extends @Nullable Object, R extends @Nullable Object> R update(
      String workflowId, Update<A, R> update, A argument, String messageId, Duration limit) {
    clock.settle();
    return new Answer<R>(
            () ->
                lives.call(engine -> engine.update(workflowId, update, argument, messageId, limit)))
        .await(clock);
  }

  @Override
  public <T> Optional<T> published(String workflowId, Key<T> key) {
    clock.settle();
    return lives.call(engine -> engine.published(workflowId, key));
  }

  @Override
  public Handle<@Nullable Object> fork(Fork fork) {
    clock.settle();
    var forked = lives.call(engine -> engine.fork(fork));
    var workflow = store.find(forked.workflowId()).orElseThrow().workflow();
    return new TestHandle<>(this, forked, setup.output(workflow));
  }

  @Override
  public List<HistoryEvent> history(String workflowId, UUID runId) {
    clock.settle();
    return lives.call(engine -> engine.history(workflowId, runId));
  }

  @Override
  public List<RunDescription> runs(String workflowId) {
    clock.settle();
    return lives.call(engine -> engine.runs(workflowId));
  }

  @Override
  public RunDescription describe(String workflowId) {
    clock.settle();
    return lives.call(engine -> engine.describe(workflowId));
  }

  @Override
  public List<HistoryEvent> history(String workflowId) {
    clock.settle();
    return lives.call(engine -> engine.history(workflowId));
  }

  @Override
  public List<RunDescription> list(ListQuery query) {
    clock.settle();
    return lives.call(engine -> engine.list(query));
  }

  @Override
  public RunPage page(ListQuery query) {
    clock.settle();
    return lives.call(engine -> engine.page(query));
  }

  @Override
  public long count(String filter) {
    clock.settle();
    return lives.call(engine -> engine.count(filter));
  }

  @Override
  public Map<String, Long> countBy(String filter, String field) {
    clock.settle();
    return lives.call(engine -> engine.countBy(filter, field));
  }

  @Override
  public List<NodeDescription> nodes() {
    return lives.call(Engine::nodes);
  }

  @Override
  public void resume(String workflowId) {
    call(engine -> engine.resume(workflowId));
  }

  @Override
  public int resumeHeld(String filter) {
    clock.settle();
    return lives.call(engine -> engine.resumeHeld(filter));
  }

  /** Serves a queue with so many attempts at once, in each life of the engine. */
  public TestEngine worker(String queue, int concurrency) {
    setup.add(reprise -> reprise.worker(queue, concurrency));
    return this;
  }

  @Override
  public Completion complete(String token, @Nullable Object result) {
    return lives.call(engine -> engine.complete(token, result));
  }

  @Override
  public Completion fail(String token, Throwable failure) {
    return lives.call(engine -> engine.fail(token, failure));
  }

  @Override
  public QueueDescription queue(String queue) {
    return lives.call(engine -> engine.queue(queue));
  }

  @Override
  public List<QueueDescription> queues() {
    return lives.call(Engine::queues);
  }

  @Override
  public void limit(String queue, QueueLimits limits) {
    call(engine -> engine.limit(queue, limits));
  }

  private void call(Consumer<Engine> work) {
    lives.call(
        engine -> {
          work.accept(engine);
          return engine;
        });
  }

  // ---- for the rest of the kit ------------------------------------------------------------------

  /** Lets time pass until the run has ended or is blocked, at most so long. */
  Passed until(String workflowId, @Nullable Duration limit) {
    lives.alive();
    if (Life.isInActivity()) return Passed.OVER; // it waits as in production, and moves nothing
    return clock.until(() -> !isRunning(workflowId), limit == null ? null : now().plus(limit));
  }

  boolean isRunning(String workflowId) {
    var status = store.find(workflowId).orElseThrow().status();
    return !status.isClosed() && !status.isHeld();
  }

  @SuppressWarnings("unchecked") // the codec gives what the type says
  <O extends @Nullable Object> O resultOf(String workflowId, Type type) {
    return (O) lives.call(engine -> engine.handle(workflowId, TypeRef.of(type)).result());
  }

  Codec codec() {
    return setup.codec();
  }

  /** The history of a run, for people. */
  String table(String workflowId) {
    return HistoryTable.of(describe(workflowId), history(workflowId));
  }

  /** All its runs, the oldest first. */
  List<RunDescription> runs() {
    if (lives.now() == null) return List.of();
    return list(ListQuery.all().limit(1_000)).reversed();
  }

  /** The first engine crashes right after this transition is durable. */
  void crashAfter(Predicate<Transition> moment) {
    setup.checkOpen();
    lives.crashAfter(moment);
  }

  boolean hasCrashed() {
    return lives.haveCrashed();
  }

  /** Ends it and says nothing: the test has failed already. */
  void discard() {
    lives.close();
  }

  /**
   * Ends it.
   *
   * @throws AssertionError if an action of {@link #at} failed, an activity was replaced that nobody
   *     called, or workflow code called what may only be called by {@link #effects activities}
   */
  @Override
  public void close() {
    discard();
    effects
        .complaint()
        .ifPresent(
            direct -> {
              throw direct;
            });
    if (!troubles.isEmpty()) {
      var first = Objects.requireNonNull(troubles.getFirst());
      throw new AssertionError("what was to happen at a certain time failed: " + first, first);
    }
    replacements
        .complaint(lenient)
        .ifPresent(
            complaint -> {
              throw new AssertionError(complaint);
            });
  }
}

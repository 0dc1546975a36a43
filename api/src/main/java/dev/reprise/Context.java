package dev.reprise;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The door between a workflow and the engine: everything durable that a workflow can do.
 *
 * <p>A context belongs to one run. It may be used only by the workflow's own code: the thread that
 * runs {@link Workflow#run} and the branches made by {@link #async}. Of these exactly one runs at
 * any time, so workflow code needs no locks. From any other thread, and from inside an activity,
 * each method throws {@link RepriseException} with code {@code R111}.
 *
 * <p>Methods that wait park the thread. Nothing that a workflow may catch drives the waiting: if
 * the engine has to take a waiting workflow out of memory, the waiting call ends with an {@code
 * Error} that no code should catch, and all later calls on that thread end with it too; nothing the
 * code does then is recorded.
 */
public interface Context extends Steps {

  /** The context of the workflow whose code is running, for code deeper in the stack. */
  ScopedValue<Context> CURRENT = ScopedValue.newInstance();

  /**
   * The context of the workflow whose code is running.
   *
   * @throws RepriseException {@code R111} outside of workflow code
   */
  static Context current() {
    if (!CURRENT.isBound()) {
      throw new RepriseException(
          ErrorCode.R111, "Context.current() was called outside of workflow code");
    }
    return CURRENT.get();
  }

  /** The id the caller gave this workflow. */
  String workflowId();

  /** The id of this run. */
  UUID runId();

  /** How many events the history of this run has. */
  int historySize();

  /**
   * Whether the history is so long that a workflow that goes on should use {@link #continueAsNew}
   * soon. {@link #loop} looks after that itself.
   */
  boolean shouldContinueAsNew();

  /**
   * Whether somebody wants this run to end, or its time is over. Never throws for that reason.
   *
   * @see #shielded
   */
  boolean cancelled();

  /**
   * Runs code that goes on even if the workflow or the branch is cancelled meanwhile, or is
   * already: for cleaning up. A {@link #withTimeout} inside of it still counts.
   *
   * <pre>{@code
   * try {
   *   …
   * } finally {
   *   ctx.shielded(() -> ctx.run(seats::free, seat));
   * }
   * }</pre>
   */
  <T extends @Nullable Object> T shielded(Branch<? extends T> code);

  /** The same for code without a result. */
  void shielded(Action code);

  /** The same steps with other options: {@code ctx.with(options).run(payments::charge, order)}. */
  Steps with(ActivityOptions options);

  /**
   * A proxy whose calls are activities, named {@code Type.method}, run by the object of that type
   * that was registered with the engine. {@code ctx.run(proxy::method, …)} makes the same call.
   *
   * @throws RepriseException {@code R103} if no registered object implements the type
   */
  default <T> T activities(Class<T> type) {
    return activities(type, ActivityOptions.defaults());
  }

  /**
   * A proxy whose calls are activities with the given options, also those of references to its
   * methods: {@code ctx.run(proxy::method, …)} and {@code ctx.schedule(proxy::method, …)}. Where
   * {@link #with} gives options to such a call, those come first.
   */
  <T> T activities(Class<T> type, ActivityOptions options);

  /**
   * Starts a branch that runs concurrently with the caller, deterministically: branches take turns
   * in a fixed order, and only activities really run at the same time.
   */
  <T extends @Nullable Object> Promise<T> async(Branch<? extends T> branch);

  /**
   * Waits for all and returns their results in the order given.
   *
   * @throws RuntimeException what the first promise to fail failed with, as soon as it does
   */
  <T extends @Nullable Object> List<T> all(List<? extends Promise<? extends T>> promises);

  /** Waits for both. */
  default <T extends @Nullable Object> List<T> all(
      Promise<? extends T> first, Promise<? extends T> second) {
    return all(List.of(first, second));
  }

  /** Waits for all three. */
  default <T extends @Nullable Object> List<T> all(
      Promise<? extends T> first, Promise<? extends T> second, Promise<? extends T> third) {
    return all(List.of(first, second, third));
  }

  /**
   * Waits for the first success and returns it.
   *
   * @throws RuntimeException what the last one failed with, if all fail
   */
  <T extends @Nullable Object> T any(List<? extends Promise<? extends T>> promises);

  /** Waits for the first success of two. */
  default <T extends @Nullable Object> T any(
      Promise<? extends T> first, Promise<? extends T> second) {
    return any(List.of(first, second));
  }

  /** Waits for the first success of three. */
  default <T extends @Nullable Object> T any(
      Promise<? extends T> first, Promise<? extends T> second, Promise<? extends T> third) {
    return any(List.of(first, second, third));
  }

  /** Waits for the first to end and returns its result or throws its failure. */
  <T extends @Nullable Object> T race(List<? extends Promise<? extends T>> promises);

  /** Waits for the first of two to end. */
  default <T extends @Nullable Object> T race(
      Promise<? extends T> first, Promise<? extends T> second) {
    return race(List.of(first, second));
  }

  /** Waits for the first of three to end. */
  default <T extends @Nullable Object> T race(
      Promise<? extends T> first, Promise<? extends T> second, Promise<? extends T> third) {
    return race(List.of(first, second, third));
  }

  /**
   * Waits until the condition holds. It is asked after each step that any branch makes; it must
   * only look at the workflow's own variables.
   */
  void await(BooleanSupplier condition);

  /** Waits until the condition holds, at most so long. Returns whether it holds. */
  boolean await(Duration limit, BooleanSupplier condition);

  /**
   * Runs a branch for at most so long.
   *
   * <p>When the time is over the branch is given up: its waiting call ends, its later calls of the
   * context are refused, and what it started is given up too. An activity that already runs is told
   * ({@link ActivityContext#onCancel}) and left to end; nobody waits for it.
   *
   * @throws TimedOut when the time is over
   */
  <T extends @Nullable Object> T withTimeout(Duration limit, Branch<? extends T> branch);

  /**
   * Runs branches that end together. When one of them fails the others are cancelled, and the scope
   * throws that failure once all have ended. If the body throws, all are cancelled.
   *
   * <pre>{@code
   * var trip = ctx.scope(scope -> {
   *   var flight = scope.fork(() -> ctx.run(flights::book, plan));
   *   var hotel = scope.fork(() -> ctx.run(hotels::book, plan));
   *   return new Trip(flight.await(), hotel.await());
   * });
   * }</pre>
   */
  default <T extends @Nullable Object> T scope(ScopeBody<? extends T> body) {
    return scope(JoinPolicy.FAIL_FAST, body);
  }

  /** Runs branches that end together, with a policy for failures. */
  <T extends @Nullable Object> T scope(JoinPolicy policy, ScopeBody<? extends T> body);

  /**
   * Runs a child workflow and waits for its result.
   *
   * @throws ChildFailed if it does not complete
   */
  default <I extends @Nullable Object, O extends @Nullable Object> O call(
      Class<? extends Workflow<I, O>> workflow, I input) {
    return call(workflow, input, ChildOptions.defaults());
  }

  /** Runs a child workflow with options and waits for its result. */
  default <I extends @Nullable Object, O extends @Nullable Object> O call(
      Class<? extends Workflow<I, O>> workflow, I input, ChildOptions options) {
    return start(workflow, input, options).result().await();
  }

  /**
   * Starts a child workflow. If this workflow ends first the child is cancelled; {@link
   * ChildOptions#onParentClose(ParentClose)} says otherwise.
   */
  default <I extends @Nullable Object, O extends @Nullable Object> Child<O> start(
      Class<? extends Workflow<I, O>> workflow, I input) {
    return start(workflow, input, ChildOptions.defaults());
  }

  /** Starts a child workflow with options. */
  <I extends @Nullable Object, O extends @Nullable Object> Child<O> start(
      Class<? extends Workflow<I, O>> workflow, I input, ChildOptions options);

  /** Starts a child workflow by name, for example one of another application. */
  <O extends @Nullable Object> Child<O> start(
      String workflow, @Nullable Object input, Class<O> result, ChildOptions options);

  /**
   * Ends this run and lets the workflow go on with a new one and this input: {@code return
   * ctx.continueAsNew(next);}. That happens when the workflow's method returns, in one transaction.
   *
   * <p>Signals that nobody has received go with it, and so do attributes. Variables, published
   * values, timers, branches and compensations do not, and open children are treated as at any end.
   *
   * @return null, to be returned by the workflow's method
   */
  <O extends @Nullable Object> O continueAsNew(@Nullable Object input);

  /**
   * Runs a loop that may go on for ever. Each turn gets the state and returns the next one, or null
   * to end the loop. When the history has become long, the state is recorded between two turns and
   * the workflow goes on with a new run that begins there, by itself.
   *
   * <p>The state is what one turn hands to the next: turns must not share anything else. No new run
   * begins while branches, timers or children that began before are still open.
   *
   * @return the last state
   */
  <S> S loop(S initial, Turn<S> turn);

  /** The same with a state of a generic type. */
  <S> S loop(TypeRef<S> type, S initial, Turn<S> turn);

  /**
   * Publishes a value that anybody can read, also when no engine runs: {@link Client#published}.
   * The last one of a key counts.
   */
  <T extends @Nullable Object> void publish(Key<T> key, T value);

  /**
   * Sets an attribute by which this run can be found; null removes it.
   *
   * @param value a {@link String}, {@link Number} or {@link Boolean}
   */
  void attribute(String name, @Nullable Object value);

  /** Answers queries from now on. The handler must only look at the workflow's own variables. */
  <A extends @Nullable Object, R extends @Nullable Object> void onQuery(
      Query<A, R> query, Handler<? super A, ? extends R> handler);

  /** Answers updates from now on: each in a branch of its own. */
  default <A extends @Nullable Object, R extends @Nullable Object> void onUpdate(
      Update<A, R> update, Handler<? super A, ? extends R> handler) {
    onUpdate(update, _ -> {}, handler);
  }

  /**
   * Answers updates from now on that the validator lets through. What it throws is told to the
   * caller, and nothing is recorded. It must only look at the workflow's own variables.
   */
  <A extends @Nullable Object, R extends @Nullable Object> void onUpdate(
      Update<A, R> update, Validator<? super A> validator, Handler<? super A, ? extends R> handler);

  /** Waits for so long, across crashes and deploys. Never less; zero and less do not wait. */
  void sleep(Duration duration);

  /** Waits until then; returns at once if that is in the past. */
  void sleepUntil(Instant instant);

  /** Waits for the next signal of that name. Signals that came earlier are waiting in order. */
  <T extends @Nullable Object> T receive(Signal<T> signal);

  /**
   * Waits for the next signal of that name at most so long; empty when the time is over. For a
   * signal without a value: {@link #awaitSignal}.
   */
  <T> Optional<T> receive(Signal<T> signal, Duration limit);

  /**
   * Waits for the next signal of that name, which carries no value, at most so long.
   *
   * @return whether it came; false when the time is over
   */
  boolean awaitSignal(Signal<@Nullable Void> signal, Duration limit);

  /** Waits for the next signal of any name. */
  ReceivedSignal receiveAny();

  /** Waits for the next signal of any name at most so long; empty when the time is over. */
  Optional<ReceivedSignal> receiveAny(Duration limit);

  /**
   * The time of the event that the code has reached: the same when the code runs again. It moves
   * with the history, not with the wall clock.
   */
  Instant now();

  /** Random numbers that are the same when the code runs again. */
  RandomGenerator random();

  /** A random UUID that is the same when the code runs again. */
  UUID uuid();

  /**
   * A logger with the name of the workflow that is silent while the code only catches up with its
   * history. It writes where the engine logs (SLF4J), with the ids of the run.
   */
  System.Logger logger();

  /** Whether the code only catches up with its history at this moment. */
  boolean replaying();

  /**
   * Guards a change of a workflow that has open runs: true for runs that reach this line for the
   * first time with the new code, false for those that passed it with the old code.
   *
   * <pre>{@code
   * if (ctx.patched("fraud-check")) ctx.run(fraud::check, order);
   * }</pre>
   */
  boolean patched(String change);

  /** Workflow code that starts branches in a scope. */
  @FunctionalInterface
  interface ScopeBody<T extends @Nullable Object> {
    T run(Scope scope) throws Exception;
  }

  /** One turn of a loop. */
  @FunctionalInterface
  interface Turn<S> {
    @Nullable S next(S state) throws Exception;
  }

  /** Answers a query or an update. */
  @FunctionalInterface
  interface Handler<A extends @Nullable Object, R extends @Nullable Object> {
    R handle(A argument) throws Exception;
  }

  /** Refuses an update by throwing. */
  @FunctionalInterface
  interface Validator<A extends @Nullable Object> {
    void check(A argument) throws Exception;
  }

  /** A piece of workflow code that runs as a branch of its own. */
  @FunctionalInterface
  interface Branch<T extends @Nullable Object> {
    T run() throws Exception;
  }
}

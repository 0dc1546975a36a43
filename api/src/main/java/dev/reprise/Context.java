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

  /** The same steps with other options: {@code ctx.with(options).run(payments::charge, order)}. */
  Steps with(ActivityOptions options);

  /**
   * A proxy whose calls are activities, named {@code Type.method}, run by the object of that type
   * that was registered with the engine.
   *
   * @throws RepriseException {@code R103} if no registered object implements the type
   */
  default <T> T activities(Class<T> type) {
    return activities(type, ActivityOptions.defaults());
  }

  /** A proxy whose calls are activities with the given options. */
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

  /**
   * Waits for the first success and returns it.
   *
   * @throws RuntimeException what the last one failed with, if all fail
   */
  <T extends @Nullable Object> T any(List<? extends Promise<? extends T>> promises);

  /** Waits for the first to end and returns its result or throws its failure. */
  <T extends @Nullable Object> T race(List<? extends Promise<? extends T>> promises);

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
   * context are refused, and what it started is given up too. An activity that already runs is left
   * to end; nobody waits for it.
   *
   * @throws TimedOut when the time is over
   */
  <T extends @Nullable Object> T withTimeout(Duration limit, Branch<? extends T> branch);

  /** Waits for so long, across crashes and deploys. Never less; zero and less do not wait. */
  void sleep(Duration duration);

  /** Waits until then; returns at once if that is in the past. */
  void sleepUntil(Instant instant);

  /** Waits for the next signal of that name. Signals that came earlier are waiting in order. */
  <T extends @Nullable Object> T receive(Signal<T> signal);

  /** Waits for the next signal of that name at most so long; empty when the time is over. */
  <T> Optional<T> receive(Signal<T> signal, Duration limit);

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

  /** A logger that is silent while the code only catches up with its history. */
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

  /** A piece of workflow code that runs as a branch of its own. */
  @FunctionalInterface
  interface Branch<T extends @Nullable Object> {
    T run() throws Exception;
  }
}

package dev.reprise.engine.machine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Threads, the passing of time, and luck. All threads that the engine makes, and all waiting of it
 * that can end by time alone, come from here.
 */
public interface Machine {

  /** The machine of this process. */
  Machine REAL = new RealMachine();

  /** The machine and process, for people. */
  String name();

  /** A time that only goes forward, in nanoseconds from anywhere. */
  long nanoTime();

  RandomGenerator random();

  /** A number that nobody can guess. */
  default long secret() {
    return random().nextLong();
  }

  /** A thread of the engine's own, which may talk to a database. Not started. */
  Thread service(String name, Runnable work);

  /** A thread for the code of users, of which there may be very many. Not started. */
  Thread fiber(String name, Runnable work);

  /** Waits until the thread is unparked, at most that long; it may come back for no reason. */
  void park(Object blocker, long nanos);

  /** Whether this thread can {@link #giveWay}. */
  default boolean canGiveWay() {
    return false;
  }

  /** Offers the processor to others, of this process or not, and comes back when they had it. */
  default void giveWay() {}

  /**
   * Looks for something that is about to happen without going to sleep, for that long at most. Only
   * if there are processors for others meanwhile and this thread can give way to them, and while
   * none of them wants this one.
   *
   * @return whether it has happened
   */
  default boolean watch(BooleanSupplier happened, long nanos) {
    return happened.getAsBoolean();
  }

  /** Waits for a future, but not longer than that. */
  <T extends @Nullable Object> T await(CompletableFuture<T> future, Duration limit)
      throws TimeoutException, ExecutionException, InterruptedException;
}

package dev.reprise.engine.machine;

import dev.reprise.Texts;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The machine as it is. */
final class RealMachine implements Machine {
  private static final SecureRandom SECRETS = new SecureRandom();
  private static final boolean WATCHES =
      Runtime.getRuntime().availableProcessors() > 1
          && !System.getProperty("reprise.watch", "true").equals("false");
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  // Code of users on virtual threads runs for longer, a request in the database for less.
  private static final long WANTED_NANOS = 300_000;

  private final LongWaits longWaits = new LongWaits();
  private final SystemYield systemYield = new SystemYield();

  @Override
  public String name() {
    return Host.name();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public RandomGenerator random() {
    return ThreadLocalRandom.current();
  }

  @Override
  public long secret() {
    return SECRETS.nextLong();
  }

  @Override
  public Thread service(String name, Runnable work) {
    return Thread.ofPlatform().name(Texts.shown(name)).daemon().unstarted(work);
  }

  @Override
  public Thread fiber(String name, Runnable work) {
    return Thread.ofVirtual().name(Texts.shown(name)).unstarted(work);
  }

  @Override
  public void park(Object blocker, long nanos) {
    if (isLong(nanos)) longWaits.park(blocker, nanos);
    else LockSupport.parkNanos(blocker, nanos);
  }

  private static boolean isLong(long nanos) {
    return nanos >= LongWaits.SHORTEST && Thread.currentThread().isVirtual();
  }

  @Override
  public boolean canGiveWay() {
    return !Thread.currentThread().isVirtual() || systemYield.isReady();
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // to yield is only a courtesy here
  public void giveWay() {
    if (!Thread.currentThread().isVirtual()) Thread.yield();
    else if (systemYield.isReady()) systemYield.now();
  }

  /**
   * A virtual thread keeps its carrier meanwhile: so it ends if somebody had the processor long.
   */
  @Override
  public boolean watch(BooleanSupplier happened, long nanos) {
    if (happened.getAsBoolean()) return true;
    if (!WATCHES || !canGiveWay()) return false;
    long longest = Thread.currentThread().isVirtual() ? WANTED_NANOS : Long.MAX_VALUE;
    long begin = nanoTime();
    for (long now = begin, before; now - begin < nanos; ) {
      before = now;
      giveWay();
      if (happened.getAsBoolean()) return true;
      now = nanoTime();
      if (now - before > longest) return false;
    }
    return false;
  }

  @Override
  public <T extends @Nullable Object> T await(CompletableFuture<T> future, Duration limit)
      throws TimeoutException, ExecutionException, InterruptedException {
    long nanos = limit.compareTo(LONGEST) > 0 ? Long.MAX_VALUE : limit.toNanos();
    if (!isLong(nanos)) return future.get(nanos, TimeUnit.NANOSECONDS);
    awaitEnd(future, nanos);
    return future.get(0, TimeUnit.NANOSECONDS);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // who waits looks at the future itself
  private void awaitEnd(CompletableFuture<?> future, long nanos) throws InterruptedException {
    var waiter = Thread.currentThread();
    future.whenComplete((_, _) -> LockSupport.unpark(waiter));
    long end = nanoTime() + nanos;
    for (long left = nanos; left > 0 && !future.isDone(); left = end - nanoTime()) {
      park(future, left);
      if (Thread.interrupted()) throw new InterruptedException();
    }
  }
}

package dev.reprise.engine.machine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits of virtual threads that have a limit and nearly always end long before it, as those for a
 * commit.
 *
 * <p>To park a virtual thread for some time wakes a thread of the JDK that keeps the time, twice:
 * at thousands of starts a second it does little else, and takes a processor from a workflow each
 * time. Here nobody is woken. One thread looks now and then for waits that are over, and ends when
 * there have been none for a while.
 */
final class LongWaits {
  /** A shorter one should end on time. */
  static final long SHORTEST = TimeUnit.SECONDS.toNanos(1);

  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int IDLE_LOOKS = 50;

  private final Set<Wait> waits = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean watched = new AtomicBoolean();

  private static final class Wait { // a set tells them apart by identity
    private final Thread thread;
    private final long end;

    private Wait(Thread thread, long end) {
      this.thread = thread;
      this.end = end;
    }
  }

  /** Waits until the thread is unparked, at most that long and a moment. */
  void park(Object blocker, long nanos) {
    var wait = new Wait(Thread.currentThread(), System.nanoTime() + nanos);
    waits.add(wait);
    try {
      if (!watched.get() && watched.compareAndSet(false, true)) startWatch();
      LockSupport.park(blocker);
    } finally {
      waits.remove(wait);
    }
  }

  private void startWatch() {
    try {
      Thread.ofPlatform().name("reprise-waits").daemon().start(this::watch);
    } catch (OutOfMemoryError noThread) {
      watched.set(false); // the next one tries again
      throw noThread;
    }
  }

  private void watch() {
    do {
      for (int idle = 0; idle < IDLE_LOOKS; idle = waits.isEmpty() ? idle + 1 : 0) {
        LockSupport.parkNanos(this, PAUSE);
        lookOnce();
      }
      watched.set(false); // who begins to wait now starts another one, or is seen
    } while (!waits.isEmpty() && watched.compareAndSet(false, true));
  }

  /** Without memory it looks again soon: those who wait must not do so for ever. */
  private void lookOnce() {
    try {
      wakeOverdue(System.nanoTime());
    } catch (Error e) {
      Survival.of(e);
    }
  }

  private void wakeOverdue(long now) {
    for (var wait : waits) if (wait.end - now <= 0) LockSupport.unpark(wait.thread);
  }
}

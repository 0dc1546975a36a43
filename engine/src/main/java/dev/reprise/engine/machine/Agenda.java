package dev.reprise.engine.machine;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work for one thread of its own: each piece when its time has come, the earliest first. */
public final class Agenda {
  private static final Logger LOG = LoggerFactory.getLogger(Agenda.class);

  private final Machine machine;
  private final Thread thread;
  private final PriorityQueue<Item> items = new PriorityQueue<>();
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private long order;
  private boolean started;
  private boolean stopped;

  private record Item(long due, long order, Runnable work) implements Comparable<Item> {
    @Override
    public int compareTo(Item other) {
      int byTime = Long.compare(due - other.due, 0); // nanoseconds from anywhere may overflow
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  public Agenda(Machine machine, String name) {
    this.machine = machine;
    this.thread = machine.service(name, this::work);
  }

  /** Does it after that time; never, if that is after the end. */
  public void add(Runnable work, Duration delay) {
    boolean first;
    boolean starts;
    synchronized (this) {
      if (stopped) return;
      var item = new Item(machine.nanoTime() + delay.toNanos(), order++, work);
      items.add(item);
      first = item.equals(items.peek());
      starts = !started;
      started = true;
    }
    if (starts) thread.start();
    else if (first) LockSupport.unpark(thread);
  }

  /** Does nothing more, but ends what it is doing. */
  public void stop() {
    synchronized (this) {
      stopped = true;
      items.clear();
      if (!started) end.complete(null);
    }
    LockSupport.unpark(thread);
  }

  /** Waits until it has ended; false if that takes longer. */
  public boolean awaitEnd(Duration limit) {
    try {
      machine.await(end, limit);
      return true;
    } catch (TimeoutException late) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private void work() {
    try {
      for (var next = next(); next != null; next = next()) run(next);
    } finally {
      end.complete(null);
    }
  }

  private static void run(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("a piece of work failed");
    }
  }

  /** Waits for the next piece; null at the end. */
  private @Nullable Runnable next() {
    for (; ; ) {
      long left;
      synchronized (this) {
        if (stopped) return null;
        var first = items.peek();
        left = first == null ? Long.MAX_VALUE : first.due - machine.nanoTime();
        if (first != null && left <= 0) {
          items.remove();
          return first.work;
        }
      }
      machine.park(this, left);
    }
  }
}

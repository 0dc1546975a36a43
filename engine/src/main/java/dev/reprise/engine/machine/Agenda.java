package dev.reprise.engine.machine;

import dev.reprise.Texts;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work for one thread of its own: each piece when its time has come, the earliest first.
 *
 * <p>The thread survives everything. A piece that ends with an {@link Error}, such as that of a
 * full heap, is done again after a pause, because nobody knows how far it came: what has to happen
 * from time to time goes on.
 */
public final class Agenda {
  private static final Logger LOG = LoggerFactory.getLogger(Agenda.class);

  private final Machine machine;
  private final Thread thread;
  private final Consumer<Error> onError;
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

  /** Work that may be done again after an error. */
  public Agenda(Machine machine, String name) {
    this(machine, name, _ -> {});
  }

  /**
   * @param onError notified of errors, on the thread of the agenda
   */
  public Agenda(Machine machine, String name, Consumer<Error> onError) {
    this.machine = machine;
    this.onError = onError;
    this.thread = machine.service(name, Survival.looping(machine, this::work));
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
    if (starts) begin();
    else if (first) LockSupport.unpark(thread);
  }

  /**
   * Adds counted work unless it was asked for already; it takes the mark away itself when it
   * begins. If it cannot be added the mark is taken away too, or nobody could ever ask again.
   */
  public void addOnce(AtomicBoolean asked, Errands errands, Runnable work, Duration delay) {
    if (!asked.compareAndSet(false, true)) return;
    boolean isAdded = false;
    try {
      add(errands.counted(work), delay);
      isAdded = true;
    } finally {
      if (!isAdded) asked.set(false);
    }
  }

  private void begin() {
    try {
      thread.start();
    } catch (Error noThread) {
      synchronized (this) {
        started = false; // the next piece tries again
      }
      throw noThread;
    }
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
    for (var next = next(); next != null; next = next()) run(next);
    end.complete(null);
  }

  private void run(Runnable work) {
    for (; ; ) {
      try {
        work.run();
        return;
      } catch (RuntimeException e) {
        LOG.atError().setCause(Texts.shown(e)).log("a piece of work failed");
        return;
      } catch (Error e) {
        Survival.of(machine, e, onError);
        if (hasStopped()) return;
        Survival.pause(machine);
      }
    }
  }

  private synchronized boolean hasStopped() {
    return stopped;
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

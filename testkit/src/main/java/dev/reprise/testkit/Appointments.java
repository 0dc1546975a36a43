package dev.reprise.testkit;

import dev.reprise.ActivityContext;
import dev.reprise.Steps.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What a test wants to happen at virtual times, in the order of time and then of asking. */
final class Appointments {
  private final VirtualTime time;
  private final PriorityQueue<Entry> entries = new PriorityQueue<>();
  private final Set<Hold> holds = ConcurrentHashMap.newKeySet();
  private long order;

  private record Entry(Instant due, long order, Action action) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byTime = due.compareTo(other.due);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** An activity that waits for the time to pass. */
  private static final class Hold {
    private final Thread thread = Thread.currentThread();
    private volatile boolean over;
    private volatile boolean givenUp;

    private void giveUp() {
      givenUp = true;
      LockSupport.unpark(thread);
    }

    private void end() {
      over = true;
      LockSupport.unpark(thread);
    }

    /** Whether only time can end it: not if it goes on, was interrupted, or nobody wants it. */
    private boolean isWaiting() {
      return !over && !givenUp && !thread.isInterrupted();
    }
  }

  Appointments(VirtualTime time) {
    this.time = time;
  }

  synchronized void at(Instant due, Action action) {
    entries.add(new Entry(due, order++, action));
  }

  /** When the next is due. */
  synchronized Optional<Instant> next() {
    return Optional.ofNullable(entries.peek()).map(Entry::due);
  }

  /** Takes the next one that is due now. */
  synchronized @Nullable Action take() {
    var first = entries.peek();
    if (first == null || first.due.isAfter(time.now())) return null;
    entries.remove();
    return first.action;
  }

  /** Waits until so much virtual time has passed. */
  void hold(Duration duration) throws InterruptedException {
    var hold = new Hold();
    Action end = hold::end;
    at(time.now().plus(duration), end);
    holds.add(hold);
    if (ActivityContext.CURRENT.isBound()) ActivityContext.current().onCancel(hold::giveUp);
    try {
      while (hold.isWaiting()) LockSupport.park(hold); // leaves an interrupt where it is seen
    } finally {
      holds.remove(hold);
      forget(end);
    }
    if (Thread.interrupted() || hold.givenUp) {
      throw new InterruptedException("it took too long, or was given up");
    }
  }

  @SuppressWarnings("ReferenceEquality") // this very one
  private synchronized void forget(Action action) {
    entries.removeIf(entry -> entry.action == action);
  }

  /** How many activities wait for nothing but time. */
  int held() {
    return (int) holds.stream().filter(Hold::isWaiting).count();
  }

  /** Whether the activity on that thread waits for nothing but time. */
  boolean holds(Thread thread) {
    return holds.stream().anyMatch(hold -> hold.thread.equals(thread));
  }
}

package dev.reprise.verification.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Who runs next, and what time it is. One thread runs everything, one piece after the other: the
 * next piece is drawn by lot from those that could run, and when none can, time jumps to what
 * happens next.
 */
final class Scheduler {
  private static final ScopedValue<Scheduler> CURRENT = ScopedValue.newInstance();
  private static final int LONGEST_PIECE = 20_000; // nanoseconds that a piece of work takes

  private final SplittableRandom random;
  private final Thread thread = Thread.currentThread();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<SimulatedProcess> processes = new ArrayList<>();
  private long now;
  private long order;
  private long digest = 17;
  private volatile @Nullable String intruder;

  /**
   * Somebody outside has had a say, so it is not known what the seed alone would have led to. It
   * happens when two simulations in one process wait for the same lock of the JDK or a library.
   */
  static final class Disturbed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Disturbed(String message) {
      super(message);
    }
  }

  /** Something that happens at a time. */
  static final class Event implements Comparable<Event> {
    private final long at;
    private final long order;
    private final Runnable action;
    private boolean cancelled;

    private Event(long at, long order, Runnable action) {
      this.at = at;
      this.order = order;
      this.action = action;
    }

    void cancel() {
      cancelled = true;
    }

    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  Scheduler(long seed) {
    this.random = new SplittableRandom(seed);
  }

  RandomGenerator random() {
    return random;
  }

  /** The same work, as a part of this simulation. */
  Runnable own(Runnable work) {
    return () -> ScopedValue.where(CURRENT, this).run(work);
  }

  /** Nanoseconds since the beginning. */
  long now() {
    return now;
  }

  /** A thread stands still in the middle of a piece of work: time goes on without it. */
  void pass(long nanos) {
    now += nanos;
  }

  /** What has happened so far, as a number: equal simulations have equal ones. */
  long digest() {
    return digest;
  }

  void mix(long what) {
    digest = (digest ^ what) * 0x9E3779B97F4A7C15L;
    digest ^= digest >>> 29;
  }

  void add(SimulatedProcess process) {
    processes.add(process);
  }

  /** Does it after that time. */
  Event after(long nanos, Runnable action) {
    long pause = Math.clamp(nanos, 0, Long.MAX_VALUE - now); // for ever is no time at all else
    var event = new Event(now + pause, order++, action);
    events.add(event);
    return event;
  }

  /**
   * Whether this is said by a thread of the simulation. What others say, such as a timer of the JDK
   * or a simulation beside this one, would be said at another time in the next run.
   */
  boolean isInside() {
    var current = Thread.currentThread();
    boolean inside = CURRENT.isBound() ? CURRENT.get() == this : current.equals(thread);
    if (!inside) intruder = current.toString();
    return inside;
  }

  /** Does one piece of work, or lets the next thing happen. False if nothing is left. */
  boolean step() {
    if (intruder != null) throw new Disturbed("woken from outside, by " + intruder);
    var next = events.peek();
    if (next != null && next.at <= now) {
      happen();
      return true;
    }
    var process = drawProcess();
    if (process != null) {
      now += random.nextInt(LONGEST_PIECE);
      mix(process.number());
      process.runOne(random);
      return true;
    }
    if (next == null) return false;
    now = next.at;
    happen();
    return true;
  }

  private void happen() {
    var event = events.remove();
    if (event.cancelled) return;
    mix(event.order);
    event.action.run();
  }

  private @Nullable SimulatedProcess drawProcess() {
    int count = 0;
    for (var process : processes) if (process.canRun()) count++;
    if (count == 0) return null;
    int drawn = random.nextInt(count);
    for (var process : processes) {
      if (process.canRun() && drawn-- == 0) return process;
    }
    throw new IllegalStateException();
  }
}

package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Trial;
import dev.reprise.engine.store.Suspicion;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Contains runs that kill their engine. A run whose owners died again and again is a suspect, and
 * suspects begin one after the other: what kills its engine mostly does so soon after it begins.
 * Each has some time before the next one joins it, less and less while nothing happens, so that a
 * slow step does not hold up the others.
 *
 * <p>If the engine dies while one suspect is alone in its memory, that run is held. If several are,
 * nothing is proved: the next engine tries them all again, with more time between them, and at last
 * each strictly alone.
 */
final class Trials {
  /** Time before the next suspect may join, by how often engines died with several of them. */
  private static final List<Floor> FLOORS =
      List.of(
          new Floor(Duration.ofSeconds(1), Duration.ofMillis(50)),
          new Floor(Duration.ofSeconds(5), Duration.ofMillis(500)),
          new Floor(Duration.ofSeconds(30), Duration.ofSeconds(5)));

  private static final Duration LONGEST = Duration.ofMinutes(10); // then it has stood the trial
  private static final int MOST_SHARED = 8; // bounds the deaths by a run that takes longer to kill

  private final Machine machine;
  private final Map<Long, Tried> onTrial = new LinkedHashMap<>();
  private final Deque<RunRow> waiting = new ArrayDeque<>(); // until no other suspect is here
  private @Nullable Long markedAlone; // the one of which the store says that it is alone
  private long last; // that began
  private long floorEnds;
  private int begun;
  private volatile boolean isEmpty = true;

  private record Floor(Duration first, Duration shortest) {
    Duration after(int trials) {
      var halved = first.dividedBy(1L << Math.min(trials, 16));
      return halved.compareTo(shortest) < 0 ? shortest : halved;
    }
  }

  private record Tried(long begun, boolean isStrict) {}

  Trials(Machine machine) {
    this.machine = machine;
  }

  /** How the next suspect may be tried; nothing if it must wait. */
  synchronized Optional<Trial> next() {
    long now = machine.nanoTime();
    onTrial.values().removeIf(tried -> now - tried.begun > LONGEST.toNanos());
    isEmpty = onTrial.isEmpty();
    if (!waiting.isEmpty()) return Optional.empty();
    if (isEmpty) return Optional.of(Trial.ALONE);
    boolean isStrict = onTrial.values().stream().anyMatch(Tried::isStrict);
    return isStrict || now - floorEnds < 0 ? Optional.empty() : Optional.of(Trial.IN_COMPANY);
  }

  /** Whether no suspect is on trial. */
  boolean isEmpty() {
    return isEmpty;
  }

  /** One that must be tried alone comes when no other is left. */
  synchronized void postpone(RunRow row) {
    waiting.add(row);
  }

  /** Those that were postponed and have not begun; they are not tried here any more. */
  synchronized List<RunRow> postponed() {
    var rows = List.copyOf(waiting);
    waiting.clear();
    return rows;
  }

  /** The next of those that were postponed, if no other is left. */
  synchronized Optional<RunRow> alone() {
    return onTrial.isEmpty() ? Optional.ofNullable(waiting.poll()) : Optional.empty();
  }

  /**
   * The run that the store has as tried alone, which must end before another begins: also if it has
   * stood its trial and waits in memory, it would be held for what the other one does.
   */
  synchronized Optional<Long> markedAlone() {
    return Optional.ofNullable(markedAlone);
  }

  /** The store knows that it is not alone any longer. */
  synchronized void shared() {
    markedAlone = null;
  }

  /** Gives the time after which the next one may join it. */
  synchronized Duration begin(RunRow row, Trial trial) {
    int shared = new Suspicion(row.crashes()).shared();
    boolean isStrict = mustBeAlone(row);
    var floor = isStrict ? LONGEST : FLOORS.get(shared).after(begun++);
    long now = machine.nanoTime();
    onTrial.put(row.key(), new Tried(now, isStrict));
    if (trial == Trial.ALONE) markedAlone = row.key();
    isEmpty = false;
    last = row.key();
    floorEnds = now + floor.toNanos();
    return floor;
  }

  /** Whether nothing but a trial without any other suspect can say more. */
  static boolean mustBeAlone(RunRow row) {
    return new Suspicion(row.crashes()).shared() >= FLOORS.size();
  }

  /**
   * The run waits or is gone: it has done no harm.
   *
   * @return whether the next one may come
   */
  boolean stood(long key) {
    if (isEmpty) return false;
    synchronized (this) {
      if (onTrial.remove(key) == null) return false;
      isEmpty = onTrial.isEmpty();
      if (last == key) floorEnds = machine.nanoTime();
      return true;
    }
  }

  /** Whether the run has done enough harm. */
  static boolean isOver(RunRow row) {
    var suspicion = new Suspicion(row.crashes());
    return suspicion.isProved() || suspicion.shared() >= MOST_SHARED;
  }

  /** Why it is held. */
  static String verdict(RunRow row) {
    return """
    %s quarantined: %d engines died one after the other while they had '%s' in memory, and it \
    recorded nothing in between. Look into their logs for what it does then (it may exhaust the \
    memory, or end the process), mend that, and resume it. (see %s)\
    """
        .formatted(
            ErrorCode.R124,
            new Suspicion(row.crashes()).deaths(),
            row.workflowId(),
            ErrorCode.R124.docs());
  }
}

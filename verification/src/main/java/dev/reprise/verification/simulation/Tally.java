package dev.reprise.verification.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Plays many simulations, one on each processor, and counts. */
final class Tally {
  private static final int MOST_FAILED = 5; // then it is clear enough
  private static final int MOST_DISTURBED = 5; // by the other threads here
  private static final Duration BETWEEN_NEWS = Duration.ofSeconds(10);

  private final Sabotage sabotage;
  private final News news;
  private final AtomicLong next = new AtomicLong();
  private final List<Simulation.Report> failed = new ArrayList<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private final long begun = System.nanoTime();
  private long lastNews = begun;
  private long played;
  private int disturbed;
  private long steps;
  private long nanos;

  /** Told from time to time how far it is. */
  interface News {
    void soFar(long played, Duration took);
  }

  Tally(Sabotage sabotage, News news) {
    this.sabotage = sabotage;
    this.news = news;
  }

  /** So many, from that seed on. */
  Duration play(long from, long seeds) throws InterruptedException {
    play(from, seeds, MOST_FAILED);
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  /** The first of these that fails, or none. */
  Simulation.@Nullable Report first(long from, long seeds) throws InterruptedException {
    play(from, seeds, 1);
    return failed.stream().min(Comparator.comparing(Simulation.Report::seed)).orElse(null);
  }

  private void play(long from, long seeds, int mostFailed) throws InterruptedException {
    next.set(from);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      threads.add(Thread.ofPlatform().start(() -> work(from + seeds, mostFailed)));
    }
    for (var thread : threads) thread.join();
  }

  private void work(long end, int mostFailed) {
    for (long seed; (seed = next.getAndIncrement()) < end; ) {
      add(playOne(seed));
      if (failures() >= mostFailed) return;
    }
  }

  private synchronized int failures() {
    return failed.size();
  }

  private Simulation.Report playOne(long seed) {
    try {
      return undisturbed(seed);
    } catch (RuntimeException | Error e) {
      var violation = "the simulation itself broke: " + e;
      return new Simulation.Report(seed, 0, 0, 0, List.of(violation), Map.of(), List.of());
    }
  }

  private Simulation.Report undisturbed(long seed) {
    for (int again = 0; again < MOST_DISTURBED; again++) {
      try {
        return Simulation.play(seed, sabotage, false);
      } catch (Scheduler.Disturbed byTheOther) {
        countDisturbed();
      }
    }
    return Simulation.play(seed, sabotage, false);
  }

  private synchronized void countDisturbed() {
    disturbed++;
  }

  private synchronized void add(Simulation.Report report) {
    played++;
    steps += report.steps();
    nanos += report.nanos();
    report.counts().forEach((what, times) -> counts.merge(what, times, Long::sum));
    if (!report.violations().isEmpty()) failed.add(report);
    long now = System.nanoTime();
    if (now - lastNews < BETWEEN_NEWS.toNanos()) return;
    lastNews = now;
    news.soFar(played, Duration.ofNanos(now - begun));
  }

  List<Simulation.Report> failed() {
    return failed;
  }

  Map<String, Long> counts() {
    return counts;
  }

  long played() {
    return played;
  }

  /** How many had to be played again, because simulations beside them got in their way. */
  int disturbed() {
    return disturbed;
  }

  long steps() {
    return steps;
  }

  /** Simulated time, all together. */
  long nanos() {
    return nanos;
  }
}

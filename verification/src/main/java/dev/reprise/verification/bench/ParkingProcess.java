package dev.reprise.verification.bench;

import dev.reprise.engine.Engine;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The process of {@link ParkedRuns}: starts the runs, looks at the heap, wakes some of them. Prints
 * its figures as {@code name=value}.
 */
final class ParkingProcess {
  private static final Crowd CLIENTS = new Crowd(1_000);
  private static final int RESERVE = 4; // that part of the heap is not for parked runs
  private static final long POLL_MILLIS = 5;

  private final Engine engine;
  private final int count;
  private final int sample;

  private ParkingProcess(Engine engine, int count, int sample) {
    this.engine = engine;
    this.count = count;
    this.sample = sample;
  }

  public static void main(String[] args) throws ExecutionException, InterruptedException {
    var arrived = new AtomicInteger();
    long heap = Runtime.getRuntime().maxMemory();
    try (var engine =
        Database.reprise(args[0])
            .workflow(new Workflows.Waiting(arrived))
            .memoryBudget(heap - heap / RESERVE)
            .start()) {
      new ParkingProcess(engine, Integer.parseInt(args[1]), Integer.parseInt(args[2])).run(arrived);
    }
  }

  private void run(AtomicInteger arrived) throws ExecutionException, InterruptedException {
    long empty = heapInUse();
    long begin = System.nanoTime();
    CLIENTS.each(count, run -> engine.start(Workflows.Waiting.class, id(run), run));
    while (arrived.get() < count) Thread.sleep(POLL_MILLIS);
    CLIENTS.each(sample, number -> engine.describe(id(member(number)))); // answers when it waits
    long parked = System.nanoTime();
    long full = heapInUse();
    print("bytes/run", (double) (full - empty) / count);
    print("heap MB", full / 1e6);
    print("in memory", engine.runsInMemory());
    print("seconds to park", (parked - begin) / 1e9);
    long signalled = System.nanoTime();
    CLIENTS.each(sample, this::wake);
    print("signalled", sample);
    print("seconds to complete", (System.nanoTime() - signalled) / 1e9);
  }

  private void wake(int number) {
    var id = id(member(number));
    engine.signal(id, Workflows.Waiting.NUMBER, number);
    int result = engine.handle(Workflows.Waiting.class, id).result();
    if (result == number) return;
    throw new IllegalStateException("%s gave %d instead of %d".formatted(id, result, number));
  }

  /** Which of all runs the sample has at that place. */
  private int member(int number) {
    return (int) ((long) number * count / sample);
  }

  private static String id(int run) {
    return "parked-" + run;
  }

  /** The bytes that are left after a collection. */
  private static long heapInUse() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static void print(String figure, double value) {
    System.out.println(figure + "=" + value);
  }
}

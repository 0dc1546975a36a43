package dev.reprise.verification.faults;

import dev.reprise.Context;
import dev.reprise.Handle;
import dev.reprise.RepriseException;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.verification.chaos.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Callers who go on to start workflows with large inputs while the database is away. When the file
 * is there they end, and it is said what came of what was acknowledged.
 *
 * <p>Arguments: URL of the database, the file.
 */
final class Pile {
  private static final int CALLERS = 20;
  private static final int BYTES = 500_000;
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private Pile() {}

  static final class Echo implements Workflow<String, Integer> {
    @Override
    public Integer run(Context ctx, String in) {
      return ctx.run("length", Integer.class, in::length);
    }
  }

  public static void main(String[] args) throws Exception {
    Processes.endWithParent();
    var engine =
        Reprise.open(args[0])
            .lease(Duration.ofSeconds(3))
            .callTimeout(Duration.ofMillis(500))
            .workflow(new Echo())
            .start();
    engine.start(Echo.class, "first", "x").result(LIMIT); // it has keys for many runs now
    System.out.println("READY");
    Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    Map<String, AtomicInteger> refused = new ConcurrentHashMap<>();
    var callers = new ArrayList<Thread>();
    for (int i = 0; i < CALLERS; i++) {
      int caller = i;
      callers.add(
          Thread.startVirtualThread(
              () -> call(engine, caller, Path.of(args[1]), acknowledged, refused)));
    }
    for (var caller : callers) caller.join();
    System.out.println("refused: " + new TreeMap<>(refused));
    int lost = 0;
    for (var id : acknowledged) {
      if (!engine.handle(id, Integer.class).result(LIMIT).equals(BYTES)) lost++;
    }
    System.out.println("acknowledged: " + acknowledged.size() + ", lost: " + lost);
    System.out.println("afterwards: " + startLast(engine).result(LIMIT));
    System.out.println("END");
    Runtime.getRuntime().halt(0);
  }

  /** The database has only just come back, so the first calls may be too early. */
  private static Handle<Integer> startLast(Engine engine) {
    long end = System.nanoTime() + LIMIT.toNanos();
    for (; ; ) {
      try {
        return engine.start(Echo.class, "last", "x");
      } catch (RepriseException early) {
        if (!early.isRetryable() || System.nanoTime() - end > 0) throw early;
        LockSupport.parkNanos(10_000_000);
      }
    }
  }

  private static void call(
      Engine engine,
      int caller,
      Path end,
      Queue<String> acknowledged,
      Map<String, AtomicInteger> refused) {
    for (int i = 0; !Files.exists(end); i++) {
      var id = caller + "-" + i;
      try {
        engine.start(Echo.class, id, "x".repeat(BYTES));
        acknowledged.add(id);
        LockSupport.parkNanos(100_000_000);
      } catch (RepriseException e) {
        refused.computeIfAbsent(e.code().name(), _ -> new AtomicInteger()).incrementAndGet();
        LockSupport.parkNanos(10_000_000);
      } catch (OutOfMemoryError full) {
        refused.computeIfAbsent("heap", _ -> new AtomicInteger()).incrementAndGet();
      }
    }
  }
}

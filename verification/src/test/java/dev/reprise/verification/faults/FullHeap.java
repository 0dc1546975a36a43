package dev.reprise.verification.faults;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.NodeDescription;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.verification.chaos.Processes;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * An engine in a process with a small heap, which another part of the application fills for a while
 * and lets go. Then it is asked for everything that an engine does; each line says what came of it.
 *
 * <p>Arguments: URL of the database, how often the heap is filled.
 */
final class FullHeap {
  static final String END = "ALL ASKED";
  private static final Signal<String> GO = Signal.of("go", String.class);
  private static final Duration FULL = Duration.ofSeconds(1);
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private FullHeap() {}

  /** What workers do. */
  public interface Lab {
    String work(String what);
  }

  static final class Sleep implements Workflow<Integer, String> {
    @Override
    public String run(Context ctx, Integer millis) {
      ctx.sleep(Duration.ofMillis(millis));
      return "slept";
    }
  }

  static final class Wait implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      return "got " + ctx.receive(GO);
    }
  }

  static final class Queued implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      var options = ActivityOptions.onQueue("lab").visibility(Duration.ofSeconds(2));
      return ctx.activities(Lab.class, options).work(in);
    }
  }

  public static void main(String[] args) throws Exception {
    Processes.endWithParent();
    var engine =
        Reprise.open(args[0])
            .lease(Duration.ofSeconds(3))
            .callTimeout(Duration.ofSeconds(4))
            .activities((Lab) what -> "did " + what)
            .worker("lab", 2)
            .workflow(new Sleep())
            .workflow(new Wait())
            .workflow(new Queued())
            .start();
    engine.start(Sleep.class, "long", 5_000);
    engine.start(Wait.class, "waits", "x");
    engine.start(Queued.class, "before", "before").result(LIMIT);
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      fill();
      System.gc();
    }
    System.out.println("the heap is free again");
    ask(engine);
    System.out.println(END);
    engine.close();
    System.out.println("closed");
    Runtime.getRuntime().halt(0);
  }

  /** Takes all memory that there is, and what becomes free, for a while. */
  private static void fill() {
    var taken = new Object[4_000_000];
    int count = 0;
    for (int size : new int[] {8_192, 64, 0}) count = fill(taken, count, size, taken.length);
    long end = System.nanoTime() + FULL.toNanos();
    while (System.nanoTime() < end) {
      count = fill(taken, count, 0, Math.min(taken.length, count + 1_000));
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static int fill(Object[] taken, int from, int size, int to) {
    int count = from;
    try {
      while (count < to) taken[count++] = new byte[size];
    } catch (OutOfMemoryError full) {
      return count;
    }
    return count;
  }

  private static void ask(Engine engine) {
    tell(
        "signal",
        () -> {
          again(() -> engine.signal("waits", GO, "x", "message"));
          return result(engine, "waits");
        });
    tell(
        "sleep",
        () -> {
          again(() -> engine.start(Sleep.class, "short", 100));
          return result(engine, "short");
        });
    tell(
        "queue",
        () -> {
          again(() -> engine.start(Queued.class, "queued", "two"));
          return result(engine, "queued");
        });
    tell("sleep begun before", () -> result(engine, "long"));
    tell(
        "delayed start",
        () -> {
          var later = StartOptions.defaults().delay(Duration.ofMillis(200));
          again(() -> engine.start(Sleep.class, "later", 10, later));
          return result(engine, "later");
        });
    tell(
        "evicted run",
        () -> {
          again(() -> engine.start(Wait.class, "evicted", "x"));
          while (engine.isInMemory("evicted")) {
            engine.evict("evicted");
            LockSupport.parkNanos(5_000_000);
          }
          again(() -> engine.signal("evicted", GO, "z", "message"));
          return result(engine, "evicted");
        });
    tell(
        "nodes alive",
        () ->
            engine.nodes().stream().filter(n -> n.state() == NodeDescription.State.ALIVE).count());
    tell(
        "health",
        () -> {
          long end = System.nanoTime() + LIMIT.toNanos();
          while (!engine.health().isUp() && System.nanoTime() < end)
            LockSupport.parkNanos(5_000_000);
          return engine.health();
        });
  }

  private static Object result(Engine engine, String id) throws TimeoutException {
    return engine.handle(id, String.class).result(LIMIT);
  }

  /** As the documentation says of errors that are worth another attempt. */
  private static void again(Runnable call) {
    for (int tries = 1; ; tries++) {
      try {
        call.run();
        return;
      } catch (RepriseException e) {
        if (!e.isRetryable() || tries == 10) throw e;
      }
    }
  }

  private static void tell(String what, Callable<Object> asked) {
    Object answer;
    try {
      answer = asked.call();
    } catch (Exception | Error e) {
      answer = e;
    }
    System.out.println(what + ": " + answer);
  }
}

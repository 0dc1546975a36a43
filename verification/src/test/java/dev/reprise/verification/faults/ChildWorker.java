package dev.reprise.verification.faults;

import dev.reprise.ActivityContext;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Workflow;
import dev.reprise.engine.Reprise;
import dev.reprise.verification.chaos.Ledger;
import dev.reprise.verification.chaos.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker in a process of its own, without workflows. SIGTERM closes it in good order.
 *
 * <p>Arguments: URL of the database, ledger, the file that opens the door, concurrency.
 */
final class ChildWorker {
  static final String QUEUE = "mill";

  /** Longer than a JVM takes to start beside others on a busy machine. */
  static final Duration VISIBILITY = Duration.ofSeconds(5);

  static final int ATTEMPTS = 3;

  private ChildWorker() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Processes.endWithParent();
    var ledger = new Ledger(Path.of(args[1])); // never closed: activities write to it to the last
    var engine =
        Reprise.open(args[0])
            .activities(new Stones(ledger, Path.of(args[2])))
            .shutdownGrace(Duration.ofMillis(200))
            .start();
    engine.worker(QUEUE, Integer.parseInt(args[3]));
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(engine::close));
    System.out.println("READY");
    new CountDownLatch(1).await();
  }

  /** What the worker can do. */
  interface Mill {
    String grind(String what) throws InterruptedException;

    String grindAloud(String what) throws InterruptedException;

    String burst(String what);
  }

  /** Each attempt leaves its line. */
  static final class Stones implements Mill {
    private static final long PAUSE_NANOS = 20_000_000;

    private final Ledger ledger;
    private final Path door;

    Stones(Ledger ledger, Path door) {
      this.ledger = ledger;
      this.door = door;
    }

    /** Waits for the door to open, and says nothing meanwhile. */
    @Override
    public String grind(String what) throws InterruptedException {
      return wait(what, false);
    }

    /** The same with heartbeats. */
    @Override
    public String grindAloud(String what) throws InterruptedException {
      return wait(what, true);
    }

    private String wait(String what, boolean aloud) throws InterruptedException {
      write("began " + what);
      for (int beat = 1; !Files.exists(door); beat++) {
        if (aloud) beat(what, beat);
        LockSupport.parkNanos(PAUSE_NANOS);
        if (Thread.interrupted()) throw new InterruptedException();
      }
      write("ended " + what);
      return what + " by attempt " + ActivityContext.current().attempt();
    }

    private void beat(String what, int number) {
      try {
        ActivityContext.current().heartbeat(number);
      } catch (RepriseException refused) {
        write(refused.code() + " " + what);
        throw refused;
      }
    }

    /** Takes its process with it. */
    @Override
    public String burst(String what) {
      write("began " + what);
      Runtime.getRuntime().halt(3);
      return "never";
    }

    private void write(String what) {
      int attempt = ActivityContext.current().attempt();
      ledger.write(what + " " + attempt + " " + ProcessHandle.current().pid());
    }
  }

  /** Asks for one of them. */
  static final class Miller implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String how) throws InterruptedException {
      var options =
          ActivityOptions.onQueue(QUEUE)
              .visibility(VISIBILITY)
              .retry(RetryPolicy.fixed(Duration.ofMillis(10), ATTEMPTS));
      var mill = ctx.activities(Mill.class, options);
      return switch (how) {
        case "grind" -> mill.grind(ctx.workflowId());
        case "aloud" -> mill.grindAloud(ctx.workflowId());
        default -> mill.burst(ctx.workflowId());
      };
    }
  }
}

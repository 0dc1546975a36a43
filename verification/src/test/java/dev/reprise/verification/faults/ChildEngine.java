package dev.reprise.verification.faults;

import dev.reprise.Context;
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
 * An engine in a process of its own, with workflows whose time is known. SIGTERM closes it in good
 * order.
 *
 * <p>Arguments: URL of the database, ledger, lease, the file that opens the door.
 */
final class ChildEngine {
  private ChildEngine() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Processes.endWithParent();
    var ledger = new Ledger(Path.of(args[1])); // never closed: activities write to it to the last
    var engine =
        Reprise.open(args[0])
            .lease(Duration.parse(args[2]))
            .workflow(new Held(new Door(ledger, Path.of(args[3]))))
            .workflow(new Brief())
            .workflow(new Sleeper())
            .start();
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(engine::close));
    System.out.println("READY");
    new CountDownLatch(1).await();
  }

  /** Its only activity waits for the door to open. */
  static final class Held implements Workflow<Integer, String> {
    private final Door door;

    Held(Door door) {
      this.door = door;
    }

    @Override
    public String run(Context ctx, Integer number) {
      return ctx.run(door::pass, ctx.workflowId());
    }
  }

  /** Opens when there is a file of that name. */
  static final class Door {
    private static final long PAUSE_NANOS = 20_000_000;

    private final Ledger ledger;
    private final Path file;

    Door(Ledger ledger, Path file) {
      this.ledger = ledger;
      this.file = file;
    }

    String pass(String workflowId) throws InterruptedException {
      ledger.write("began " + workflowId + " " + ProcessHandle.current().pid());
      while (!Files.exists(file)) {
        LockSupport.parkNanos(PAUSE_NANOS);
        if (Thread.interrupted()) throw new InterruptedException();
      }
      return workflowId;
    }
  }

  /** Three short steps. */
  static final class Brief implements Workflow<Integer, Integer> {
    @Override
    public Integer run(Context ctx, Integer number) {
      int one = ctx.run(Brief::next, number);
      int two = ctx.run(Brief::next, one);
      return ctx.run(Brief::next, two);
    }

    static int next(int number) {
      return number + 1;
    }
  }

  /** Sleeps until tomorrow. */
  static final class Sleeper implements Workflow<Integer, String> {
    @Override
    public String run(Context ctx, Integer number) {
      ctx.sleep(Duration.ofDays(1));
      return "awake";
    }
  }
}

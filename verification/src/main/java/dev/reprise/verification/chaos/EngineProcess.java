package dev.reprise.verification.chaos;

import dev.reprise.RepriseException;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * One engine in a process of its own, that runs until it is killed; SIGTERM closes it in good
 * order.
 *
 * <p>Arguments: URL of the database, ledger, lease.
 */
final class EngineProcess {
  static final String READY = "READY";
  static final String LIVES =
      ".lives"; // what the ledger of whole lives is called, behind the other
  private static final Duration PAUSE = Duration.ofMillis(100);

  private EngineProcess() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Processes.endWithParent();
    var ledger = new Ledger(Path.of(args[1])); // never closed: activities write to it to the last
    var lives = new Ledger(Path.of(args[1] + LIVES));
    var engine = start(args[0], new Load(ledger), lives, Duration.parse(args[2]));
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(engine::close));
    System.out.println(READY);
    new CountDownLatch(1).await();
  }

  /** As a supervisor would: if the database is away, again after a while. */
  private static Engine start(String url, Load load, Ledger lives, Duration lease)
      throws InterruptedException {
    var deeds = new Lives.Deeds(lives);
    while (true) {
      try {
        return Reprise.open(url)
            .lease(lease)
            .loopLimit(Lives.LOOP_LIMIT)
            .activities(deeds, new Parcels.Yard(lives))
            .worker(Parcels.QUEUE, Parcels.CONCURRENCY)
            .workflow(load)
            .workflow(new Lives.Saga(deeds))
            .workflow(new Lives.Kid(deeds))
            .workflow(new Lives.Family())
            .workflow(new Lives.Wheel(deeds))
            .workflow(new Lives.Relay())
            .workflow(new Lives.Sum(deeds))
            .workflow(new Parcels.Round())
            .workflow(new Parcels.Question())
            .start();
      } catch (RepriseException e) {
        if (!e.isRetryable()) throw e;
        Thread.sleep(PAUSE);
      }
    }
  }
}

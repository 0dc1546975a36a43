package dev.reprise.verification.bench;

import java.nio.file.Path;
import java.util.concurrent.ExecutionException;

/**
 * The processes of {@link CrashRecovery}. The first starts the workflows, and lets their steps run
 * when all starts are acknowledged; it is killed. The second only waits for them to complete.
 *
 * <p>Arguments: contestant, URL, ledger, which of the two, number of workflows, steps of each.
 * Prints a word when it is so far.
 */
final class CrashingProcess {
  static final String UP = "up";
  static final String COMPLETED = "completed";
  static final int FIRST = 1;
  static final int SECOND = 2;
  private static final Crowd STARTERS = new Crowd(1_000);
  private static final Crowd WAITERS = new Crowd(16); // few, for they ask the database

  private CrashingProcess() {}

  public static void main(String[] args) throws Exception {
    var contestant = Contestants.named(args[0]);
    int life = Integer.parseInt(args[3]);
    int workflows = Integer.parseInt(args[4]);
    int steps = Integer.parseInt(args[5]);
    try (var ledger = new StepLedger(Path.of(args[2]), life)) {
      if (life == SECOND) ledger.open();
      try (var engine = contestant.open(args[1], new Probes(ledger))) {
        System.out.println(UP);
        if (life == FIRST) start(engine, workflows, steps);
        ledger.open();
        engine.awaitEnds(workflows);
        System.out.println(COMPLETED);
        await(engine, workflows, steps);
      }
    }
  }

  private static void start(Subject engine, int workflows, int steps)
      throws ExecutionException, InterruptedException {
    STARTERS.each(workflows, number -> engine.start(Job.LOGGED, StepLedger.id(number), steps));
  }

  private static void await(Subject engine, int workflows, int steps)
      throws ExecutionException, InterruptedException {
    WAITERS.each(workflows, number -> check(engine, StepLedger.id(number), steps));
  }

  private static void check(Subject engine, String id, int steps) {
    int result = engine.find(Job.LOGGED, id).result();
    if (result == Workflows.sumBelow(steps)) return;
    throw new IllegalStateException("%s gave %d".formatted(id, result));
  }
}

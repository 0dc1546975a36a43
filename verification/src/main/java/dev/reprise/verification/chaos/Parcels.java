package dev.reprise.verification.chaos;

import dev.reprise.ActivityContext;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.Promise;
import dev.reprise.RetryPolicy;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ThreadLocalRandom;

/** Workflows whose activities are on a queue that every engine serves. */
final class Parcels {
  static final String QUEUE = "parcels";
  static final int CONCURRENCY = 8;
  static final int COUNT = 4;

  private static final int LONGEST = 30; // milliseconds
  private static final int STAGES = 5; // of a long way, with a heartbeat behind each
  private static final ActivityOptions CARRIED =
      ActivityOptions.onQueue(QUEUE)
          .visibility(Duration.ofSeconds(1)) // less than a process is frozen
          .retry(RetryPolicy.fixed(Duration.ofMillis(40), 0));

  private Parcels() {}

  /** What workers do. Each attempt leaves its line. */
  interface Carrier {
    int carry(String workflowId, int number) throws InterruptedException;

    int travel(String workflowId) throws InterruptedException;

    void sweep(String workflowId) throws InterruptedException;

    int ask(String workflowId) throws InterruptedException;
  }

  /** Lets parcels be carried side by side, one of them a long way, and has the yard swept. */
  static final class Round implements Workflow<Integer, Integer> {
    @Override
    public Integer run(Context ctx, Integer number) {
      var carrier = ctx.activities(Carrier.class, CARRIED);
      var parcels = new ArrayList<Promise<Integer>>();
      for (int i = 1; i <= COUNT; i++) {
        int parcel = i;
        parcels.add(ctx.async(() -> carrier.carry(ctx.workflowId(), parcel)));
      }
      parcels.add(ctx.async(() -> carrier.travel(ctx.workflowId())));
      ctx.with(CARRIED).schedule("Carrier.sweep", Void.class, ctx.workflowId());
      int sum = number;
      for (int part : ctx.all(parcels)) sum += part;
      return sum;
    }

    static int expected(int number) {
      return number + COUNT * (COUNT + 1) / 2 + STAGES;
    }
  }

  /** Waits for an answer from outside. */
  static final class Question implements Workflow<Integer, Integer> {
    @Override
    public Integer run(Context ctx, Integer number) throws InterruptedException {
      return number + ctx.activities(Carrier.class, CARRIED).ask(ctx.workflowId());
    }
  }

  /** The worker's side. */
  static final class Yard implements Carrier {
    private final Ledger ledger;

    Yard(Ledger ledger) {
      this.ledger = ledger;
    }

    @Override
    public int carry(String workflowId, int number) throws InterruptedException {
      write(workflowId, "carry " + number);
      if (ThreadLocalRandom.current().nextInt(10) == 0) {
        throw new IllegalStateException("dropped on the way");
      }
      return number;
    }

    /** Goes on from where the last attempt was heard of. */
    @Override
    public int travel(String workflowId) throws InterruptedException {
      var context = ActivityContext.current();
      int stage = context.lastHeartbeat(Integer.class).orElse(0);
      while (stage < STAGES) {
        write(workflowId, "stage " + ++stage);
        context.heartbeat(stage);
      }
      return stage;
    }

    @Override
    public void sweep(String workflowId) throws InterruptedException {
      write(workflowId, "sweep");
    }

    @Override
    public int ask(String workflowId) throws InterruptedException {
      write(workflowId, "token " + ActivityContext.current().completeLater());
      return 0;
    }

    private void write(String workflowId, String what) throws InterruptedException {
      Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST));
      ledger.write(workflowId + " " + what);
    }
  }
}

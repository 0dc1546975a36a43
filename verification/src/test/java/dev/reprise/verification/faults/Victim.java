package dev.reprise.verification.faults;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.verification.chaos.Ledger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The process that is killed. It starts workflows that its earlier lives have not started yet,
 * sends signals, and ends when all workflows have.
 *
 * <p>Arguments: database, ledger, number of workflows, seed.
 */
final class Victim {
  static final Signal<Integer> GO = Signal.of("go", Integer.class);
  static final int SIGNALS = 3;
  static final int STEPS = 4;
  private static final int CLIENTS = 8;

  private Victim() {}

  public static void main(String[] args) throws Exception {
    int workflows = Integer.parseInt(args[2]);
    var before = Set.copyOf(Ledger.read(Path.of(args[1])));
    try (var ledger = new Ledger(Path.of(args[1]));
        var engine =
            Reprise.open("jdbc:sqlite:" + args[0])
                .workflow(new Load(new Work(ledger, Long.parseLong(args[3]))))
                .start()) {
      var clients = new ArrayList<Thread>();
      for (int client = 0; client < CLIENTS; client++) {
        int first = client;
        clients.add(
            Thread.startVirtualThread(() -> drive(engine, ledger, first, workflows, before)));
      }
      for (var client : clients) client.join();
      ledger.write("done");
    }
  }

  /** Starts its share of the workflows, signals each three times, and waits for all. */
  private static void drive(
      Engine engine, Ledger ledger, int first, int workflows, Set<String> before) {
    for (int i = first; i < workflows; i += CLIENTS) {
      var id = "w" + i;
      engine.start(Load.class, id, i); // idempotent: this life or an earlier one starts it
      if (!before.contains("started " + id)) ledger.write("started " + id);
    }
    for (int i = first; i < workflows; i += CLIENTS) {
      var id = "w" + i;
      int sent = sent(engine, id);
      for (int k = sent; k < SIGNALS; k++) {
        engine.signal(id, GO, k);
        ledger.write("signalled " + id + " " + k);
      }
    }
    for (int i = first; i < workflows; i += CLIENTS) {
      var result = engine.handle(Load.class, "w" + i).result();
      ledger.write("result w" + i + " " + result);
    }
  }

  /** How many signals the history has: what an earlier life was not told is not sent again. */
  private static int sent(Engine engine, String id) {
    return (int)
        engine.history(id).stream().filter(event -> event.type().equals("SignalReceived")).count();
  }

  /** A bit of everything: steps that may fail, a sleep, parallel steps, signals. */
  static final class Load implements Workflow<Integer, String> {
    private static final ActivityOptions PATIENT =
        ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofMillis(20), 0));

    private final Work work;

    Load(Work work) {
      this.work = work;
    }

    @Override
    public String run(Context ctx, Integer number) {
      var id = ctx.workflowId();
      int sum = 0;
      for (int step = 0; step < STEPS; step++) {
        sum += ctx.with(PATIENT).run(work::step, id, step);
      }
      ctx.sleep(Duration.ofMillis(5));
      var branches =
          List.of(100, 101, 102).stream()
              .map(step -> ctx.async(() -> ctx.run(work::step, id, step)))
              .toList();
      for (int value : ctx.all(branches)) sum += value;
      var received = new ArrayList<Integer>();
      for (int i = 0; i < SIGNALS; i++) received.add(ctx.receive(GO));
      sum += ctx.run(work::step, id, 200);
      return sum + " " + received;
    }
  }

  /** Activities that write down that they began. */
  static final class Work {
    private final Ledger ledger;
    private final Random random;

    Work(Ledger ledger, long seed) {
      this.ledger = ledger;
      this.random = new Random(seed);
    }

    int step(String id, int step) {
      ledger.write("step " + id + " " + step);
      if (step < STEPS && failsNow()) throw new IllegalStateException("not this time");
      return step;
    }

    private synchronized boolean failsNow() {
      return random.nextInt(10) == 0;
    }
  }
}

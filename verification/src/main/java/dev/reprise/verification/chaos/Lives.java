package dev.reprise.verification.chaos;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.Promise;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Update;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Workflows that are undone, have children, go on for ever, and answer requests. */
final class Lives {
  static final int LOOP_LIMIT = 12; // events, so that every loop is cut several times
  static final int DEEDS = 3;
  static final int KIDS = 3;
  static final int TURNS = 10;
  static final int WORDS = 6;
  static final int UPDATES = 4;
  static final Signal<Integer> WORD = Signal.of("word", Integer.class);
  static final Update<Integer, Integer> ADD = Update.of("add", Integer.class, Integer.class);

  private static final int LONGEST_DEED = 15; // milliseconds
  private static final int WORDS_A_RUN = 2;
  private static final ActivityOptions PATIENT =
      ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofMillis(40), 0));

  private Lives() {}

  /** What is done and undone. Each attempt leaves its line. */
  static final class Deeds {
    private final Ledger ledger;

    Deeds(Ledger ledger) {
      this.ledger = ledger;
    }

    int make(String workflowId, int number) throws InterruptedException {
      write(workflowId, "do", number);
      return number;
    }

    void unmake(String workflowId, int number) throws InterruptedException {
      write(workflowId, "undo", number);
    }

    private void write(String workflowId, String what, int number) throws InterruptedException {
      Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST_DEED));
      ledger.write(workflowId + " " + what + " " + number);
    }
  }

  /** Fails after some deeds, or waits for somebody to end it: all is undone. */
  static final class Saga implements Workflow<String, String> {
    private final Deeds deeds;

    Saga(Deeds deeds) {
      this.deeds = deeds;
    }

    @Override
    public String run(Context ctx, String how) {
      var steps = ctx.with(PATIENT);
      for (int i = 1; i <= DEEDS; i++) {
        steps.compensate(deeds::unmake, ctx.workflowId(), i);
        steps.run(deeds::make, ctx.workflowId(), i);
      }
      if (how.equals("fail")) throw new IllegalStateException("as it was told");
      return "word " + ctx.receive(WORD);
    }
  }

  /** Does something and sleeps a little. */
  static final class Kid implements Workflow<Integer, Integer> {
    private final Deeds deeds;

    Kid(Deeds deeds) {
      this.deeds = deeds;
    }

    @Override
    public Integer run(Context ctx, Integer number) {
      int made = ctx.with(PATIENT).run(deeds::make, ctx.workflowId(), number);
      ctx.sleep(Duration.ofMillis(100L * number));
      return made + ctx.receive(WORD);
    }
  }

  /** Adds up what its children return, after it told each of them something. */
  static final class Family implements Workflow<Integer, Integer> {
    @Override
    public Integer run(Context ctx, Integer number) {
      var kids = new ArrayList<Promise<Integer>>();
      for (int i = 1; i <= KIDS; i++) {
        var kid = ctx.start(Kid.class, i);
        kid.signal(WORD, number);
        kids.add(kid.result());
      }
      return ctx.all(kids).stream().mapToInt(Integer::intValue).sum();
    }

    static int expected(int number) {
      return KIDS * (KIDS + 1) / 2 + KIDS * number;
    }
  }

  /** Takes turns in a loop that is cut again and again. */
  static final class Wheel implements Workflow<Integer, Integer> {
    private final Deeds deeds;

    Wheel(Deeds deeds) {
      this.deeds = deeds;
    }

    /** Between two turns. */
    record State(int turn, int sum) {}

    @Override
    public Integer run(Context ctx, Integer number) {
      return ctx.loop(
              new State(0, number),
              state -> {
                if (state.turn() == TURNS) return null;
                int made = ctx.with(PATIENT).run(deeds::make, ctx.workflowId(), state.turn());
                if (state.turn() % 2 == 0) ctx.sleep(Duration.ofMillis(50));
                return new State(state.turn() + 1, state.sum() + made);
              })
          .sum();
    }

    static int expected(int number) {
      return number + TURNS * (TURNS - 1) / 2;
    }
  }

  /** Hears words, two a run. */
  static final class Relay implements Workflow<List<Integer>, String> {
    @Override
    public String run(Context ctx, List<Integer> heard) {
      var all = new ArrayList<>(heard);
      ctx.sleep(Duration.ofMillis(30));
      for (int i = 0; i < WORDS_A_RUN; i++) all.add(ctx.receive(WORD));
      return all.size() < WORDS ? ctx.continueAsNew(all) : all.toString();
    }
  }

  /** Adds what it is asked to, until it hears a word. */
  static final class Sum implements Workflow<Integer, Integer> {
    private final Deeds deeds;

    Sum(Deeds deeds) {
      this.deeds = deeds;
    }

    @Override
    public Integer run(Context ctx, Integer number) {
      var sum = new int[] {number};
      ctx.onUpdate(
          ADD,
          more -> {
            int made = ctx.with(PATIENT).run(deeds::make, ctx.workflowId(), more);
            sum[0] += made;
            return sum[0];
          });
      ctx.receive(WORD);
      return sum[0];
    }
  }
}

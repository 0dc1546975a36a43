package dev.reprise.verification.bench;

import dev.reprise.Context;
import dev.reprise.Deterministic;
import dev.reprise.Promise;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** The workflows that are measured. */
final class Workflows {
  private Workflows() {}

  /** What both workflows with steps return: the sum of the indexes of their steps, if it fits. */
  static int sumBelow(int steps) {
    return (int) ((long) steps * (steps - 1) / 2); // too large ones lose the same bits there
  }

  /** So many steps, one after the other. */
  record Sequence(NoOps steps) implements Workflow<Integer, Integer> {
    @Override
    public Integer run(Context ctx, Integer count) {
      int sum = 0;
      for (int i = 0; i < count; i++) sum += ctx.run(steps::echo, i);
      return sum;
    }
  }

  /** So many steps, one after the other, then a number is waited for and returned. */
  record SequenceAndWait(NoOps steps) implements Workflow<Integer, Integer> {
    @Override
    public Integer run(Context ctx, Integer count) {
      for (int i = 0; i < count; i++) ctx.run(steps::echo, i);
      return ctx.receive(Waiting.NUMBER);
    }
  }

  /** So many steps, all at once. */
  record Parallel(NoOps steps) implements Workflow<Integer, Integer> {
    @Override
    public Integer run(Context ctx, Integer count) {
      var promises = new ArrayList<Promise<Integer>>(count);
      for (int i = 0; i < count; i++) {
        int index = i;
        promises.add(ctx.async(() -> ctx.run(steps::echo, index)));
      }
      int sum = 0;
      for (int index : ctx.all(promises)) sum += index;
      return sum;
    }
  }

  /**
   * Waits for a number and returns it.
   *
   * @param arrived counts the runs that came to the wait, for the one who measures
   */
  record Waiting(AtomicInteger arrived) implements Workflow<Integer, Integer> {
    static final Signal<Integer> NUMBER = Signal.of("number", Integer.class);

    @Override
    @Deterministic(because = "the counter is only written")
    public Integer run(Context ctx, Integer input) {
      if (!ctx.replaying()) arrived.incrementAndGet();
      return ctx.receive(NUMBER);
    }
  }

  /**
   * Sleeps for so many milliseconds.
   *
   * @param alarms learn when it was to wake up and when it did
   */
  record Sleeping(Alarms alarms) implements Workflow<Integer, Integer> {
    @Override
    @Deterministic(because = "the clock is read to measure, and decides nothing")
    public Integer run(Context ctx, Integer millis) {
      alarms.ask(ctx.workflowId());
      ctx.sleep(Duration.ofMillis(millis));
      alarms.wake(ctx.workflowId());
      return 1;
    }
  }

  /** So many steps, one after the other, each of which leaves a line in a file. */
  record Logged(StepLedger ledger) implements Workflow<Integer, Integer> {
    @Override
    public Integer run(Context ctx, Integer count) {
      var id = ctx.workflowId();
      int sum = 0;
      for (int i = 0; i < count; i++) sum += ctx.run(ledger::step, id, i);
      return sum;
    }
  }
}

package dev.reprise.verification.bench;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.Deterministic;
import dev.reprise.Promise;
import dev.reprise.Workflow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;

/** Workflows whose activities are on a queue. */
final class QueuedWorkflows {
  static final String QUEUE = "bench";

  private static final ActivityOptions QUEUED = ActivityOptions.onQueue(QUEUE);

  private QueuedWorkflows() {}

  /** What a worker does: next to nothing. */
  interface Remote {
    int echo(int index);

    /** When it began, in microseconds. */
    long begin();
  }

  /** Now, in microseconds of the clock that processes of one machine share. */
  static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  /** So many at once, joined. */
  static final class AtOnce implements Workflow<Integer, Integer> {
    @Override
    public Integer run(Context ctx, Integer count) {
      var promises = new ArrayList<Promise<Integer>>(count);
      for (int i = 0; i < count; i++) {
        promises.add(ctx.with(QUEUED).schedule("Remote.echo", Integer.class, i));
      }
      int sum = 0;
      for (int index : ctx.all(promises)) sum += index;
      return sum;
    }
  }

  /** So many, one after the other. */
  static final class InTurn implements Workflow<Integer, Integer> {
    @Override
    public Integer run(Context ctx, Integer count) {
      var remote = ctx.activities(Remote.class, QUEUED);
      int sum = 0;
      for (int i = 0; i < count; i++) sum += remote.echo(i);
      return sum;
    }
  }

  /** When something was asked for, and when it began, in microseconds. */
  record Times(long asked, long begun) {}

  /** One, and how long it took until the worker had it. */
  static final class Lone implements Workflow<Integer, Times> {
    @Override
    @Deterministic(because = "the clock is read to measure, and decides nothing")
    public Times run(Context ctx, Integer number) {
      long asked = micros();
      return new Times(asked, ctx.activities(Remote.class, QUEUED).begin());
    }
  }

  /** The worker's side. */
  static final class Echo implements Remote {
    @Override
    public int echo(int index) {
      return index;
    }

    @Override
    public long begin() {
      return micros();
    }
  }
}

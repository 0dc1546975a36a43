package dev.reprise.examples.endless;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;

/** Adds up the points that a customer collects and spends. */
// tag::continue[]
public final class PointsAccount implements Workflow<PointsAccount.State, Long> {
  public static final Signal<Long> POINTS = Signal.of("points", Long.class);
  public static final Signal<String> CLOSE = Signal.of("close", String.class);

  /** All that the next run has to know. */
  public record State(long points) {}

  private static final int RUN = 1_000; // events

  @Override
  public Long run(Context ctx, State state) {
    long points = state.points();
    while (ctx.historySize() < RUN) {
      var next = ctx.receiveAny();
      if (next.is(CLOSE)) return points;
      points += next.value(POINTS);
    }
    return ctx.continueAsNew(new State(points));
  }
}
// end::continue[]

package dev.reprise.examples.cancel;

import dev.reprise.Context;
import dev.reprise.TimedOut;
import dev.reprise.Workflow;
import java.time.Duration;

/** Makes the report of a year, a short one if the long one takes too long. */
public final class YearEnd implements Workflow<Integer, String> {
  private final Reports reports;

  public YearEnd(Reports reports) {
    this.reports = reports;
  }

  // tag::limit[]
  @Override
  public String run(Context ctx, Integer year) {
    try {
      return ctx.withTimeout(Duration.ofHours(2), () -> ctx.run(reports::inFull, year));
    } catch (TimedOut late) {
      return ctx.run(reports::inShort, year);
    }
  }
  // end::limit[]
}

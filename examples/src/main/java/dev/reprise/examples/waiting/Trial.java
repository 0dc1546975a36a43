package dev.reprise.examples.waiting;

import dev.reprise.Context;
import dev.reprise.Workflow;
import java.time.Duration;
import java.time.Instant;

/** Reminds a customer of the end of a trial, and ends it. */
public final class Trial implements Workflow<Instant, Instant> {
  private static final Duration WARNING = Duration.ofDays(3);
  private static final Duration GRACE = Duration.ofHours(12);

  private final Notices notices;

  public Trial(Notices notices) {
    this.notices = notices;
  }

  // tag::sleep[]
  @Override
  public Instant run(Context ctx, Instant end) {
    ctx.sleepUntil(end.minus(WARNING)); // returns at once if that is in the past
    ctx.run(notices::remind, end);

    ctx.sleepUntil(end);
    ctx.sleep(GRACE);
    ctx.run(notices::over);
    return ctx.now(); // the same when the code runs again, which a clock would not be
  }

  // end::sleep[]

  /** What the customer gets to read. */
  public interface Notices {
    void remind(Instant end);

    void over();
  }
}

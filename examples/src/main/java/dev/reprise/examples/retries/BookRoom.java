package dev.reprise.examples.retries;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Workflow;
import java.time.Duration;

/** Books a room, with patience for the hotel's system but not for ever. */
public final class BookRoom implements Workflow<String, String> {
  // tag::options[]
  private static final ActivityOptions PATIENT =
      ActivityOptions.defaults()
          .retry(
              RetryPolicy.exponential(Duration.ofSeconds(2), Duration.ofMinutes(1), 4)
                  .notOn(IllegalArgumentException.class))
          .timeout(Duration.ofSeconds(10)); // of one attempt
  // end::options[]

  private final Hotel hotel;

  public BookRoom(Hotel hotel) {
    this.hotel = hotel;
  }

  // tag::run[]
  @Override
  public String run(Context ctx, String guest) {
    try {
      return ctx.with(PATIENT).run(hotel::book, guest);
    } catch (ActivityFailed failed) {
      if (!failed.is(Hotel.FullyBooked.class)) throw failed; // the workflow fails with it
      ctx.run(hotel::putOnWaitingList, guest);
      return "waiting list";
    }
  }
  // end::run[]
}

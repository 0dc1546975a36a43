package dev.reprise.examples.saga;

import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;

/** Sets up the engine of a travel agency. */
public final class TravelAgency {
  private TravelAgency() {}

  /** Everything that undoes is registered: by then the code of the workflow is gone. */
  public static Engine open(
      String url, Flights flights, Hotels hotels, Cars cars, Bank bank, Mail mail) {
    // tag::register[]
    return Reprise.open(url)
        .workflow(new TripBooking(flights, hotels, bank))
        .activities(flights, hotels, cars, bank)
        .activity("apology", String.class, mail::apologise)
        .start();
    // end::register[]
  }

  /** Letters to travellers. */
  @FunctionalInterface
  public interface Mail {
    void apologise(String traveller);
  }
}

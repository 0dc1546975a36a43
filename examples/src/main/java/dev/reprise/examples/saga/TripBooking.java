package dev.reprise.examples.saga;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Workflow;
import java.time.Duration;

/** Books a flight, a car and a room, and takes the money: all of it or nothing. */
public final class TripBooking implements Workflow<Trip, TripBooking.Booked> {
  // tag::options[]
  /** Whoever has the money tries for a day to give it back. */
  private static final ActivityOptions STUBBORN =
      ActivityOptions.defaults()
          .retry(
              RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(10), 1_000)
                  .maxDuration(Duration.ofDays(1)));

  // end::options[]

  private final Flights flights;
  private final Hotels hotels;
  private final Bank bank;

  public TripBooking(Flights flights, Hotels hotels, Bank bank) {
    this.flights = flights;
    this.hotels = hotels;
    this.bank = bank;
  }

  // tag::run[]
  @Override
  public Booked run(Context ctx, Trip trip) {
    ctx.compensate("apology", trip.traveller()); // first remembered, so it is sent last

    var flight = ctx.run(flights::book, trip);
    ctx.compensate(flights::cancel, flight);

    var cars = ctx.activities(Cars.class);
    var car = cars.rent(trip);
    ctx.compensate(cars::cancel, car);

    var payment = ctx.uuid().toString();
    ctx.with(STUBBORN).compensate(bank::refund, payment); // ahead: a charge may happen unanswered
    ctx.run(bank::charge, payment, trip.cents());

    var room = ctx.run(hotels::book, trip);
    return new Booked(flight, car, room);
  }

  // end::run[]

  /** The numbers of the bookings. */
  public record Booked(String flight, String car, String room) {}
}

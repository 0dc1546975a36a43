package dev.reprise.examples.saga;

import dev.reprise.Context;
import dev.reprise.Workflow;

/** Books a flight and a room at the same time: both or none. */
public final class WeekendTrip implements Workflow<Trip, String> {
  private final Flights flights;
  private final Hotels hotels;

  public WeekendTrip(Flights flights, Hotels hotels) {
    this.flights = flights;
    this.hotels = hotels;
  }

  // tag::scope[]
  @Override
  public String run(Context ctx, Trip trip) {
    return ctx.scope(
        scope -> {
          var flight = scope.fork(() -> bookFlight(ctx, trip));
          var room = scope.fork(() -> bookRoom(ctx, trip));
          return flight.await() + " and " + room.await();
        });
  }

  private String bookFlight(Context ctx, Trip trip) {
    var flight = ctx.run(flights::book, trip);
    ctx.compensate(flights::cancel, flight);
    return flight;
  }

  private String bookRoom(Context ctx, Trip trip) {
    var room = ctx.run(hotels::book, trip);
    ctx.compensate(hotels::cancel, room);
    return room;
  }
  // end::scope[]
}

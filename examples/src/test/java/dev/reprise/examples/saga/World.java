package dev.reprise.examples.saga;

import dev.reprise.TerminalFailure;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;

/** Everybody who can be asked for something, and what is booked at the moment. */
final class World {
  final Set<String> booked = new ConcurrentSkipListSet<>();
  final Queue<String> undone = new ConcurrentLinkedQueue<>();
  final Airline airline = new Airline();
  final Hotel hotel = new Hotel();
  final Garage garage = new Garage();
  final Till till = new Till();
  volatile boolean isFull;
  volatile boolean isTillClosed;

  private String book(String what) {
    booked.add(what);
    return what;
  }

  private void undo(String what) {
    if (booked.remove(what)) undone.add(what);
  }

  void apologise(String traveller) {
    undone.add("sorry, " + traveller);
  }

  final class Airline implements Flights {
    @Override
    public String book(Trip trip) {
      return World.this.book("flight to " + trip.to());
    }

    @Override
    public void cancel(String booking) {
      undo(booking);
    }
  }

  final class Hotel implements Hotels {
    @Override
    public String book(Trip trip) {
      if (isFull) throw new FullyBooked(trip.to());
      return World.this.book("room in " + trip.to());
    }

    @Override
    public void cancel(String booking) {
      undo(booking);
    }
  }

  final class Garage implements Cars {
    @Override
    public String rent(Trip trip) {
      return book("car in " + trip.to());
    }

    @Override
    public void cancel(String booking) {
      undo(booking);
    }
  }

  final class Till implements Bank {
    @Override
    public void charge(String key, long cents) {
      book("money");
    }

    @Override
    public void refund(String key) {
      if (isTillClosed) throw new TerminalFailure("the account is closed");
      undo("money");
    }
  }
}

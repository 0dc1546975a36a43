package dev.reprise.examples.cancel;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.Optional;

/** Keeps a seat until it is paid. Whatever ends the order before that, the seat is free again. */
// tag::workflow[]
public final class TicketOrder implements Workflow<String, String> {
  public static final Signal<String> PAID = Signal.of("paid", String.class);

  private final Seats seats;

  public TicketOrder(Seats seats) {
    this.seats = seats;
  }

  @Override
  public String run(Context ctx, String show) {
    var hold = ctx.run(seats::hold, show);
    boolean paid = false;
    try {
      ctx.receive(PAID);
      paid = true;
    } finally {
      if (!paid) ctx.shielded(() -> ctx.run(seats::free, hold));
    }
    return ctx.run(seats::sell, hold);
  }

  /** Nobody keeps a seat for longer than that. */
  @Override
  public Optional<Duration> timeout() {
    return Optional.of(Duration.ofMinutes(15));
  }
}
// end::workflow[]

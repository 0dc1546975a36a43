package dev.reprise.examples.endless;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.time.Duration;

/** Charges a member of a club every month, until the member leaves. */
// tag::loop[]
public final class Membership implements Workflow<String, Membership.Balance> {
  public static final Signal<String> LEAVE = Signal.of("leave", String.class);

  private static final Duration MONTH = Duration.ofDays(30);

  private final Club club;

  public Membership(Club club) {
    this.club = club;
  }

  @Override
  public Balance run(Context ctx, String member) {
    var card = ctx.run(club::card, member); // ahead of the loop: once in all these years

    return ctx.loop(
        new Balance(0, 0),
        balance -> {
          if (ctx.receive(LEAVE, MONTH).isPresent()) return null; // ends the loop
          long cents = ctx.run(club::charge, card);
          return new Balance(balance.months() + 1, balance.cents() + cents);
        });
  }

  /** What one turn hands to the next. */
  public record Balance(int months, long cents) {}
}
// end::loop[]

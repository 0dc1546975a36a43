package dev.reprise.examples.cancel;

import dev.reprise.Context;
import dev.reprise.Workflow;

/** Prepares everything for a new colleague at the same time; all of it or nothing. */
public final class Onboarding implements Workflow<String, Onboarding.Desk> {
  private final Office office;

  public Onboarding(Office office) {
    this.office = office;
  }

  // tag::fail-fast[]
  @Override
  public Desk run(Context ctx, String colleague) {
    return ctx.scope(
        scope -> {
          var account = scope.fork(() -> ctx.run(office::openAccount, colleague));
          var laptop = scope.fork(() -> ctx.run(office::orderLaptop, colleague));
          var badge = scope.fork(() -> ctx.run(office::printBadge, colleague));
          return new Desk(account.await(), laptop.await(), badge.await());
        });
  }

  // end::fail-fast[]

  /** What a colleague finds on the first day. */
  public record Desk(String account, String laptop, String badge) {}

  /** Those who prepare it. */
  public interface Office {
    String openAccount(String colleague);

    String orderLaptop(String colleague);

    String printBadge(String colleague);
  }
}

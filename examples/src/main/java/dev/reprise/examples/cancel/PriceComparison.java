package dev.reprise.examples.cancel;

import dev.reprise.ActivityFailed;
import dev.reprise.Context;
import dev.reprise.JoinPolicy;
import dev.reprise.Promise;
import dev.reprise.Workflow;
import java.util.ArrayList;
import java.util.List;

/** Asks all suppliers for an offer and lists those who made one. */
public final class PriceComparison
    implements Workflow<PriceComparison.Request, List<PriceComparison.Offer>> {
  private final Suppliers suppliers;

  public PriceComparison(Suppliers suppliers) {
    this.suppliers = suppliers;
  }

  // tag::collect-all[]
  @Override
  public List<Offer> run(Context ctx, Request request) {
    List<Promise<Offer>> answers =
        ctx.scope(
            JoinPolicy.COLLECT_ALL,
            scope ->
                request.suppliers().stream()
                    .map(supplier -> scope.<Offer>fork(() -> ask(ctx, supplier, request)))
                    .toList());

    var offers = new ArrayList<Offer>();
    for (var answer : answers) {
      try {
        offers.add(answer.await()); // all have ended, nothing waits here
      } catch (ActivityFailed noOffer) {
        ctx.logger().log(System.Logger.Level.INFO, noOffer.getMessage());
      }
    }
    return offers;
  }

  private Offer ask(Context ctx, String supplier, Request request) {
    return ctx.run(suppliers::ask, supplier, request.article());
  }

  // end::collect-all[]

  /** What is looked for, and where. */
  public record Request(String article, List<String> suppliers) {
    public Request {
      suppliers = List.copyOf(suppliers);
    }
  }

  /** What a supplier wants for it. */
  public record Offer(String supplier, long cents) {}

  /** Those who sell. */
  @FunctionalInterface
  public interface Suppliers {
    Offer ask(String supplier, String article);
  }
}

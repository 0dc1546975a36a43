package dev.reprise.examples.inside;

import dev.reprise.Context;
import dev.reprise.Key;
import dev.reprise.Query;
import dev.reprise.Signal;
import dev.reprise.Update;
import dev.reprise.Workflow;
import java.util.ArrayList;

/** Collects the documents of an application, rates the customer, and waits for a decision. */
// tag::workflow[]
public final class LoanApplication implements Workflow<Loan, Boolean> {
  public static final Query<String, Boolean> HAS =
      Query.of("has-document", String.class, Boolean.class);
  public static final Update<String, Integer> ADD =
      Update.of("add-document", String.class, Integer.class);
  public static final Key<String> STAGE = Key.of("stage", String.class);
  public static final Signal<Boolean> DECISION = Signal.of("decision", Boolean.class);

  private static final int NEEDED = 2;

  private final Rating rating;

  public LoanApplication(Rating rating) {
    this.rating = rating;
  }

  @Override
  public Boolean run(Context ctx, Loan loan) {
    var documents = new ArrayList<String>();
    ctx.onQuery(HAS, documents::contains);
    ctx.onUpdate(
        ADD,
        document -> { // the validator
          if (documents.contains(document)) throw new IllegalArgumentException("there already");
        },
        document -> {
          documents.add(document);
          return NEEDED - documents.size();
        });
    ctx.attribute("customer", loan.customer());
    ctx.attribute("cents", loan.cents());

    ctx.publish(STAGE, "waiting for documents");
    ctx.await(() -> documents.size() >= NEEDED);

    ctx.publish(STAGE, "rating");
    ctx.attribute("rating", ctx.run(rating::of, loan.customer()));

    ctx.publish(STAGE, "waiting for a decision");
    return ctx.receive(DECISION);
  }
}
// end::workflow[]

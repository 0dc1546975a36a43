package dev.reprise.examples.parallel;

import dev.reprise.Context;
import dev.reprise.Workflow;
import java.util.List;

/** Asks all shops for their price at the same time and returns the lowest. */
public final class PriceSurvey implements Workflow<List<String>, Integer> {
  private final Shops shops;

  public PriceSurvey(Shops shops) {
    this.shops = shops;
  }

  // tag::all[]
  @Override
  public Integer run(Context ctx, List<String> names) {
    var asked = names.stream().map(name -> ctx.async(() -> ctx.run(shops::priceAt, name))).toList();

    return ctx.all(asked).stream().min(Integer::compare).orElseThrow();
  }

  // end::all[]

  /** The shops in town. */
  public interface Shops {
    Integer priceAt(String shop);
  }
}

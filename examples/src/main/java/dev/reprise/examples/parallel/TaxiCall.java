package dev.reprise.examples.parallel;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Workflow;
import java.util.List;

/** Calls all taxis and takes the first that says yes; those that are busy do not count. */
public final class TaxiCall implements Workflow<List<String>, String> {
  private static final ActivityOptions ONCE = ActivityOptions.defaults().retry(RetryPolicy.none());

  private final Taxis taxis;

  public TaxiCall(Taxis taxis) {
    this.taxis = taxis;
  }

  // tag::any[]
  @Override
  public String run(Context ctx, List<String> drivers) {
    var called =
        drivers.stream()
            .map(driver -> ctx.async(() -> ctx.with(ONCE).run(taxis::call, driver)))
            .toList();

    return ctx.any(called); // throws what the last one failed with, if all are busy
  }

  // end::any[]

  /** The taxis in town. */
  public interface Taxis {

    /** Returns the name of the driver, or throws if the driver is busy. */
    String call(String driver);
  }
}

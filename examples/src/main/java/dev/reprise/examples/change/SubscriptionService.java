package dev.reprise.examples.change;

import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.time.Duration;

/** Starts the engine of the application, with the workflows that a check finds too. */
public final class SubscriptionService {
  private SubscriptionService() {}

  /** Closed subscriptions are forgotten after a year. */
  public static Engine start(String url) {
    // tag::retention[]
    var reprise = Reprise.open(url).retention(Duration.ofDays(365));
    // end::retention[]
    new SubscriptionWorkflows().register(reprise);
    return reprise.start();
  }
}

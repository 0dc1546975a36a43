package dev.reprise.examples.change;

import dev.reprise.engine.Reprise;
import dev.reprise.engine.Workflows;
import java.nio.file.Path;

// tag::workflows[]
/** All workflows of this application: for its engine, and for those who check a release. */
public final class SubscriptionWorkflows implements Workflows {
  @Override
  public void register(Reprise engine) {
    engine.workflow(new Subscription(new Letters(Path.of("letters"))));
  }
}
// end::workflows[]

package dev.reprise.examples.outside;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Workflow;
import java.time.Duration;

/** Hires somebody who signs the contract within two weeks. */
public final class Hiring implements Workflow<String, String> {
  // tag::workflow[]
  @Override
  public String run(Context ctx, String email) {
    var options =
        ActivityOptions.onQueue("signing")
            .totalTimeout(Duration.ofDays(14))
            .retry(RetryPolicy.none()); // who does not want to sign is not asked again
    var signing = ctx.activities(Signing.class, options);
    try {
      var signature = signing.sign("contract", email); // waits for days, and needs no thread
      return "hired, see " + signature.document();
    } catch (ActivityFailed unsigned) {
      return "not hired: " + unsigned.failureMessage();
    }
  }
  // end::workflow[]
}

package dev.reprise.examples.waiting;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.HashMap;

/** Counts votes as they come in, until so many agree or the day is over. */
// tag::await[]
public final class Vote implements Workflow<Integer, Boolean> {
  public static final Signal<Ballot> BALLOT = Signal.of("ballot", Ballot.class);

  public record Ballot(String voter, boolean agrees) {}

  @Override
  public Boolean run(Context ctx, Integer needed) {
    var ballots = new HashMap<String, Boolean>(); // the last ballot of a voter counts

    ctx.async(
        () -> {
          for (; ; ) {
            var ballot = ctx.receive(BALLOT);
            ballots.put(ballot.voter(), ballot.agrees());
          }
        });

    return ctx.await(
        Duration.ofDays(1),
        () -> ballots.values().stream().filter(agrees -> agrees).count() >= needed);
  }
}
// end::await[]

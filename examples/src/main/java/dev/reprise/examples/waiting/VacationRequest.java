package dev.reprise.examples.waiting;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.time.Duration;

/** Waits for a decision; if none comes within a week, the answer is no. */
// tag::receive[]
public final class VacationRequest implements Workflow<String, String> {
  public static final Signal<Decision> DECISION = Signal.of("decision", Decision.class);

  public record Decision(boolean granted, String by) {}

  @Override
  public String run(Context ctx, String employee) {
    return ctx.receive(DECISION, Duration.ofDays(7))
        .map(decision -> (decision.granted() ? "granted by " : "refused by ") + decision.by())
        .orElse("refused: nobody decided");
  }
}
// end::receive[]

package dev.reprise.server;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.math.BigDecimal;
import java.time.Duration;

/** A workflow that waits for somebody, and may have a mistake that blocks it. */
final class Approval implements Workflow<String, String> {
  static final Signal<Decision> DECISION = Signal.of("decision", Decision.class);

  private final boolean isMended;

  Approval(boolean isMended) {
    this.isMended = isMended;
  }

  record Decision(String by, BigDecimal amount) {}

  @Override
  public String run(Context ctx, String what) {
    if (!isMended && what.equals("mistake")) throw new AssertionError("not mended yet");
    var decision = ctx.receive(DECISION);
    var again = ctx.receive(DECISION, Duration.ofMillis(1));
    return "%s by %s for %s%s"
        .formatted(what, decision.by(), decision.amount(), again.isPresent() ? ", twice" : "");
  }
}

package dev.reprise.examples.parallel;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.TimedOut;
import dev.reprise.Workflow;
import java.time.Duration;

/** Has a text translated by people, or by a machine if they take longer than a day. */
public final class Translation implements Workflow<String, String> {
  public static final Signal<String> DRAFT = Signal.of("draft", String.class);
  public static final Signal<String> REVIEW = Signal.of("review", String.class);

  private final Machine machine;

  public Translation(Machine machine) {
    this.machine = machine;
  }

  // tag::with-timeout[]
  @Override
  public String run(Context ctx, String text) {
    try {
      return ctx.withTimeout(
          Duration.ofDays(1),
          () -> {
            var draft = ctx.receive(DRAFT);
            return draft + ", reviewed by " + ctx.receive(REVIEW);
          });
    } catch (TimedOut late) {
      return ctx.run(machine::translate, text);
    }
  }

  // end::with-timeout[]

  /** Fast, and not as good. */
  public interface Machine {
    String translate(String text);
  }
}

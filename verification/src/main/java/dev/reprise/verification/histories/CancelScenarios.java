package dev.reprise.verification.histories;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.WorkflowCancelled;
import java.time.Duration;
import java.util.List;

/** Cancelled runs, and signals with ids. Never change one of these: see the package. */
final class CancelScenarios {
  private static final Duration MONTH = Duration.ofDays(30);
  private static final ActivityOptions DAILY =
      ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofDays(1), 10));

  private final Desk desk;

  CancelScenarios(Desk desk) {
    this.desk = desk;
  }

  List<Scenario> all() {
    return List.of(
        Scenario.closed("cancelled", this::cancelled, run -> cancel(run, "sleep:1")),
        Scenario.closed("cancelled-and-cleaned-up", this::cleanedUp, run -> cancel(run, "word")),
        Scenario.closed(
            "cancelled-between-attempts",
            this::betweenAttempts,
            run -> {
              run.awaitEvents("ActivityRetryScheduled", 1);
              cancel(run, "repaired");
            }),
        Scenario.open(
            "cancelled-in-an-activity", this::inAnActivity, run -> cancel(run, "patient")),
        Scenario.closed("messages", this::messages, CancelScenarios::sendTwice));
  }

  private static void cancel(Run run, String waitingFor) {
    run.awaitWait(waitingFor);
    run.engine().cancel(run.id(), "not wanted any more");
  }

  private String cancelled(Context ctx, String input) {
    ctx.async(() -> ctx.receive(WaitScenarios.WORD));
    ctx.run(desk::greet, input);
    ctx.sleep(MONTH);
    return "slept";
  }

  private String cleanedUp(Context ctx, String input) {
    try {
      return ctx.receive(WaitScenarios.WORD, MONTH).orElse("");
    } catch (WorkflowCancelled cancelled) {
      return "cleaned up: " + cancelled.reason();
    }
  }

  private String betweenAttempts(Context ctx, String input) {
    return ctx.with(DAILY).run(desk::repaired);
  }

  private String inAnActivity(Context ctx, String input) {
    return ctx.run(desk::patient) + ctx.run(desk::greet, input);
  }

  private String messages(Context ctx, String input) {
    return ctx.receive(WaitScenarios.WORD) + ctx.receive(WaitScenarios.NUMBER);
  }

  private static void sendTwice(Run run) {
    var engine = run.engine();
    engine.signal(run.id(), WaitScenarios.WORD, "once", "message-1");
    engine.signal(run.id(), WaitScenarios.WORD, "once", "message-1");
    engine.signal(run.id(), WaitScenarios.NUMBER, 1, "message-2");
  }
}

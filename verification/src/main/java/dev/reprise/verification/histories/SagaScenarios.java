package dev.reprise.verification.histories;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import java.time.Duration;
import java.util.List;

/** What is undone. Never change one of these: see the package. */
final class SagaScenarios {
  private static final ActivityOptions ONCE = ActivityOptions.defaults().retry(RetryPolicy.none());
  private static final ActivityOptions DAILY =
      ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofDays(1), 10));

  private final Desk desk;

  SagaScenarios(Desk desk) {
    this.desk = desk;
  }

  List<Scenario> all() {
    return List.of(
        Scenario.closed("undone", this::fails),
        Scenario.closed("undone-after-a-cancel", this::waits, SagaScenarios::cancel),
        Scenario.closed(
            "undone-after-a-terminate",
            this::waits,
            run -> {
              run.awaitWait("word");
              run.engine().terminate(run.id(), "smoke", true);
            }),
        Scenario.closed("not-undone", this::succeeds),
        Scenario.open(
            "undoing",
            this::failsSlowly,
            run -> {
              run.awaitEvents("ActivityRetryScheduled", 1);
              run.awaitStatus(Status.COMPENSATING);
            }),
        Scenario.open("undo-failed", this::failsForGood, SagaScenarios::resumeInVain)
            .finishedBy(run -> run.engine().resume(run.id())));
  }

  private static void cancel(Run run) {
    run.awaitWait("word");
    run.engine().cancel(run.id(), "not wanted any more");
  }

  private static void resumeInVain(Run run) {
    run.awaitStatus(Status.COMPENSATION_FAILED);
    run.engine().resume(run.id());
    run.awaitEvents("CompensationFailed", 2);
    run.awaitStatus(Status.COMPENSATION_FAILED);
  }

  private String fails(Context ctx, String input) {
    ctx.run(desk::greet, input);
    ctx.compensate(desk::greet, input);
    ctx.with(ONCE).compensate(desk::order, input, 2);
    throw new IllegalStateException("no room");
  }

  private String waits(Context ctx, String input) {
    ctx.compensate(desk::hello);
    return ctx.receive(WaitScenarios.WORD);
  }

  private String succeeds(Context ctx, String input) {
    ctx.compensate(desk::hello);
    return ctx.run(desk::greet, input);
  }

  private String failsSlowly(Context ctx, String input) {
    ctx.compensate(desk::hello);
    ctx.with(DAILY).compensate(desk::repaired);
    ctx.compensate(desk::greet, input);
    throw new IllegalStateException("no room");
  }

  private String failsForGood(Context ctx, String input) {
    ctx.compensate(desk::hello);
    ctx.with(ONCE).compensate(desk::repaired);
    throw new IllegalStateException("no room");
  }
}

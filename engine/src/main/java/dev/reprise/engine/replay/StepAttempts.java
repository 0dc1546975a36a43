package dev.reprise.engine.replay;

import dev.reprise.engine.decide.Input;
import dev.reprise.engine.replay.Baton.Message;
import dev.reprise.engine.store.RunRow;
import java.util.Objects;

/**
 * Runs the functions of steps, each on the thread of the fiber that asked for it, without the
 * baton, and once everything that the run recorded before is durable.
 */
final class StepAttempts implements Stage.Attempts {
  private final RunSettings settings;
  private final RunPort port;
  private final RunRow row;
  private final Stage stage;
  private final Runnable beforeEffect;
  private final Happenings run;

  StepAttempts(
      RunSettings settings,
      RunPort port,
      RunRow row,
      Stage stage,
      Runnable beforeEffect,
      Happenings run) {
    this.settings = settings;
    this.row = row;
    this.port = port;
    this.stage = stage;
    this.beforeEffect = beforeEffect;
    this.run = run;
  }

  @Override
  public Message make(Wait wait) {
    var step = Objects.requireNonNull(wait.step);
    try {
      if (wait.barrier != null) wait.barrier.await();
      beforeEffect.run();
    } catch (RuntimeException notDurable) {
      return back(wait, () -> run.lost(notDurable));
    }
    if (!stage.cast().mayAct()) return back(wait, () -> {});
    wait.site(); // while it can be found
    var context = Objects.requireNonNull(wait.running);
    context.begins();
    var attempt = Attempt.make(step, context, settings, port);
    return back(wait, () -> attempted(wait, step, attempt));
  }

  /** The message of a fiber that comes back inside. */
  private Message back(Wait wait, Runnable handling) {
    return Message.of(
        () -> {
          wait.fiber.backInside();
          wait.running = null;
          run.stepEnded();
          handling.run();
          if (stage.cast().isDead()) stage.cast().unwind(wait.fiber);
        },
        () -> {
          wait.fiber.backInside();
          stage.cast().unwind(wait.fiber);
        });
  }

  /** What the next attempt, which is about to begin, knows about itself. */
  void prepare(Wait wait) {
    var id = Objects.requireNonNull(wait.step).call().id();
    int attempt = stage.state().failedAttempts(id) + 1;
    wait.running =
        new AttemptContext(row.workflowId(), row.runId(), id, attempt, settings.machine());
  }

  private void attempted(Wait wait, Step step, Attempt attempt) {
    switch (attempt) {
      case Attempt.Returned(var payload, var value) -> {
        wait.value = value;
        run.enter(
            step.undo()
                ? new Input.UndoReturned(step.call())
                : new Input.StepReturned(step.call(), payload),
            wait.site());
      }
      case Attempt.Mistaken(var mistake) when step.undo() ->
          threw(wait, step, new Attempt.Threw(Failures.of(mistake), true, null));
      case Attempt.Mistaken(var mistake) -> run.mistaken(mistake);
      case Attempt.Threw threw -> threw(wait, step, threw);
    }
  }

  private void threw(Wait wait, Step step, Attempt.Threw threw) {
    double luck = settings.machine().random().nextDouble();
    boolean unwanted = wait.fiber.isCancelled();
    var retrying =
        new Input.Retrying(
            step.retry(), step.askedAt(), threw.terminal(), unwanted, threw.after(), luck);
    run.enter(
        step.undo()
            ? new Input.UndoThrew(step.call(), threw.failure(), retrying)
            : new Input.StepThrew(step.call(), threw.failure(), retrying),
        wait.site());
  }
}

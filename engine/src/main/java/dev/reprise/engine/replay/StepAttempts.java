package dev.reprise.engine.replay;

import dev.reprise.engine.decide.Input;
import dev.reprise.engine.replay.Baton.Message;
import java.util.Objects;

/**
 * Runs the functions of steps, each on the thread of the fiber that asked for it, without the
 * baton, and once everything that the run recorded before is durable.
 */
final class StepAttempts implements Stage.Attempts {
  private final RunSettings settings;
  private final RunPort port;
  private final Stage stage;
  private final Runnable beforeEffect;
  private final Happenings run;

  StepAttempts(
      RunSettings settings, RunPort port, Stage stage, Runnable beforeEffect, Happenings run) {
    this.settings = settings;
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
    if (!stage.mayAct()) return back(wait, () -> {});
    var attempt = Attempt.make(step, settings, port);
    return back(wait, () -> attempted(wait, step, attempt));
  }

  /** The message of a fiber that comes back inside. */
  private Message back(Wait wait, Runnable handling) {
    return Message.of(
        () -> {
          wait.fiber.backInside();
          run.stepEnded();
          handling.run();
          if (stage.isDead()) stage.unwind(wait.fiber);
        },
        () -> {
          wait.fiber.backInside();
          stage.unwind(wait.fiber);
        });
  }

  private void attempted(Wait wait, Step step, Attempt attempt) {
    switch (attempt) {
      case Attempt.Returned(var payload, var value) -> {
        wait.value = value;
        run.enter(new Input.StepReturned(step.call(), payload), wait.site);
      }
      case Attempt.Threw(var failure, var terminal) -> {
        boolean last = terminal || wait.fiber.isCancelled();
        double luck = settings.machine().random().nextDouble();
        var retrying = new Input.Retrying(step.retry(), step.askedAt(), last, luck);
        run.enter(new Input.StepThrew(step.call(), failure, retrying), wait.site);
      }
    }
  }
}

package dev.reprise.engine.replay;

import dev.reprise.engine.decide.Input;
import java.time.Instant;
import java.util.Objects;

/**
 * Watches the times of a run's waits: the ends of sleeps, the limits of other waits, the next
 * attempts of steps. Only live: while the code catches up, the history says what became due.
 *
 * <p>Belongs to whoever holds the baton.
 */
final class Deadlines {
  private final Stage stage;
  private final Baton baton;
  private final RunPort port;
  private final Happenings run;

  Deadlines(Stage stage, Baton baton, RunPort port, Happenings run) {
    this.stage = stage;
    this.baton = baton;
    this.port = port;
    this.run = run;
  }

  /** Watches the times of new waits. */
  void watch() {
    for (var wait : stage.waits().takeToArm()) {
      if (!wait.done && wait.due != null) wait.timer = port.at(wait.due, new Alarm(wait));
    }
  }

  /** The time of a wait: when it has come, the run is told. */
  private final class Alarm implements Runnable, Baton.Message {
    private final Wait wait;

    private Alarm(Wait wait) {
      this.wait = wait;
    }

    @Override
    public void run() {
      baton.post(this);
    }

    @Override
    public void handle() {
      due(wait);
    }
  }

  /** Watches the time that the run may take. */
  RunPort.Timer watchRun(Instant due) {
    var message = Baton.Message.of(() -> run.enter(new Input.TimeLimit(due), null), () -> {});
    return port.at(due, () -> baton.post(message));
  }

  private void due(Wait wait) {
    if (wait.done || wait.due == null) return;
    var id = Objects.requireNonNull(wait.id);
    switch (wait.kind) {
      case STEP -> {
        run.wake();
        wait.due = null;
        stage.waits().launch(wait);
      }
      case SLEEP -> run.enter(new Input.TimerDue(id), null);
      case SIGNAL, CONDITION, PROMISE ->
          run.enter(new Input.WaitDue(id, Objects.requireNonNull(wait.due)), wait.site());
    }
  }

  /**
   * Branches that were given up do not try again. An attempt that runs is left to end. Each is an
   * event of its own: what follows from one comes before the next, as it does in a replay.
   */
  void giveUpRetries() {
    var waits = stage.waits().toGiveUp();
    while (!waits.isEmpty() && !baton.hasReady()) {
      var wait = waits.removeFirst();
      if (wait.done || wait.due == null) continue;
      var call = Objects.requireNonNull(wait.step).call();
      run.enter(new Input.StepGivenUp(call), wait.site());
    }
  }
}

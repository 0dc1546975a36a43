package dev.reprise.engine.replay;

import dev.reprise.engine.replay.Baton.Message;

/** What the baton asks of a run, in the order in which things come. */
final class RunRounds implements Baton.Rounds {
  private final LiveRun run;

  RunRounds(LiveRun run) {
    this.run = run;
  }

  @Override
  public boolean mayRun() {
    return run.isDead() || !(run.isEnding() || run.hasCodeEnded());
  }

  @Override
  public boolean nextEvent() {
    if (run.isDead() || run.isLeaving() || !run.hasBegun()) return false;
    try {
      boolean played = !run.hasCodeEnded() && run.stage().nextEvent();
      return played || nextInput();
    } catch (RuntimeException | Error mistake) {
      return mistaken(mistake);
    }
  }

  /** Blocks the run, unless it is dropped with all others: false then. */
  private boolean mistaken(Throwable mistake) {
    if (mistake instanceof VirtualMachineError error
        && !(error instanceof StackOverflowError)
        && run.hasFailed(error)) {
      return false;
    }
    run.block(mistake);
    return true;
  }

  private boolean nextInput() {
    boolean any = run.nextInput();
    if (any) run.flushIfFull();
    return any;
  }

  @Override
  public void accept(Message message) {
    if (run.isDead()) message.refuse();
    else if (!isOpen() && !message.isInternal()) run.defer(message);
    else handle(message);
    run.flushIfFull();
  }

  /** Between its begin and its end; after that, only inputs go into the history. */
  private boolean isOpen() {
    return run.hasBegun() && !run.isEnding() && !run.hasCodeEnded();
  }

  private void handle(Message message) {
    try {
      message.handle();
    } catch (RuntimeException | Error mistake) {
      mistaken(mistake);
    }
  }

  @Override
  public void idle() {
    if (run.isDead() || run.isEnding() || !run.hasBegun()) return;
    try {
      run.settle();
    } catch (RuntimeException | Error mistake) {
      mistaken(mistake);
    }
  }
}

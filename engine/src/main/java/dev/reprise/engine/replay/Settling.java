package dev.reprise.engine.replay;

import dev.reprise.engine.replay.LiveRun.Snapshot;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a run does when all its fibers wait and nothing has arrived: it hands over what it recorded,
 * lets activities begin, and parks, leaves or ends. Belongs to whoever holds the baton.
 */
final class Settling {
  private final LiveRun run;
  private final RunPort port;
  private final Baton baton;
  private final Outbox outbox;
  private final StepAttempts attempts;
  private final Deadlines deadlines;
  private final ChildStarts childStarts;
  private final TimeLimit timeLimit;
  private final Ending ending;
  private final StoredWake storedWake;
  private int inFlight; // activities that run now
  private boolean parked;
  private boolean stopping; // begins no activity any more

  Settling(
      LiveRun run,
      RunPort port,
      Baton baton,
      Outbox outbox,
      StepAttempts attempts,
      Deadlines deadlines,
      ChildStarts childStarts,
      TimeLimit timeLimit,
      Ending ending) {
    this.run = run;
    this.port = port;
    this.baton = baton;
    this.outbox = outbox;
    this.attempts = attempts;
    this.deadlines = deadlines;
    this.childStarts = childStarts;
    this.timeLimit = timeLimit;
    this.ending = ending;
    this.storedWake = new StoredWake(run.row().wakeAt(), port.now());
  }

  /**
   * @param fetching whether inputs are on their way from the store
   */
  void settle(boolean fetching) {
    childStarts.lookAt(run.stage().state());
    if (ending.hasCodeEnded()) {
      settleEnd(fetching);
      return;
    }
    timeLimit.watch();
    deadlines.giveUpRetries();
    if (baton.hasReady()) return;
    deadlines.watch();
    boolean idle = inFlight == 0 && childStarts.isDone();
    boolean waiting = idle && (stopping || waits().toLaunch().isEmpty());
    if (stopping && waiting) {
      ending.release(waits().toLaunch().isEmpty() ? earliestDue() : port.now());
      return;
    }
    flush(waiting);
    childStarts.begin(outbox.last());
    launch();
    if (waiting) park();
  }

  /** What asked for children is handed over first, so that they exist when they are told. */
  private void settleEnd(boolean fetching) {
    if (!childStarts.isDone()) {
      startChildren();
      return;
    }
    var continuation = ending.continuation();
    boolean ready = continuation == null ? !fetching : continuation.next() != null;
    if (ready) ending.closeAgain(run.now());
  }

  /** Hands over what asked for children, so that their starts come behind it. */
  void startChildren() {
    if (run.stage().isReplaying()) return;
    childStarts.lookAt(run.stage().state());
    if (childStarts.areWaiting()) flushActive();
  }

  /**
   * Hands over what there is before all fibers wait. The row says that there is something to do:
   * should the engine die now, somebody goes on.
   */
  void flushActive() {
    outbox.flush(storedWake.activeSince(port.now()));
    childStarts.begin(outbox.last());
  }

  private void flush(boolean waiting) {
    var change =
        waiting ? storedWake.parkedUntil(earliestDue()) : storedWake.activeSince(port.now());
    boolean launches = !stopping && !waits().toLaunch().isEmpty();
    boolean nothing = outbox.isEmpty() && change instanceof RunChange.None;
    if (nothing && !(launches && run.stage().owesCode())) return;
    run.stage().noteCode();
    outbox.flush(change, launches);
  }

  private void launch() {
    if (stopping || waits().toLaunch().isEmpty()) return;
    for (var wait : waits().toLaunch()) {
      inFlight++;
      wait.barrier = outbox.last();
      attempts.prepare(wait);
      wait.fiber.launch();
    }
    waits().toLaunch().clear();
  }

  private void park() {
    if (parked) return;
    parked = true;
    port.parked(run);
  }

  void wake() {
    if (!parked) return;
    parked = false;
    port.woken(run);
  }

  void stepEnded() {
    inFlight--;
  }

  /** Begins no activity any more. */
  void stop() {
    stopping = true;
  }

  /** Leaves memory if it is parked; not if it would have to come back by then. */
  void evict(Instant soon) {
    if (!parked) return;
    var due = earliestDue();
    if (due == null || due.isAfter(soon)) ending.release(due);
  }

  /** When the run has to do something again, or null if only an input can make it. */
  private @Nullable Instant earliestDue() {
    return timeLimit.orEarlier(waits().earliestDue());
  }

  private Waits waits() {
    return run.stage().waits();
  }

  Snapshot look(boolean fetching) {
    boolean ends = ending.isUnderWay() || ending.hasCodeEnded();
    boolean mail = !baton.isMailboxEmpty(); // perhaps a timer that has gone off
    boolean busy =
        ends || mail || fetching || !outbox.isEmpty() || !childStarts.isDone() || !isSettled();
    int activities = inFlight + waits().toLaunch().size();
    return new Snapshot(activities, run.stage().state().size(), busy);
  }

  /** Whether what it waits for has begun: activities, or else time and inputs. */
  private boolean isSettled() {
    boolean begins =
        waits().hasToArm() || !waits().toLaunch().isEmpty() || !waits().toGiveUp().isEmpty();
    return run.hasBegun() && !begins && (parked || inFlight > 0);
  }
}

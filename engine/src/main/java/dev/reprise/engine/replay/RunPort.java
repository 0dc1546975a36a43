package dev.reprise.engine.replay;

import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.journal.Ticket;
import dev.reprise.engine.store.Transition;
import java.time.Instant;

/** What a run in memory needs from the rest of the engine. No call may block but one. */
public interface RunPort {

  /** The engine's time, to the microsecond; never goes back. */
  Instant now();

  /** Queues a transition for the disk. */
  Ticket append(Transition transition);

  /** Queues a transition for which a thread of the run is going to wait at once. */
  Ticket appendAwaited(Transition transition);

  /** Calls back then, or a little later, never earlier. */
  Timer at(Instant due, Runnable action);

  /**
   * Waits until it is certain that this node still has the run: before anything is done that the
   * outside world can see. The one call that may block.
   *
   * @throws RuntimeException if another node may have it
   */
  void beforeEffect(LiveRun run);

  /** The run waits for time or for inputs only. */
  void parked(LiveRun run);

  /** A parked run goes on. */
  void woken(LiveRun run);

  /** Inputs of this run wait in the store: read them and hand them to it. */
  void fetchInputs(LiveRun run);

  /** The code made a mistake, for which the run is going to be blocked: tells people. */
  default void blocking(LiveRun run, Throwable mistake) {
    run.warnOf(mistake);
  }

  /** The run is not in memory any more. */
  void ended(LiveRun run, End end);

  /** A pending call back. */
  interface Timer {
    void cancel();
  }

  /** How a run left memory. */
  sealed interface End {
    /** It is closed, durably. */
    record Closed(Recorded terminal) implements End {}

    /** It is blocked, durably. */
    record Blocked(String reason) implements End {}

    /** It waits in the store, for this node or another. */
    record Released() implements End {}

    /** What it did last could not be made durable. The store has the truth. */
    record Lost(RuntimeException why) implements End {}
  }
}

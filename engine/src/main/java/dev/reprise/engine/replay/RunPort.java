package dev.reprise.engine.replay;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ChildStarted;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.journal.Ticket;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Delivery;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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

  /**
   * Starts a child, behind everything that was queued before.
   *
   * @param asked the transition that may have the event that asked for it: if that is refused, the
   *     child must not begin; null if the event is durable
   * @return whether the child is this run's; false if its id is in use by another workflow
   */
  CompletableFuture<Boolean> startChild(LiveRun run, ChildStarted child, @Nullable Ticket asked);

  /** Inputs for other workflows wait in the store: tells those who have them. */
  default void delivered(List<Delivery> deliveries) {}

  /** There is something to do on a queue. */
  default void scheduled(String queue) {}

  /** What is on a queue must not wait longer than until then. */
  default void overdueAt(Instant then) {}

  /** Activities on queues are not wanted any more. */
  default void unwanted() {}

  /** The number and id of a run with which a workflow goes on, and the first events of this one. */
  CompletableFuture<Next> next(LiveRun run, int events);

  /**
   * What a new run needs from outside.
   *
   * @param key its number
   * @param copied the first events of the run before, as many as were asked for
   */
  record Next(long key, UUID runId, List<EventRow> copied) {}

  /** The code made a mistake, for which the run is going to be blocked: tells people. */
  default void blocking(LiveRun run, Throwable mistake) {}

  /** That was recorded just now, and not when the code followed its history: tells people. */
  default void noted(RunRow row, Event event) {}

  /**
   * The engine's own part of a round met an error that is no fault of the code, such as a full
   * heap.
   *
   * @return whether the run is dropped for it, with everything else that is in memory
   */
  default boolean failed(Error error) {
    return false;
  }

  /** Whether an engine may have that workflow: this one, or one in another process. */
  default boolean mayRun(String workflow) {
    return true;
  }

  /** Whether a worker may have that activity: of this engine, or in another process. */
  default boolean mayCall(String activity) {
    return true;
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

    /** It is closed, and the workflow goes on with another run, which is this node's. */
    record Continued(Recorded terminal, RunRow next, List<EventRow> events) implements End {}

    /** Its code has ended, durably, and it is to come back to be undone. */
    record Undoing() implements End {}

    /** It is blocked, durably. */
    record Blocked(String reason) implements End {}

    /** It waits in the store, for this node or another. */
    record Released() implements End {}

    /** What it did last could not be made durable. The store has the truth. */
    record Lost(RuntimeException why) implements End {}
  }
}

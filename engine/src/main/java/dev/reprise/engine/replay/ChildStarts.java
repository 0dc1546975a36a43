package dev.reprise.engine.replay;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.engine.decide.Input;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ChildStarted;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.journal.Ticket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that the children a history has really are: each is started behind the event that
 * asked for it, and again when the run comes back into memory, since nobody knows how far that got.
 * Belongs to whoever holds the baton.
 */
final class ChildStarts {
  private final LiveRun run;
  private final RunPort port;
  private final Happenings happenings;
  private final List<ChildStarted> waiting =
      new ArrayList<>(0); // for their event to be handed over
  private int underWay;
  private boolean looked; // at the children that the history had when the run came into memory

  ChildStarts(LiveRun run, RunPort port, Happenings happenings) {
    this.run = run;
    this.port = port;
    this.happenings = happenings;
  }

  void add(ChildStarted child) {
    waiting.add(child);
  }

  /** Whether none is on its way. */
  boolean isDone() {
    return waiting.isEmpty() && underWay == 0;
  }

  boolean areWaiting() {
    return !waiting.isEmpty();
  }

  /** The code has caught up: children that the history has open may not have been started. */
  void lookAt(RunState state) {
    if (looked) return;
    looked = true;
    for (var child : state.life().childrenInOrder()) { // of two with one id the first is started
      if (!waiting.contains(child)) waiting.add(child);
    }
  }

  /**
   * What asked for them was handed to the journal: their starts come behind it.
   *
   * @param asked the last transition that was handed over, if any was
   */
  void begin(@Nullable Ticket asked) {
    var children = List.copyOf(waiting);
    waiting.clear();
    for (var child : children) {
      underWay++;
      var _ =
          port.startChild(run, child, asked)
              .whenComplete(
                  (isOurs, failure) -> run.internally(() -> begun(child, isOurs, failure)));
    }
  }

  private void begun(ChildStarted child, @Nullable Boolean isOurs, @Nullable Throwable failure) {
    underWay--;
    if (failure != null) {
      happenings.lost(
          failure instanceof RuntimeException e ? e : new IllegalStateException(failure));
    } else if (!Boolean.TRUE.equals(isOurs)) {
      happenings.enter(
          new Input.ChildEnded(
              child.id(), new Event.ChildFailed(child.id(), Status.FAILED, inUse(child))),
          null);
    }
  }

  private static FailureInfo inUse(ChildStarted child) {
    var error =
        new RepriseException(
            ErrorCode.R125,
            "the workflow id '%s' is in use by another workflow: give the child another one"
                .formatted(child.workflowId()));
    return Failures.of(error);
  }
}

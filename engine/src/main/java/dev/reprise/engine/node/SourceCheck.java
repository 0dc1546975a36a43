package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.SourcePolicy;
import dev.reprise.engine.bind.SourceHash;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.replay.NewCode;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which code a run has had, by its history: that of the engine that started it, that of an engine
 * that took it up, or that with which an operator let it go on.
 *
 * @param approved hash of the code that may go on with it; null for any
 * @param last hash of the code that ran it last, whatever an operator said since; null if unknown
 */
record SourceCheck(@Nullable String approved, @Nullable String last) {
  private static final Set<Integer> TELLING =
      Set.of(
          EventType.WORKFLOW_STARTED.code(),
          EventType.WORKFLOW_RESUMED.code(),
          EventType.WORKFLOW_TAKEN_UP.code());

  /** Of a run with that history. */
  static SourceCheck of(List<EventRow> history) {
    var check = new SourceCheck(null, null);
    int copied = 0; // from another run: what code that had does not count here
    for (var row : history) {
      if (!TELLING.contains(row.type()) || (row.index() > 1 && row.index() <= copied)) continue;
      var event = row.recorded().event();
      if (event instanceof Event.WorkflowStarted started) {
        var lineage = started.origin().lineage();
        copied = lineage == null ? 0 : lineage.copied();
      }
      check = check.after(event);
    }
    return check;
  }

  private SourceCheck after(Event event) {
    var hash =
        switch (event) {
          case Event.WorkflowStarted started -> started.origin().hash();
          case Event.WorkflowResumed(_, var here) -> here;
          case Event.WorkflowTakenUp(var here) -> here;
          default -> throw new IllegalArgumentException("tells nothing of code: " + event);
        };
    boolean known = hash != null && !hash.equals(SourceHash.UNKNOWN);
    return new SourceCheck(known ? hash : null, known ? hash : last);
  }

  /**
   * What the history does not say yet of the code that is here; null if it is known.
   *
   * @param policy for workflows that say nothing themselves
   * @throws RepriseException {@code R131} if the run may not go on with it
   */
  @Nullable NewCode newCode(
      WorkflowDefinition definition, SourcePolicy policy, RunRow row, List<EventRow> history) {
    var here = definition.hash();
    if (here.equals(SourceHash.UNKNOWN) || here.equals(approved) || hasCodeEnded(history)) {
      return null;
    }
    var own = definition.policy();
    boolean holds = (own == null ? policy : own) == SourcePolicy.HOLD;
    if (holds && approved != null) throw held(row, approved, here);
    return new NewCode(here, here.equals(last) ? null : last, holds);
  }

  private static boolean hasCodeEnded(List<EventRow> history) {
    int code = EventType.COMPENSATIONS_STARTED.code();
    return history.stream().anyMatch(event -> event.type() == code);
  }

  private static RepriseException held(RunRow row, String approved, String here) {
    return new RepriseException(
        ErrorCode.R131,
        "workflow '%s' was begun by code %s of %s, here is %s: it is held. Resume it to let it go on"
                .formatted(row.workflowId(), approved, row.workflow(), here)
            + " with this code; reprise replay-check tells whether that follows its history");
  }
}

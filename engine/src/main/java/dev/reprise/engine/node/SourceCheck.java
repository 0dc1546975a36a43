package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.SourcePolicy;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a run may go on with the code that is here. */
final class SourceCheck {
  private SourceCheck() {}

  /**
   * Why it may not.
   *
   * @param policy for workflows that say nothing themselves
   */
  static Optional<RepriseException> of(
      WorkflowDefinition definition, SourcePolicy policy, RunRow row, List<EventRow> history) {
    var own = definition.policy();
    if ((own == null ? policy : own) == SourcePolicy.VERIFY) return Optional.empty();
    if (hasCodeEnded(history)) return Optional.empty();
    var approved = approved(history);
    var here = definition.hash();
    if (approved == null || approved.isEmpty() || here.isEmpty() || approved.equals(here)) {
      return Optional.empty();
    }
    return Optional.of(
        new RepriseException(
            ErrorCode.R131,
            "workflow '%s' was begun by code %s of %s, here is %s: it is held. Resume it to let it go on"
                    .formatted(row.workflowId(), approved, row.workflow(), here)
                + " with this code; reprise replay-check tells whether that follows its history"));
  }

  private static boolean hasCodeEnded(List<EventRow> history) {
    int code = EventType.COMPENSATIONS_STARTED.code();
    return history.stream().anyMatch(event -> event.type() == code);
  }

  /** The code that began the run, or that it was resumed with; null for any. */
  private static @Nullable String approved(List<EventRow> history) {
    String approved = null;
    for (var row : history) {
      if (row.type() != EventType.WORKFLOW_STARTED.code()
          && row.type() != EventType.WORKFLOW_RESUMED.code()) {
        continue;
      }
      switch (row.recorded().event()) {
        case Event.WorkflowStarted started -> approved = started.origin().hash();
        case Event.WorkflowResumed(_, var hash) -> approved = hash;
        default -> {}
      }
    }
    return approved;
  }
}

package dev.reprise.verification.simulation;

import dev.reprise.ErrorCode;
import dev.reprise.ParentClose;
import dev.reprise.Status;
import dev.reprise.engine.event.ChildReport;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ChildStarted;
import dev.reprise.engine.event.Origin;
import dev.reprise.verification.simulation.Chain.Link;
import java.util.List;
import java.util.Map;

/** Whether parents and children know of each other what they should. */
final class FamilyJudge {
  private final Auditor auditor;
  private final Map<String, Chain> chains;

  FamilyJudge(Auditor auditor, Map<String, Chain> chains) {
    this.auditor = auditor;
    this.chains = chains;
  }

  void judge() {
    for (var chain : chains.values()) {
      judgeOrphan(chain);
      for (var link : chain.links()) {
        for (var event : link.own()) {
          if (event instanceof ChildStarted child) judge(link, child);
        }
      }
    }
  }

  private void violation(Link parent, ChildStarted child, String what) {
    auditor.violation(
        "%s and its child %s: %s".formatted(parent.row().workflowId(), child.workflowId(), what));
  }

  /** Somebody asked for it. */
  private void judgeOrphan(Chain chain) {
    var parent = chain.first().started().origin().parent();
    if (parent == null) return;
    auditor.count("children");
    var family = chains.get(parent.workflowId());
    boolean wanted =
        family != null
            && family.links().stream()
                .filter(link -> link.row().runId().equals(parent.runId()))
                .flatMap(link -> link.events().stream())
                .anyMatch(event -> isFor(event, parent.childId(), chain.workflowId()));
    if (!wanted) auditor.violation(chain.workflowId() + " is an orphan that nobody asked for");
  }

  private static boolean isFor(Event event, String childId, String workflowId) {
    return event instanceof ChildStarted child
        && child.id().equals(childId)
        && child.workflowId().equals(workflowId);
  }

  private void judge(Link parent, ChildStarted child) {
    var outcomes = parent.events().stream().filter(event -> isEndOf(event, child.id())).toList();
    if (outcomes.size() > 1) violation(parent, child, "has ended twice for its parent");
    var chain = chains.get(child.workflowId());
    var link = new Origin.Parent(parent.row().workflowId(), parent.row().runId(), child.id());
    boolean ours = chain != null && link.equals(chain.first().started().origin().parent());
    if (outcomes.stream().anyMatch(FamilyJudge::isInUse)) {
      auditor.count("children whose id was in use");
      if (chain == null || ours) violation(parent, child, "its id was not in use");
    } else if (chain != null && !ours && outcomes.isEmpty() && hasOlderTwin(parent, child, chain)) {
      auditor.count("children whose id was in use"); // the parent has ended before it was told
    } else if (chain == null || !ours) {
      violation(parent, child, "was never started");
    } else {
      judgeOutcome(parent, child, outcomes, chain);
      judgeClose(parent, child, chain);
    }
  }

  /** Whether the same parent has asked for a child of that id before, and has got it. */
  private static boolean hasOlderTwin(Link parent, ChildStarted child, Chain chain) {
    var owner = chain.first().started().origin().parent();
    if (owner == null || !owner.runId().equals(parent.row().runId())) return false;
    for (var event : parent.events()) {
      if (!(event instanceof ChildStarted asked)) continue;
      if (asked.id().equals(child.id())) return false;
      if (asked.id().equals(owner.childId())) return true;
    }
    return false;
  }

  private static boolean isEndOf(Event event, String childId) {
    return (event instanceof Event.ChildCompleted(var id, _) && id.equals(childId))
        || (event instanceof Event.ChildFailed(var other, _, _) && other.equals(childId));
  }

  private static boolean isInUse(Event event) {
    return event instanceof Event.ChildFailed(_, _, var failure)
        && String.valueOf(failure.message()).contains(ErrorCode.R125.name());
  }

  private void judgeOutcome(Link parent, ChildStarted child, List<Event> outcomes, Chain chain) {
    boolean inTime = auditor.closed(chain.last().row()) < auditor.closed(parent.row());
    // What waits for a held run that is terminated is thrown away, and a run that goes on with
    // another one leaves its children behind.
    var status = parent.row().status();
    boolean late = status == Status.TERMINATED || status == Status.CONTINUED;
    if (outcomes.isEmpty()) {
      if (inTime && !late) violation(parent, child, "its end was not delivered");
      return;
    }
    auditor.count("ends of children delivered");
    var end = ChildReport.of(child.id(), chain.last().events().getLast());
    if (!outcomes.getFirst().equals(end)) {
      violation(parent, child, "ended as %s, delivered was %s".formatted(end, outcomes));
    }
  }

  /** What becomes of a child that is open when its parent closes. */
  private void judgeClose(Link parent, ChildStarted child, Chain chain) {
    if (auditor.closed(parent.row()) > auditor.closed(chain.last().row())) return;
    auditor.count("parents closed before children, " + child.onParentClose());
    var status = chain.last().row().status();
    boolean obeyed =
        switch (child.onParentClose()) {
          case CANCEL ->
              status == Status.TERMINATED
                  || chain.has(Event.WorkflowCancelRequested.class)
                  || chain.has(Event.TimeLimitReached.class)
                  || chain.has(Event.CompensationsStarted.class);
          case TERMINATE -> status == Status.TERMINATED;
          case ABANDON -> chain.events().noneMatch(FamilyJudge::isByParent);
        };
    if (!obeyed) violation(parent, child, "was to %s and is %s".formatted(policy(child), status));
  }

  private static ParentClose policy(ChildStarted child) {
    return child.onParentClose();
  }

  private static boolean isByParent(Event event) {
    return switch (event) {
      case Event.WorkflowCancelRequested(_, var reason) -> reason.startsWith("its parent");
      case Event.WorkflowTerminated(_, var reason) -> reason.startsWith("its parent");
      default -> false;
    };
  }
}

package dev.reprise.engine.replay;

import dev.reprise.ParentClose;
import dev.reprise.engine.event.ChildReport;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ChildStarted;
import dev.reprise.engine.event.EventBytes;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition.Delivery;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What others are told when a run closes: its parent, and those of its children that are open. */
public final class Farewell {
  private Farewell() {}

  /**
   * @param state before or after the last event
   */
  public static List<Delivery> of(RunRow row, RunState state, Recorded terminal) {
    var deliveries = new ArrayList<Delivery>();
    tellParent(row, state, terminal, deliveries);
    for (var child : state.life().childrenInOrder()) {
      tell(row, child, terminal.at(), deliveries);
    }
    return deliveries;
  }

  private static void tellParent(
      RunRow row, RunState state, Recorded terminal, List<Delivery> deliveries) {
    var parent = state.life().origin().parent();
    if (parent == null) return;
    Event report = ChildReport.of(parent.childId(), terminal.event());
    if (report == null) return; // it goes on
    deliveries.add(
        new Delivery(
            parent.workflowId(),
            parent.runId(),
            Kind.CHILD,
            parent.runId().toString(),
            row.runId().toString(),
            EventBytes.write(report),
            terminal.at()));
  }

  private static void tell(RunRow row, ChildStarted child, Instant at, List<Delivery> deliveries) {
    if (child.onParentClose() == ParentClose.ABANDON) return;
    boolean ask = child.onParentClose() == ParentClose.CANCEL;
    var reason = "its parent '%s' has ended".formatted(row.workflowId());
    deliveries.add(
        new Delivery(
            child.workflowId(),
            null,
            ask ? Kind.CANCEL : Kind.TERMINATE,
            "workflow " + row.workflowId(),
            row.runId() + "/close " + child.id(),
            reason.getBytes(StandardCharsets.UTF_8),
            at));
  }
}

package dev.reprise.verification.simulation;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Origin;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.Delivery;
import dev.reprise.engine.store.Transition.RunChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

/** Bugs in what runs have to do with each other. */
final class Families {
  private final Database database;
  private final Map<String, UUID> askedBy = new HashMap<>(); // the nodes, by child

  Families(Database database) {
    this.database = database;
  }

  /** Which node has stored that a child is wanted. */
  void remember(UUID node, Append append) {
    for (var row : append.events()) {
      if (row.recorded().event() instanceof Event.ChildStarted child) {
        askedBy.putIfAbsent(child.workflowId(), node);
      }
    }
  }

  /** A start that was asked for by a node that is gone since. */
  boolean isForgotten(Transition transition) {
    if (!(transition instanceof Transition.Start(var row, _, _, _)) || row.parent() == null)
      return false;
    var by = askedBy.get(row.workflowId());
    return by != null && database.auditor().isFenced(by);
  }

  /** Nobody knows when it is due. */
  static RunChange withoutWakeTime(RunChange change) {
    return switch (change) {
      case RunChange.WakeAt _ -> new RunChange.WakeAt(null);
      case RunChange.Release _ -> new RunChange.Release(null);
      case RunChange other -> other;
    };
  }

  static boolean isEnd(Delivery delivery) {
    return delivery.kind() == InputRow.Kind.CHILD;
  }

  static boolean isFarewell(Delivery delivery) {
    return delivery.message().contains("/close ");
  }

  /** Without some of what it has to say to others. */
  static Append without(Append append, Predicate<Delivery> dropped) {
    return new Append(
        append.run(),
        append.events(),
        append.consumedInputs(),
        append.change(),
        append.deliveries().stream().filter(dropped.negate()).toList(),
        append.attributes(),
        append.tasks(),
        append.cancelled());
  }

  /** A cancel instead of what ends a run without its code. */
  static Transition cancelling(Transition transition) {
    if (!(transition instanceof Transition.Accept(var input))) return transition;
    boolean ends =
        input.kind() == InputRow.Kind.TERMINATE || input.kind() == InputRow.Kind.TERMINATE_AND_UNDO;
    if (!ends) return transition;
    return new Transition.Accept(
        new InputRow(
            input.id(),
            input.run(),
            InputRow.Kind.CANCEL,
            input.name(),
            input.message(),
            input.value(),
            input.acceptedAt()));
  }

  /** The run that comes next does not know which messages came before it. */
  static Append withoutMessageIds(Append append) {
    if (!(append.change() instanceof RunChange.Continue(var next, var events, var at))) {
      return append;
    }
    var first = events.getFirst().recorded();
    if (!(first.event() instanceof Event.WorkflowStarted started)) return append;
    var changed = new ArrayList<>(events);
    changed.set(0, EventRow.of(new Recorded(1, first.at(), first.site(), forgetful(started))));
    return new Append(
        append.run(),
        append.events(),
        append.consumedInputs(),
        new RunChange.Continue(next, changed, at),
        append.deliveries(),
        append.attributes(),
        append.tasks(),
        append.cancelled());
  }

  /** With other changes of what is on queues. */
  static Append onQueues(Append append, List<NewTask> tasks, List<Integer> cancelled) {
    return new Append(
        append.run(),
        append.events(),
        append.consumedInputs(),
        append.change(),
        append.deliveries(),
        append.attributes(),
        tasks,
        cancelled);
  }

  private static Event.WorkflowStarted forgetful(Event.WorkflowStarted started) {
    var old = started.origin().lineage();
    if (old == null) return started;
    var lineage =
        new Origin.Lineage(
            old.how(), old.from(), old.seeds(), old.copied(), List.of(), old.unreceived());
    return new Event.WorkflowStarted(
        started.workflow(),
        started.workflowId(),
        started.runId(),
        started.input(),
        started.origin().withLineage(lineage));
  }
}

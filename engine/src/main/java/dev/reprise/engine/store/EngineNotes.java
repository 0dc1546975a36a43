package dev.reprise.engine.store;

import dev.reprise.Texts;
import dev.reprise.Waiting;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ChildStarted;
import dev.reprise.engine.event.EventType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says of a run and of its children whether no engine that lives has their workflows. */
final class EngineNotes {
  private final Store store;
  private final Served served;

  EngineNotes(Store store, Served served) {
    this.store = store;
    this.served = served;
  }

  /** The waits of an open run, with what is missing. */
  List<Waiting> annotated(RunRow row, List<Waiting> waits, Instant now) {
    if (!row.status().isActive()) return waits;
    var all = new ArrayList<>(waits);
    for (var child : openChildren(row.key()).values()) {
      if (served.hasWorkflow(child.workflow())) continue;
      var wait = "child workflow '" + child.workflowId() + "'";
      var note = missing(child.workflow());
      int index = indexOf(all, child, wait);
      if (index >= 0) all.set(index, all.get(index).withNote(note));
      else all.add(waiting(Waiting.Kind.CHILD, child.id(), wait, note));
    }
    var due = row.wakeAt();
    if (due != null && !due.isAfter(now) && !served.hasWorkflow(row.workflow())) {
      all.add(waiting(Waiting.Kind.QUEUE, "", "an engine", missing(row.workflow())));
    }
    return all;
  }

  private static int indexOf(List<Waiting> waits, ChildStarted child, String what) {
    for (int i = 0; i < waits.size(); i++) {
      var wait = waits.get(i);
      boolean isIt = wait.id().equals(child.id()) || wait.what().equals(what);
      if (wait.kind() == Waiting.Kind.CHILD && isIt) return i;
    }
    return -1;
  }

  private static Waiting waiting(Waiting.Kind kind, String id, String what, String note) {
    return new Waiting(kind, id, what, null, null, 0, null, note);
  }

  static String missing(String workflow) {
    var missing = new Unserved(Unserved.Kind.WORKFLOW, "", workflow, Instant.EPOCH);
    return "no engine has workflow '%s': %s".formatted(Texts.shown(workflow), missing.remedy());
  }

  private Map<String, ChildStarted> openChildren(long run) {
    var open = new LinkedHashMap<String, ChildStarted>();
    for (var event : events(run, EventType.CHILD_STARTED)) {
      if (event instanceof ChildStarted child) open.put(child.id(), child);
    }
    if (open.isEmpty()) return open;
    for (var event : events(run, EventType.CHILD_COMPLETED)) open.remove(event.subject());
    for (var event : events(run, EventType.CHILD_FAILED)) open.remove(event.subject());
    return open;
  }

  private List<Event> events(long run, EventType type) {
    return store.eventsOfType(run, type.code()).stream()
        .filter(row -> !row.damaged())
        .map(row -> row.recorded().event())
        .toList();
  }
}

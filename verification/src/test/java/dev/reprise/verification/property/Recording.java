package dev.reprise.verification.property;

import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.store.AttributesJson;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.Transition;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A run as a store has it. */
record Recording(RunRow row, List<EventRow> events) {

  static Recording of(Store store) {
    return of(store, store.find(Life.WORKFLOW_ID).orElseThrow());
  }

  static Recording of(Store store, RunRow row) {
    return new Recording(row, store.history(row.key(), 1, Integer.MAX_VALUE));
  }

  /** The history as text, to compare and to show. */
  List<String> lines() {
    return events.stream().map(EventRow::recorded).map(Recorded::toString).toList();
  }

  Recorded event(int index) {
    return events.get(index - 1).recorded();
  }

  int size() {
    return events.size();
  }

  /** A store in which this run is open, due at once, and has that many of its events. */
  MemoryStore reopened(int length) {
    var store = new MemoryStore();
    store.reserveKeys(Math.toIntExact(row.key())); // which nobody gets again
    var node = UUID.randomUUID();
    var first = events.getFirst();
    var open =
        new RunRow(
            row.key(),
            row.runId(),
            row.workflowId(),
            row.workflow(),
            Status.RUNNING,
            node,
            first.at(),
            first.at(),
            null,
            null,
            0);
    store.join(new Joining(node, "test", false, Duration.ofSeconds(10)));
    store.commit(
        new Store.Batch(
            node,
            1,
            List.of(
                new Transition.Start(open, first),
                new Transition.Append(
                    row.key(),
                    events.subList(1, length),
                    List.of(),
                    change(length),
                    List.of(),
                    attributes(length)))));
    store.leave(node);
    return store;
  }

  /** Once its code has ended without success, it is undone. */
  private Transition.RunChange change(int length) {
    for (var row : events.subList(0, length)) {
      if (row.recorded().event() instanceof Event.CompensationsStarted) {
        return new Transition.RunChange.Compensate(row.at());
      }
    }
    return new Transition.RunChange.None();
  }

  private @Nullable String attributes(int length) {
    var state = RunState.empty();
    for (var row : events.subList(0, length)) state = state.apply(row.recorded());
    return AttributesJson.write(state.life().attributeMap());
  }
}

package dev.reprise.engine.replay;

import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.CompensationRegistered;
import dev.reprise.engine.event.Event.SignalReceived;
import dev.reprise.engine.event.Event.WorkflowStarted;
import dev.reprise.engine.event.Life;
import dev.reprise.engine.event.Origin.How;
import dev.reprise.engine.event.Origin.Lineage;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.replay.RunPort.Next;
import dev.reprise.engine.store.AttributesJson;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The run with which a workflow goes on: its row, and the events with which it begins. */
final class Continuation {
  private static final int MAX_TAKEN = 1_000; // ids of inputs; a sender repeats what it sent lately
  private static final char CARRIED = '^'; // marks ids of an earlier run, which may come again

  private final RunRow row;
  private final @Nullable String hash;
  private final @Nullable Payload input; // of a workflow that asked for it
  private final Loop.@Nullable Edge edge; // of a loop
  private @Nullable Next next;

  private Continuation(
      RunRow row, @Nullable String hash, @Nullable Payload input, Loop.@Nullable Edge edge) {
    this.row = row;
    this.hash = hash;
    this.input = input;
    this.edge = edge;
  }

  static Continuation with(RunRow row, @Nullable String hash, Payload input) {
    return new Continuation(row, hash, input, null);
  }

  static Continuation at(RunRow row, @Nullable String hash, Loop.Edge edge) {
    return new Continuation(row, hash, null, edge);
  }

  /** How many events of the old run the new one begins with. */
  int toCopy() {
    return edge == null ? 0 : edge.before();
  }

  /** What the history says that came next; if it says something else, recording will tell. */
  UUID recorded(Stage stage) {
    return stage.peek() instanceof Recorded event
            && event.event() instanceof Event.WorkflowContinuedAsNew(var id)
        ? id
        : row.runId();
  }

  void ready(Next given) {
    next = given;
  }

  @Nullable Next next() {
    return next;
  }

  /** The change that closes the old run and opens the new one. */
  RunChange.Continue change(Next given, RunState state, List<SignalReceived> signals, Instant at) {
    var events =
        edge == null
            ? fresh(given, state, signals, at, input == null ? Payload.none() : input)
            : looped(given, state, signals, at, edge);
    var rows = new ArrayList<EventRow>();
    for (var event : events) rows.add(EventRow.of(event));
    return new RunChange.Continue(newRow(given, state, at), rows, at);
  }

  private RunRow newRow(Next given, RunState state, Instant at) {
    return new RunRow(
        given.key(),
        given.runId(),
        row.workflowId(),
        row.workflow(),
        Status.RUNNING,
        row.owner(),
        at,
        edge == null ? at : row.startedAt(),
        null,
        null,
        0,
        row.parent(),
        AttributesJson.write(state.life().attributeMap()));
  }

  // ---- asked for by the workflow ----------------------------------------------------------------

  private List<Recorded> fresh(
      Next given, RunState state, List<SignalReceived> signals, Instant at, Payload with) {
    var lineage =
        new Lineage(
            How.CONTINUED,
            row.runId(),
            List.of(),
            0,
            state.latestMessages(MAX_TAKEN),
            signals.size());
    var origin =
        state
            .life()
            .origin()
            .withHash(hash)
            .withAttributes(state.life().attributeMap())
            .withLineage(lineage);
    var started =
        new WorkflowStarted(row.workflow(), row.workflowId(), given.runId(), with, origin);
    var events = new ArrayList<Recorded>();
    add(events, started, at);
    for (var signal : signals) add(events, signal, at);
    return events;
  }

  private static void add(List<Recorded> events, Event event, Instant at) {
    events.add(new Recorded(events.size() + 1, at, null, event));
  }

  // ---- a loop that is cut -----------------------------------------------------------------------

  private List<Recorded> looped(
      Next given, RunState state, List<SignalReceived> signals, Instant at, Loop.Edge cut) {
    var events = new ArrayList<Recorded>();
    var prefix = RunState.empty();
    for (var copy : given.copied()) {
      var recorded = copy.recorded();
      if (recorded.event() instanceof WorkflowStarted started) {
        recorded = new Recorded(1, recorded.at(), recorded.site(), begun(started, given, state));
      }
      prefix = prefix.apply(recorded);
      events.add(recorded);
    }
    var carried = carried(prefix.life(), state.life());
    carried.addAll(signals);
    add(events, new Event.LoopSnapshot(cut.id(), carried.size(), cut.state()), at);
    for (var event : carried) add(events, event, at);
    return events;
  }

  private WorkflowStarted begun(WorkflowStarted old, Next given, RunState state) {
    int copied = given.copied().size();
    var lineage =
        new Lineage(
            How.LOOPED,
            row.runId(),
            Lineages.seeds(old.origin(), row.runId(), copied),
            copied,
            state.latestMessages(MAX_TAKEN),
            Lineages.unreceived(old.origin(), copied));
    return new WorkflowStarted(
        old.workflow(),
        old.workflowId(),
        given.runId(),
        old.input(),
        old.origin().withHash(hash).withLineage(lineage));
  }

  /** What has changed since the loop began, and counts further. */
  private static List<Event> carried(Life before, Life now) {
    var carried = new ArrayList<Event>();
    undo(before, now, carried);
    now.patches()
        .forEach(
            (change, _) -> {
              if (!before.patches().contains(change)) carried.add(new Event.PatchMarked(change));
            });
    now.published()
        .forEach(
            (key, value) -> {
              if (!Objects.equals(value, before.published().get(key))) {
                carried.add(new Event.ValuePublished(key, value));
              }
            });
    now.attributes()
        .forEach(
            (name, value) -> {
              if (!Objects.equals(value, before.attributes().get(name))) {
                carried.add(new Event.AttributeChanged(name, value));
              }
            });
    before
        .attributes()
        .forEach(
            (name, _) -> {
              if (!now.attributes().contains(name)) {
                carried.add(new Event.AttributeChanged(name, null));
              }
            });
    return carried;
  }

  /**
   * The new run counts its ids from where the loop began: those of the old must not be in the way.
   */
  private static void undo(Life before, Life now, List<Event> carried) {
    var all = new ArrayList<Life.Undo>();
    now.undo()
        .forEach(
            (id, undo) -> {
              if (!before.undo().contains(id)) all.add(undo);
            });
    all.sort(Comparator.comparingInt(Life.Undo::index));
    for (var undo : all) carried.add(renumbered(undo.what(), carried.size() + 1));
  }

  private static CompensationRegistered renumbered(CompensationRegistered undo, int number) {
    var id = undo.call().id();
    int mark = id.lastIndexOf(CARRIED);
    var plain = mark < 0 ? id : id.substring(0, mark);
    var call = new Event.Call(plain + CARRIED + number, undo.call().name(), undo.call().digest());
    return new CompensationRegistered(
        call, undo.arguments(), undo.lengths(), undo.retry(), undo.timeout());
  }
}

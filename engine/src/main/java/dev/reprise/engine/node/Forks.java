package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.Fork;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ActivityCompleted;
import dev.reprise.engine.event.Event.ActivityScheduled;
import dev.reprise.engine.event.Event.ChildStarted;
import dev.reprise.engine.event.Event.CompensationsStarted;
import dev.reprise.engine.event.Event.LoopSnapshot;
import dev.reprise.engine.event.Event.WorkflowStarted;
import dev.reprise.engine.event.Origin;
import dev.reprise.engine.event.Origin.How;
import dev.reprise.engine.event.Origin.Lineage;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.replay.Lineages;
import dev.reprise.engine.replay.Rehearsal;
import dev.reprise.engine.replay.Tasks;
import dev.reprise.engine.store.AttributesJson;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.RunRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** Makes the rows of a run that begins with a part of another run's history. Pure. */
final class Forks {
  private static final UUID NOBODY = new UUID(0, 0);

  private final Fork fork;
  private final RunRow source;
  private final List<EventRow> history;
  private final List<InputRow> waiting;
  private final Values values;

  /**
   * @param history all events of the source
   * @param waiting its inputs: one that is about to be ended has events that its code never saw
   */
  Forks(Fork fork, RunRow source, List<EventRow> history, List<InputRow> waiting, Values values) {
    this.fork = fork;
    this.source = source;
    this.history = history;
    this.waiting = waiting;
    this.values = values;
  }

  /** Of a run that waits on a queue. */
  static RepriseException notBegun(RunRow source) {
    return new RepriseException(
        ErrorCode.R130,
        "workflow '%s' cannot be forked: it has not begun, and has no events"
            .formatted(source.workflowId()));
  }

  /**
   * The events of the new run.
   *
   * @throws RepriseException {@code R130} if the index or an activity is not there
   */
  List<EventRow> events(String workflowId, UUID runId) {
    int last = fork.eventIndex();
    check(last);
    var open = openChildren(last);
    var left = new HashSet<>(fork.results().keySet());
    var rows = new ArrayList<EventRow>();
    for (var row : history.subList(0, last)) {
      var recorded = row.recorded();
      var event = edited(recorded.event(), workflowId, runId, open, left);
      rows.add(
          event.equals(recorded.event())
              ? row
              : EventRow.of(new Recorded(recorded.index(), recorded.at(), recorded.site(), event)));
    }
    if (!left.isEmpty()) throw noSuchResult(left);
    return rows;
  }

  /** Activities on queues that have not ended in these events: the fork asks for them anew. */
  static List<NewTask> tasks(List<EventRow> events, Instant now) {
    var state = RunState.empty();
    for (var row : events) state = state.apply(row.recorded());
    var tasks = new ArrayList<NewTask>();
    state
        .life()
        .tasks()
        .forEach(
            (_, task) -> {
              var asked = events.get(task.index() - 1).recorded();
              if (!(asked.event() instanceof ActivityScheduled activity)) return;
              var again = new Recorded(asked.index(), now, asked.site(), activity);
              tasks.add(Tasks.of(again, activity));
            });
    return tasks;
  }

  private void check(int last) {
    int max = codeEnds();
    if (last >= 1 && last <= max) {
      checkWhole(last);
      return;
    }
    throw new RepriseException(
        ErrorCode.R130,
        "workflow '%s' cannot be forked at event %d: it has events 1 to %d"
                .formatted(source.workflowId(), last, max)
            + (max < history.size() ? " before its end" : ""));
  }

  /** What a loop took over from the run before belongs together. */
  private void checkWhole(int last) {
    for (var row : history.subList(0, last)) {
      if (!(row.recorded().event() instanceof LoopSnapshot snapshot)) continue;
      int end = row.index() + snapshot.carried();
      if (last >= end) continue;
      throw new RepriseException(
          ErrorCode.R130,
          "workflow '%s' cannot be forked at event %d: events %d to %d are the state of a loop"
              .formatted(source.workflowId(), last, row.index(), end));
    }
  }

  /**
   * The last event before the run was closed, or began to be undone: nothing is undone twice. Nor
   * is anything taken over from where the history is damaged.
   */
  private int codeEnds() {
    var sound = history.stream().takeWhile(row -> !row.damaged()).toList();
    if (sound.isEmpty()) return 0;
    var played = Rehearsal.played(sound, waiting);
    var event = played.getLast().recorded().event();
    boolean end = event.isTerminal() || event instanceof CompensationsStarted;
    return end ? played.size() - 1 : played.size();
  }

  private RepriseException noSuchResult(Set<String> left) {
    return new RepriseException(
        ErrorCode.R130,
        "the first %d events of workflow '%s' have no result of %s"
            .formatted(fork.eventIndex(), source.workflowId(), left));
  }

  private Set<String> openChildren(int last) {
    var open = new HashSet<String>();
    state(last).life().children().forEach((id, _) -> open.add(id));
    return open;
  }

  private RunState state(int last) {
    var state = RunState.empty();
    for (var row : history.subList(0, last)) state = state.apply(row.recorded());
    return state;
  }

  private Event edited(
      Event event, String workflowId, UUID runId, Set<String> open, Set<String> left) {
    return switch (event) {
      case WorkflowStarted started -> begun(started, workflowId, runId);
      case ActivityCompleted done when left.remove(done.call().id()) ->
          new ActivityCompleted(done.call(), done.attempts(), result(done.call().id()));
      case ChildStarted child when open.contains(child.id()) ->
          new ChildStarted(
              child.id(),
              child.workflow(),
              workflowId + "/" + child.id().replaceFirst("^child ", ""),
              child.onParentClose(),
              child.timeout(),
              child.input());
      default -> event;
    };
  }

  private Payload result(String activityId) {
    var result = Objects.requireNonNull(fork.results().get(activityId));
    return values.encode(result, "the result of " + activityId);
  }

  private WorkflowStarted begun(WorkflowStarted old, String workflowId, UUID runId) {
    int copied = fork.eventIndex();
    var seeds = Lineages.seeds(old.origin(), source.runId(), copied - 1);
    int unreceived = Lineages.unreceived(old.origin(), copied);
    var lineage = new Lineage(How.FORKED, source.runId(), seeds, copied, List.of(), unreceived);
    var origin = new Origin(null, null, old.origin().attributes(), null, lineage);
    var input = old.input();
    if (fork.hasOtherInput()) {
      input = values.encode(fork.input(), "the input of '" + workflowId + "'");
    }
    return new WorkflowStarted(old.workflow(), workflowId, runId, input, origin);
  }

  /** Whether two runs began alike, but for their own ids. */
  static boolean areSame(List<EventRow> one, List<EventRow> other) {
    if (one.size() != other.size()) return false;
    for (int i = 0; i < one.size(); i++) {
      if (!anonymous(one.get(i)).equals(anonymous(other.get(i)))) return false;
    }
    return true;
  }

  private static Event anonymous(EventRow row) {
    return row.recorded().event() instanceof WorkflowStarted e
        ? new WorkflowStarted(e.workflow(), e.workflowId(), NOBODY, e.input(), e.origin())
        : row.recorded().event();
  }

  /** The row of the new run. */
  RunRow row(long key, UUID runId, String workflowId, Instant now) {
    var state = state(fork.eventIndex());
    Map<String, Object> attributes = state.life().attributeMap();
    var start = now.isBefore(state.now()) ? state.now() : now; // clocks of nodes differ a little
    return new RunRow(
        key,
        runId,
        workflowId,
        source.workflow(),
        Status.RUNNING,
        null,
        start,
        start, // its time begins now
        null,
        null,
        0,
        null,
        AttributesJson.write(attributes));
  }
}

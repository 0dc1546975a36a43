package dev.reprise.jdbc;

import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Accept;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange.Begin;
import dev.reprise.engine.store.Transition.RunChange.Block;
import dev.reprise.engine.store.Transition.RunChange.Close;
import dev.reprise.engine.store.Transition.RunChange.Compensate;
import dev.reprise.engine.store.Transition.RunChange.Continue;
import dev.reprise.engine.store.Transition.RunChange.None;
import dev.reprise.engine.store.Transition.RunChange.Release;
import dev.reprise.engine.store.Transition.RunChange.Unblock;
import dev.reprise.engine.store.Transition.RunChange.WakeAt;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.jdbc.BatchPlan.Placed;
import dev.reprise.jdbc.BatchPlan.Segment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns a segment into statements, and their answers into outcomes.
 *
 * <p>What becomes of an append is known beforehand, by what is known of its run, but for one that
 * ends it: the database says whether inputs wait. It also says what becomes of starts and accepts.
 */
final class SegmentCommit {
  private static final Comparator<Placed<Start>> BY_WORKFLOW_ID =
      Comparator.comparing(start -> start.transition().run().workflowId());

  private final Segment segment;
  private final Outcome[] outcomes;
  private final EventArrays events = new EventArrays(); // of appends that are stored for certain
  private final List<Append> stored = new ArrayList<>(); // those of them that are more than events
  private final List<Placed<Append>> begins = new ArrayList<>();
  private final List<Placed<Append>> ending = new ArrayList<>();
  private final List<Placed<Start>> starts = new ArrayList<>();
  private final Set<Long> startedRuns = new HashSet<>();
  private final Set<Long> duplicateRuns = new HashSet<>();
  private final Set<Long> begunRuns = new HashSet<>();
  private final Set<Long> openRuns = new HashSet<>();
  private final Set<Long> endedRuns = new HashSet<>();
  private final Set<Long> placedRuns = new HashSet<>(); // that end, and may have a place on a queue

  /**
   * @param holds what is known of the runs of the segment; none if nothing is
   * @param outcomes of the batch, where those of the segment go
   */
  SegmentCommit(Segment segment, Map<Long, Hold> holds, Outcome[] outcomes) {
    this.segment = segment;
    this.outcomes = outcomes;
    for (var append : segment.appends()) decide(append, holds);
    takeFirstOfEachWorkflowId();
  }

  private void decide(Placed<Append> placed, Map<Long, Hold> holds) {
    var append = placed.transition();
    var hold = holds.getOrDefault(append.run(), Hold.NONE);
    if (!hold.takes(append.change())) {
      outcomes[placed.place()] = Outcome.NOT_OPEN;
    } else if (append.change() instanceof Close || append.change() instanceof Continue) {
      ending.add(placed);
      if (hold != Hold.OWNED) placedRuns.add(append.run());
    } else if (isPlainBegin(append)) {
      begins.add(placed);
    } else {
      outcomes[placed.place()] = Outcome.STORED;
      events.addAll(append.run(), append.events());
      if (!isOnlyEvents(append)) stored.add(append);
    }
  }

  private void takeFirstOfEachWorkflowId() {
    var seen = new HashSet<String>();
    for (var start : segment.starts()) {
      if (seen.add(start.transition().run().workflowId())) starts.add(start);
      else outcomes[start.place()] = Outcome.EXISTS;
    }
    starts.sort(BY_WORKFLOW_ID);
  }

  // ---- statements -----------------------------------------------------------------------------

  /**
   * @param nodeKey the owner of the runs that start with one
   * @param atOnce whether the statements may fail if a workflow exists or a run cannot end
   */
  void addTo(Pipeline pipeline, int nodeKey, boolean atOnce) {
    if (!starts.isEmpty()) start(pipeline, nodeKey, atOnce);
    if (!segment.accepts().isEmpty()) accept(pipeline);
    deliver(pipeline);
    consume(pipeline);
    change(pipeline);
    new TaskChanges(stored).begin(pipeline, nodeKey, false, begunRuns::add);
    new TaskChanges(transitions(begins)).begin(pipeline, nodeKey, true, begunRuns::add);
    setAttributes(pipeline);
    if (!ending.isEmpty()) end(pipeline, nodeKey, atOnce);
    record(pipeline);
    new TaskChanges(stored).addTo(pipeline, false);
  }

  private void record(Pipeline pipeline) {
    if (events.size() == 1) pipeline.add(CommitSql.RECORD_ONE, events.firstColumns());
    else if (!events.isEmpty()) pipeline.add(EventSql.RECORD, events);
  }

  private static <T extends Transition> List<T> transitions(List<Placed<T>> placed) {
    return placed.stream().map(Placed::transition).toList();
  }

  /** The events, if there is nothing else to store; else null. */
  @Nullable EventArrays onlyEvents() {
    if (!starts.isEmpty() || !segment.accepts().isEmpty()) return null;
    if (!ending.isEmpty() || !begins.isEmpty() || !stored.isEmpty()) return null;
    return events;
  }

  /** Whether statements that are added to be stored at once record events in any case. */
  boolean recordsAtOnce() {
    boolean isFirst =
        !starts.isEmpty() && transitions(starts).stream().noneMatch(TaskStarts::hasTasks);
    return !events.isEmpty() || isFirst || (!ending.isEmpty() && endings().arePlain());
  }

  /** All events that are recorded for certain, when the statements have been added. */
  EventArrays events() {
    return events;
  }

  /** Whether the database finds out whether it may begin, as it does so. */
  static boolean isPlainBegin(Append append) {
    return append.change() instanceof Begin && isPlain(append);
  }

  /** Whether its events are all of it. */
  static boolean isOnlyEvents(Append append) {
    return append.change() instanceof None && isPlain(append);
  }

  /** Whether its events are all of it, beside the change of its row. */
  static boolean isPlain(Append append) {
    return append.consumedInputs().isEmpty()
        && append.deliveries().isEmpty()
        && append.attributes() == null
        && append.tasks().isEmpty()
        && append.cancelled().isEmpty();
  }

  /** The only one, which is neither a child nor can be found by anything. */
  private static void startOne(Pipeline pipeline, int nodeKey, RunRow run) {
    pipeline.add(CommitSql.TAKE_ID, run.workflowId(), run.key());
    pipeline.add(
        CommitSql.OPEN_RUN,
        run.key(),
        run.runId(),
        run.workflowId(),
        run.workflow(),
        run.owner() == null ? 0 : nodeKey,
        run.wakeAt(),
        run.startedAt());
  }

  private Endings endings() {
    return new Endings(transitions(ending), placedRuns);
  }

  private void end(Pipeline pipeline, int nodeKey, boolean atOnce) {
    var endings = endings();
    if (!atOnce || !endings.arePlain()) {
      endings.addTo(pipeline, nodeKey, endedRuns::add);
      return;
    }
    endings.addAtOnce(pipeline);
    for (var append : endings.appends()) {
      endedRuns.add(append.run());
      events.addAll(append.run(), append.events());
    }
  }

  private void start(Pipeline pipeline, int nodeKey, boolean atOnce) {
    var given = transitions(starts);
    freeIds(pipeline, given);
    if (given.stream().anyMatch(TaskStarts::hasTasks)) {
      new TaskStarts(given).addTo(pipeline, nodeKey, startedRuns::add, duplicateRuns::add);
      return;
    }
    if (atOnce) startAtOnce(pipeline, nodeKey, given);
    else startWithCare(pipeline, nodeKey, given);
  }

  private static void freeIds(Pipeline pipeline, List<Start> given) {
    var again = given.stream().filter(start -> start.replaces() != null).toList();
    if (again.isEmpty()) return;
    pipeline.add(
        CommitSql.FREE_IDS,
        again.stream().map(start -> start.run().workflowId()).toArray(String[]::new),
        again.stream().map(Start::replaces).toArray(Long[]::new));
  }

  private void startAtOnce(Pipeline pipeline, int nodeKey, List<Start> given) {
    for (var start : given) {
      startedRuns.add(start.run().key());
      events.addAll(start.run().key(), start.events());
    }
    var first = given.getFirst().run();
    if (given.size() == 1 && first.parent() == null && first.attributes() == null) {
      startOne(pipeline, nodeKey, first);
      return;
    }
    var columns = columns(nodeKey, given);
    pipeline.add(CommitSql.TAKE_IDS, columns.get(0), columns.get(1));
    pipeline.add(CommitSql.OPEN_RUNS, columns.toArray());
  }

  private void startWithCare(Pipeline pipeline, int nodeKey, List<Start> given) {
    var first = new EventArrays();
    for (var start : given) first.addAll(start.run().key(), start.events());
    pipeline.query(
        CommitSql.START,
        found -> startedRuns.add(found.getLong(1)),
        Stream.concat(columns(nodeKey, given).stream(), Stream.of(first)).toArray());
  }

  private static List<@Nullable Object> columns(int nodeKey, List<Start> given) {
    return new RunArrays(given.stream().map(Start::run).toList()).columns(nodeKey, false);
  }

  private void accept(Pipeline pipeline) {
    var inputs = segment.accepts().stream().map(Placed::transition).map(Accept::input).toList();
    pipeline.query(
        CommitSql.ACCEPT,
        columns -> openRuns.add(columns.getLong(1)),
        inputs.stream().mapToLong(input -> input.run()).toArray(),
        inputs.stream().map(input -> input.kind().name()).toArray(String[]::new),
        inputs.stream().map(input -> input.name()).toArray(String[]::new),
        inputs.stream().map(input -> input.message()).toArray(String[]::new),
        inputs.stream().map(input -> input.value()).toArray(byte[][]::new),
        inputs.stream().mapToLong(input -> PostgresTimes.micros(input.acceptedAt())).toArray(),
        inputs.stream().mapToInt(InputRow::checksum).toArray(),
        inputs.stream().mapToLong(input -> input.run()).distinct().toArray());
  }

  private void deliver(Pipeline pipeline) {
    var deliveries = new Deliveries(stored);
    if (deliveries.isEmpty()) return;
    pipeline.query(
        CommitSql.LOCK_TARGETS, columns -> columns.getLong(1), (Object) deliveries.targets());
    deliveries.addTo(pipeline, false);
  }

  private void setAttributes(Pipeline pipeline) {
    var attributes = new LinkedHashMap<Long, String>();
    for (var append : stored) {
      if (append.attributes() != null) attributes.put(append.run(), append.attributes());
    }
    if (attributes.isEmpty()) return;
    pipeline.add(
        CommitSql.SET_ATTRIBUTES,
        keys(attributes.keySet()),
        attributes.values().toArray(String[]::new),
        false);
  }

  private void consume(Pipeline pipeline) {
    var consumed = Consumed.by(stored);
    if (consumed.isEmpty()) return;
    pipeline.query(
        CommitSql.CONSUME,
        columns -> columns.getLong(1),
        consumed.inputs(),
        consumed.runs(),
        (long) consumed.inputs().length);
  }

  private void change(Pipeline pipeline) {
    var wakes = new LinkedHashMap<Long, @Nullable Instant>();
    var releases = new LinkedHashMap<Long, @Nullable Instant>();
    var unblocks = new LinkedHashMap<Long, @Nullable Instant>();
    var compensations = new LinkedHashMap<Long, @Nullable Instant>();
    var blocks = new LinkedHashMap<Long, String>();
    for (var append : stored) {
      switch (append.change()) {
        case None _, Begin _, Close _, Continue _ -> {}
        case Compensate(var at) -> compensations.put(append.run(), at);
        case WakeAt(var at) -> wakes.put(append.run(), at);
        case Release(var at) -> releases.put(append.run(), at);
        case Unblock(var at) -> unblocks.put(append.run(), at);
        case Block(var reason) -> blocks.put(append.run(), reason);
      }
    }
    setTimes(pipeline, CommitSql.SET_WAKE_AT, wakes);
    setTimes(pipeline, CommitSql.RELEASE, releases);
    setTimes(pipeline, CommitSql.UNBLOCK, unblocks);
    setTimes(pipeline, CommitSql.COMPENSATE, compensations);
    if (blocks.isEmpty()) return;
    pipeline.add(CommitSql.BLOCK, keys(blocks.keySet()), blocks.values().toArray(String[]::new));
  }

  private static void setTimes(Pipeline pipeline, String sql, Map<Long, @Nullable Instant> times) {
    if (times.isEmpty()) return;
    pipeline.add(sql, keys(times.keySet()), micros(times.values()));
  }

  private static long[] keys(Set<Long> runs) {
    return runs.stream().mapToLong(Long::longValue).toArray();
  }

  private static @Nullable Long[] micros(Collection<@Nullable Instant> times) {
    var micros = new @Nullable Long[times.size()];
    int i = 0;
    for (var time : times) micros[i++] = PostgresTimes.microsOrNull(time);
    return micros;
  }

  // ---- outcomes -------------------------------------------------------------------------------

  /** When the statements were run. */
  void conclude() {
    conclude(new Found(startedRuns, duplicateRuns, begunRuns, openRuns, endedRuns));
  }

  /**
   * What became of the runs of a segment.
   *
   * @param started those that are new
   * @param duplicate those that are not, for another one of their queue
   * @param begun those that have waited
   */
  record Found(
      Set<Long> started, Set<Long> duplicate, Set<Long> begun, Set<Long> open, Set<Long> closed) {}

  /** When it is known from elsewhere what they did. */
  void conclude(Found found) {
    for (var start : starts) {
      long run = start.transition().run().key();
      var other = found.duplicate().contains(run) ? Outcome.DUPLICATE : Outcome.EXISTS;
      outcomes[start.place()] = found.started().contains(run) ? Outcome.STORED : other;
    }
    for (var accept : segment.accepts()) {
      boolean isOpen = found.open().contains(accept.transition().input().run());
      outcomes[accept.place()] = isOpen ? Outcome.STORED : Outcome.NOT_OPEN;
    }
    for (var begin : begins) {
      boolean hasBegun = found.begun().contains(begin.transition().run());
      outcomes[begin.place()] = hasBegun ? Outcome.STORED : Outcome.NOT_OPEN;
    }
    for (var end : ending) {
      boolean isClosed = found.closed().contains(end.transition().run());
      outcomes[end.place()] = isClosed ? Outcome.STORED : Outcome.INPUTS_WAITING;
    }
  }

  /** The runs whose state the database must tell if the answers were lost. */
  Set<Long> openQuestions() {
    var runs = new HashSet<Long>();
    for (var start : starts) runs.add(start.transition().run().key());
    for (var accept : segment.accepts()) runs.add(accept.transition().input().run());
    for (var begin : begins) runs.add(begin.transition().run());
    for (var end : ending) runs.add(end.transition().run());
    return runs;
  }

  TaskStarts starts() {
    return new TaskStarts(transitions(starts));
  }
}

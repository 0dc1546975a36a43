package dev.reprise.engine.store;

import dev.reprise.ListQuery;
import dev.reprise.Status;
import dev.reprise.engine.store.Transition.Accept;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.RunChange.Block;
import dev.reprise.engine.store.Transition.RunChange.Close;
import dev.reprise.engine.store.Transition.RunChange.None;
import dev.reprise.engine.store.Transition.RunChange.Release;
import dev.reprise.engine.store.Transition.RunChange.Unblock;
import dev.reprise.engine.store.Transition.RunChange.WakeAt;
import dev.reprise.engine.store.Transition.Start;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The store in plain collections under one lock: what every other store must do, said in code.
 *
 * <p>It outlives the engines that use it, as a database does. A node that joins supersedes the one
 * before, so that joining again is what a crash and a restart look like.
 *
 * <p>Each change leaves behind how to undo it, which is all that a refused batch needs.
 */
public final class MemoryStore implements Store {
  private static final Comparator<Run> LONGEST_DUE_FIRST =
      Comparator.comparing((Run run) -> run.row.wakeAt(), Comparator.nullsLast(Instant::compareTo))
          .thenComparing(run -> run.row.key());

  private final NavigableMap<Long, Run> runs = new TreeMap<>();
  private final Map<Long, Run> open = new HashMap<>();
  private final Map<String, Run> workflows = new HashMap<>();
  private final Deque<Runnable> undo = new ArrayDeque<>();
  private long nextKey = 1;
  private long nextInput = 1;
  private @Nullable UUID joined;
  private long sequence;

  /** A run with its history and the inputs that wait for it. */
  private static final class Run {
    private RunRow row;
    private final List<EventRow> events = new ArrayList<>();
    private List<InputRow> inputs = List.of();

    private Run(RunRow row) {
      this.row = row;
    }
  }

  // ---- the node -------------------------------------------------------------------------------

  @Override
  public synchronized void join(UUID node, String host) {
    joined = node;
    sequence = 0;
  }

  @Override
  public synchronized void leave(UUID node) {
    if (node.equals(joined)) joined = null;
  }

  private void checkJoined(UUID node) {
    if (!node.equals(joined)) throw new Fenced("node " + node + " has left or was superseded");
  }

  // ---- writing --------------------------------------------------------------------------------

  @Override
  public synchronized List<Outcome> commit(Batch batch) {
    checkJoined(batch.node());
    if (batch.sequence() != sequence + 1) {
      throw new Fenced("batch %d of a node at %d".formatted(batch.sequence(), sequence));
    }
    try {
      var outcomes = batch.transitions().stream().map(this::take).toList();
      sequence = batch.sequence();
      return outcomes;
    } catch (TransitionRefused refused) {
      undo.forEach(Runnable::run);
      throw refused;
    } finally {
      undo.clear();
    }
  }

  private Outcome take(Transition transition) {
    return switch (transition) {
      case Start start -> start(start);
      case Append append -> append(append);
      case Accept accept -> accept(accept.input());
    };
  }

  private Outcome start(Start start) {
    var row = start.run();
    if (workflows.containsKey(row.workflowId())) return Outcome.EXISTS;
    if (runs.containsKey(row.key())) throw refused("run key %d is in use", row.key());
    if (row.owner() != null && !row.owner().equals(joined)) {
      throw refused("run %d of another node", row.key());
    }

    var run = new Run(row);
    undo.push(
        () -> {
          runs.remove(row.key());
          open.remove(row.key());
          workflows.remove(row.workflowId());
        });
    runs.put(row.key(), run);
    open.put(row.key(), run);
    workflows.put(row.workflowId(), run);
    record(run, start.first());
    return Outcome.STORED;
  }

  private Outcome append(Append append) {
    var run = open.get(append.run());
    if (run == null || !takes(run.row.status(), append.change())) return Outcome.NOT_OPEN;
    var waiting = run.inputs.stream().map(InputRow::id).toList();
    var consumed = append.consumedInputs();
    if (append.change() instanceof Close && !consumed.containsAll(waiting)) {
      return Outcome.INPUTS_WAITING;
    }
    if (!waiting.containsAll(consumed)) {
      throw refused("run %d: of inputs %s only %s wait", append.run(), consumed, waiting);
    }

    rememberForUndo(run);
    append.events().forEach(event -> record(run, event));
    run.inputs = run.inputs.stream().filter(input -> !consumed.contains(input.id())).toList();
    run.row = changed(run.row, append.change());
    if (run.row.status().isClosed()) open.remove(append.run());
    return Outcome.STORED;
  }

  private Outcome accept(InputRow input) {
    var run = open.get(input.run());
    if (run == null) return Outcome.NOT_OPEN;

    rememberForUndo(run);
    var accepted =
        new InputRow(nextInput++, input.run(), input.signal(), input.value(), input.acceptedAt());
    run.inputs = Stream.concat(run.inputs.stream(), Stream.of(accepted)).toList();
    return Outcome.STORED;
  }

  /** Nothing becomes of a held run but that it goes on or ends. */
  private static boolean takes(Status status, RunChange change) {
    return switch (change) {
      case None _, WakeAt _, Release _, Block _ -> status == Status.RUNNING;
      case Unblock _ -> status == Status.BLOCKED;
      case Close _ -> !status.isClosed();
    };
  }

  private static RunRow changed(RunRow row, RunChange change) {
    return switch (change) {
      case None _ -> row;
      case WakeAt(var at) -> with(row, Status.RUNNING, row.owner(), at, null, null);
      case Release(var at) -> with(row, Status.RUNNING, null, at, null, null);
      case Block(var reason) -> with(row, Status.BLOCKED, null, null, null, reason);
      case Unblock(var at) -> with(row, Status.RUNNING, null, at, null, null);
      case Close(var status, var at) -> with(row, status, null, null, at, null);
    };
  }

  private static RunRow with(
      RunRow row,
      Status status,
      @Nullable UUID owner,
      @Nullable Instant wakeAt,
      @Nullable Instant closedAt,
      @Nullable String blockedBy) {
    return new RunRow(
        row.key(),
        row.runId(),
        row.workflowId(),
        row.workflow(),
        status,
        owner,
        wakeAt,
        row.startedAt(),
        closedAt,
        blockedBy);
  }

  private static void record(Run run, EventRow event) {
    int next = run.events.size() + 1;
    if (event.index() != next) {
      throw refused("run %d: event %d, expected %d", run.row.key(), event.index(), next);
    }
    run.events.add(event);
  }

  private void rememberForUndo(Run run) {
    var row = run.row;
    int events = run.events.size();
    var inputs = run.inputs;
    undo.push(
        () -> {
          run.row = row;
          run.events.subList(events, run.events.size()).clear();
          run.inputs = inputs;
          open.put(row.key(), run);
        });
  }

  private static TransitionRefused refused(String format, Object... arguments) {
    return new TransitionRefused(format.formatted(arguments), null);
  }

  @Override
  public synchronized long reserveKeys(int count) {
    long first = nextKey;
    nextKey += count;
    return first;
  }

  @Override
  public synchronized List<RunRow> claim(Claim claim) {
    checkJoined(claim.node());
    return open.values().stream()
        .filter(run -> run.row.status() == Status.RUNNING)
        .filter(run -> !claim.node().equals(run.row.owner()))
        .filter(run -> claim.workflows().contains(run.row.workflow()))
        .filter(run -> isDue(run, claim.until()))
        .sorted(LONGEST_DUE_FIRST)
        .limit(claim.limit())
        .map(run -> own(run, claim.node()))
        .toList();
  }

  private static boolean isDue(Run run, Instant until) {
    var wakeAt = run.row.wakeAt();
    return (wakeAt != null && !wakeAt.isAfter(until)) || !run.inputs.isEmpty();
  }

  private static RunRow own(Run run, UUID node) {
    run.row = with(run.row, Status.RUNNING, node, run.row.wakeAt(), null, null);
    return run.row;
  }

  // ---- reading --------------------------------------------------------------------------------

  @Override
  public synchronized Optional<Instant> nextWake(UUID node) {
    return open.values().stream()
        .filter(run -> run.row.status() == Status.RUNNING)
        .filter(run -> !node.equals(run.row.owner()))
        .map(run -> run.row.wakeAt())
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder());
  }

  @Override
  public synchronized Optional<RunRow> find(String workflowId) {
    return Optional.ofNullable(workflows.get(workflowId)).map(run -> run.row);
  }

  @Override
  public synchronized List<EventRow> history(long run, int fromIndex, int limit) {
    var found = runs.get(run);
    if (found == null) return List.of();
    return found.events.stream().skip(Math.max(0, fromIndex - 1)).limit(limit).toList();
  }

  @Override
  public synchronized Optional<EventRow> lastEvent(long run) {
    var found = runs.get(run);
    return found == null || found.events.isEmpty()
        ? Optional.empty()
        : Optional.of(found.events.getLast());
  }

  @Override
  public synchronized List<InputRow> inputs(long run) {
    var found = runs.get(run);
    return found == null ? List.of() : found.inputs;
  }

  @Override
  public synchronized List<RunRow> list(ListQuery query) {
    return olderThan(query.before()).values().stream()
        .map(run -> run.row)
        .filter(row -> query.status() == null || row.status() == query.status())
        .filter(row -> query.workflow() == null || row.workflow().equals(query.workflow()))
        .limit(query.limit())
        .toList();
  }

  /** Newest first. A workflow id that nobody knows has nothing behind it. */
  private NavigableMap<Long, Run> olderThan(@Nullable String workflowId) {
    if (workflowId == null) return runs.descendingMap();
    var last = workflows.get(workflowId);
    return runs.headMap(last == null ? Long.MIN_VALUE : last.row.key(), false).descendingMap();
  }

  @Override
  public boolean isInProcess() {
    return true;
  }

  /** Keeps everything: the next engine finds it as a database would have it. */
  @Override
  public void close() {}
}

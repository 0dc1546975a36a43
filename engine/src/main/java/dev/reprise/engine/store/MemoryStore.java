package dev.reprise.engine.store;

import dev.reprise.Status;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.Grouping;
import dev.reprise.engine.filter.Subject;
import dev.reprise.engine.store.Transition.Accept;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.Delivery;
import dev.reprise.engine.store.Transition.RunChange.Begin;
import dev.reprise.engine.store.Transition.RunChange.Close;
import dev.reprise.engine.store.Transition.RunChange.Continue;
import dev.reprise.engine.store.Transition.Start;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The store in plain collections under one lock: what every other store must do, said in code.
 *
 * <p>It outlives the engines that use it, as a database does. For one engine, a node that joins
 * supersedes the one before, so that joining again is what a crash and a restart look like. For
 * many, a node stays until it leaves or another fences it.
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
  private final MemoryNodes nodes;
  private final MemoryTasks tasks;
  private final InstantSource clock;
  private long nextKey = 1;
  private long nextInput = 1;

  /** For one engine at a time. */
  public MemoryStore() {
    this(false, InstantSource.system());
  }

  private MemoryStore(boolean shared, InstantSource clock) {
    this.nodes = new MemoryNodes(shared);
    this.clock = clock;
    this.tasks = new MemoryTasks(this, shared ? TakeTime.of(clock) : TakeTime.ofOneEngine());
  }

  /** For many engines at the same time. */
  public static MemoryStore forMany() {
    return forMany(InstantSource.system());
  }

  /** For many engines at the same time, with a clock for leases and rates. */
  public static MemoryStore forMany(InstantSource clock) {
    return new MemoryStore(true, clock);
  }

  @Override
  public InstantSource clock() {
    return clock;
  }

  /** A run with its history and the inputs that wait for it. */
  private static final class Run {
    private RunRow row;
    private final List<KeptEvent> events = new ArrayList<>();
    private List<Waiting> inputs = List.of();
    private int claimedAt; // how long its history was when it was last taken over

    private Run(RunRow row) {
      this.row = row;
    }
  }

  /** An input with its checksum. */
  private record Waiting(InputRow input, int checksum) {
    private long id() {
      return input.id();
    }

    private InputRow read() {
      return input.checked(checksum);
    }
  }

  // ---- the node -------------------------------------------------------------------------------

  @Override
  public synchronized void join(Joining node) {
    nodes.join(node, clock.instant());
  }

  @Override
  public synchronized void retire(UUID node) {
    nodes.retire(node);
  }

  @Override
  public synchronized Set<String> codes() {
    return nodes.areMany() ? nodes.codes() : Set.of();
  }

  @Override
  public synchronized void leave(UUID node) {
    nodes.leave(node);
  }

  @Override
  public synchronized List<NodeRow> nodes() {
    return nodes.rows(clock.instant());
  }

  @Override
  public synchronized boolean fence(NodeRow seen) {
    return nodes.fence(seen);
  }

  @Override
  public synchronized Map<UUID, Long> ownedRuns() {
    return open.values().stream()
        .map(run -> run.row.owner())
        .filter(owner -> owner != null && nodes.has(owner))
        .collect(Collectors.groupingBy(owner -> owner, Collectors.counting()));
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public synchronized Map<String, Instant> unclaimed(Instant before) {
    var since = new HashMap<String, Instant>();
    for (var run : open.values()) {
      var due = run.row.wakeAt();
      boolean waits =
          run.row.status().isActive() && isFree(run) && due != null && due.isBefore(before);
      if (waits) since.merge(run.row.workflow(), due, (a, b) -> a.isBefore(b) ? a : b);
    }
    return since;
  }

  @Override
  public boolean isShared() {
    return nodes.areMany();
  }

  /** Whether nobody has it, or only one that is gone. */
  private boolean isFree(Run run) {
    return run.row.owner() == null || !nodes.has(run.row.owner());
  }

  // ---- writing --------------------------------------------------------------------------------

  @Override
  public synchronized List<Outcome> commit(Batch batch) {
    nodes.check(batch);
    try {
      var outcomes = batch.transitions().stream().map(t -> take(t, batch.node())).toList();
      nodes.committed(batch, clock.instant());
      return outcomes;
    } catch (RuntimeException | Error failure) {
      undo.forEach(Runnable::run);
      throw failure;
    } finally {
      undo.clear();
    }
  }

  private Outcome take(Transition transition, UUID node) {
    return switch (transition) {
      case Start start -> start(start, node);
      case Append append -> append(append, node);
      case Accept accept -> accept(accept.input());
    };
  }

  private Outcome start(Start start, UUID node) {
    var row = start.run();
    var before = workflows.get(row.workflowId());
    if (before != null && !isReplaced(before, start.replaces())) return Outcome.EXISTS;
    if (start.tasks().stream().anyMatch(tasks::isDuplicate)) return Outcome.DUPLICATE;
    checkNew(row, node);

    var run = new Run(row);
    undo.push(
        () -> {
          runs.remove(row.key());
          open.remove(row.key());
          if (before == null) workflows.remove(row.workflowId());
          else workflows.put(row.workflowId(), before);
        });
    runs.put(row.key(), run);
    open.put(row.key(), run);
    workflows.put(row.workflowId(), run);
    boolean waits = row.status() == Status.QUEUED;
    undo.push(
        tasks.add(
            row.key(), start.tasks(), row.startedAt(), waits ? start.events().getFirst() : null));
    if (!waits) start.events().forEach(event -> record(run, event));
    return Outcome.STORED;
  }

  /** Whether its workflow id may be used again. */
  private static boolean isReplaced(Run latest, @Nullable Long replaces) {
    return replaces != null && latest.row.key() == replaces && latest.row.status().isClosed();
  }

  private void checkNew(RunRow row, UUID node) {
    if (runs.containsKey(row.key())) throw refused("run key %d is in use", row.key());
    if (row.owner() != null && !row.owner().equals(node)) {
      throw refused("run %d of another node", row.key());
    }
  }

  private Outcome append(Append append, UUID node) {
    var run = open.get(append.run());
    if (run == null || !RowChanges.takes(run.row, append.change(), node)) return Outcome.NOT_OPEN;
    var waiting = run.inputs.stream().map(Waiting::id).toList();
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
    run.row = RowChanges.changed(run.row, append.change(), node);
    if (append.attributes() != null) run.row = run.row.withAttributes(append.attributes());
    if (run.row.status().isClosed()) open.remove(append.run());
    if (append.change() instanceof Continue next) goOn(run, next, node);
    append.deliveries().forEach(this::deliver);
    changeTasks(append);
    return Outcome.STORED;
  }

  private void changeTasks(Append append) {
    long run = append.run();
    if (!append.tasks().isEmpty()) {
      undo.push(tasks.add(run, append.tasks(), append.events().getLast().at(), null));
    }
    if (!append.cancelled().isEmpty()) undo.push(tasks.cancel(run, append.cancelled()));
    switch (append.change()) {
      case Begin _ -> undo.push(tasks.begin(run));
      case Close _ -> undo.push(tasks.end(run, null));
      case Continue next -> undo.push(tasks.end(run, next.next().key()));
      default -> {}
    }
  }

  /** For its tasks: tells a run of something, if it is open. */
  void tell(InputRow input) {
    accept(input);
    undo.clear();
  }

  /** For its tasks. */
  RunRow row(long run) {
    return Objects.requireNonNull(runs.get(run)).row;
  }

  /** For its tasks. */
  EventRow event(long run, int index) {
    return Objects.requireNonNull(runs.get(run)).events.get(index - 1).read(run);
  }

  @Override
  public TaskStore tasks() {
    return tasks;
  }

  /** The new run of a workflow takes over its id and the inputs that wait. */
  private void goOn(Run old, Continue change, UUID node) {
    var row = change.next();
    checkNew(row, node);
    var next = new Run(row);
    undo.push(
        () -> {
          runs.remove(row.key());
          open.remove(row.key());
          workflows.put(row.workflowId(), old);
        });
    runs.put(row.key(), next);
    open.put(row.key(), next);
    workflows.put(row.workflowId(), next);
    change.events().forEach(event -> record(next, event));
    next.inputs =
        old.inputs.stream()
            .map(waiting -> new Waiting(waiting.input().of(row.key()), waiting.checksum()))
            .toList();
    old.inputs = List.of();
  }

  /** Nobody waits for what is sent to a closed workflow. */
  private void deliver(Delivery delivery) {
    var run = workflows.get(delivery.workflowId());
    if (run == null) return;
    if (delivery.runId() != null && !delivery.runId().equals(run.row.runId())) return;
    accept(delivery.toInput(run.row.key()));
  }

  private Outcome accept(InputRow input) {
    var run = open.get(input.run());
    if (run == null) return Outcome.NOT_OPEN;
    if (run.inputs.stream().anyMatch(known -> known.input().repeats(input))) {
      return Outcome.STORED;
    }

    rememberForUndo(run);
    var accepted = new Waiting(input.numbered(nextInput++), input.checksum());
    run.inputs = Stream.concat(run.inputs.stream(), Stream.of(accepted)).toList();
    return Outcome.STORED;
  }

  private static void record(Run run, EventRow event) {
    int next = run.events.size() + 1;
    if (event.index() != next) {
      throw refused("run %d: event %d, expected %d", run.row.key(), event.index(), next);
    }
    run.events.add(KeptEvent.of(run.row.key(), event));
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
    nodes.check(claim.node());
    return open.values().stream()
        .filter(run -> isClaimable(run, claim.workflows()))
        .filter(run -> isDue(run, claim.until()))
        .filter(run -> !claim.except().contains(run.row.key()))
        .filter(run -> run.row.crashes() >= Claim.SUSPECT == claim.suspects())
        .sorted(LONGEST_DUE_FIRST)
        .limit(claim.limit())
        .map(run -> own(run, claim))
        .toList();
  }

  private boolean isClaimable(Run run, List<String> workflows) {
    return run.row.status().isActive() && isFree(run) && workflows.contains(run.row.workflow());
  }

  private static boolean isDue(Run run, Instant until) {
    var wakeAt = run.row.wakeAt();
    return (wakeAt != null && !wakeAt.isAfter(until)) || !run.inputs.isEmpty();
  }

  private static RunRow own(Run run, Claim claim) {
    var row = run.row;
    boolean moved = run.events.size() > run.claimedAt;
    var died = new Suspicion(row.crashes()).died(claim.trial());
    int crashes = row.owner() == null ? 0 : moved ? 1 : died.crashes();
    run.claimedAt = run.events.size();
    run.row =
        RowChanges.with(row, row.status(), claim.node(), row.wakeAt(), null, null)
            .withCrashes(crashes);
    return run.row;
  }

  @Override
  public synchronized void tried(UUID node, long run, Trial trial) {
    var found = open.get(run);
    if (found == null || !node.equals(found.row.owner())) return;
    var suspicion = new Suspicion(found.row.crashes()).tried(trial);
    found.row = found.row.withCrashes(suspicion.crashes());
  }

  // ---- reading --------------------------------------------------------------------------------

  @Override
  public synchronized Optional<Instant> nextWake(UUID node, List<String> workflows) {
    return open.values().stream()
        .filter(run -> isClaimable(run, workflows))
        .map(run -> run.row.wakeAt())
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder());
  }

  @Override
  public synchronized List<Long> runsWithInputs(UUID node, List<String> workflows) {
    return open.values().stream()
        .filter(run -> run.row.status().isActive() && node.equals(run.row.owner()))
        .filter(run -> workflows.contains(run.row.workflow()) && !run.inputs.isEmpty())
        .map(run -> run.row.key())
        .toList();
  }

  @Override
  public synchronized List<RunRow> runs(Collection<Long> keys) {
    return keys.stream().map(runs::get).filter(Objects::nonNull).map(run -> run.row).toList();
  }

  @Override
  public synchronized Optional<RunRow> find(String workflowId) {
    return Optional.ofNullable(workflows.get(workflowId)).map(run -> run.row);
  }

  @Override
  public synchronized List<RunRow> runsOf(String workflowId) {
    return runs.descendingMap().values().stream()
        .map(run -> run.row)
        .filter(row -> row.workflowId().equals(workflowId))
        .toList();
  }

  @Override
  public synchronized List<EventRow> eventsOfType(long run, int type) {
    var found = runs.get(run);
    if (found == null) return List.of();
    return found.events.stream()
        .map(kept -> kept.read(run))
        .filter(event -> event.type() == type)
        .toList();
  }

  @Override
  public synchronized int deleteClosed(Instant before, int limit) {
    var old =
        runs.values().stream()
            .filter(run -> run.row.closedAt() != null && run.row.closedAt().isBefore(before))
            .filter(run -> !tasks.has(run.row.key())) // they are not done without it
            .sorted(Comparator.comparing((Run run) -> run.row.closedAt()))
            .limit(limit)
            .toList();
    for (var run : old) {
      runs.remove(run.row.key());
      workflows.remove(run.row.workflowId(), run);
    }
    return old.size();
  }

  @Override
  public synchronized List<EventRow> history(long run, int fromIndex, int limit) {
    var found = runs.get(run);
    if (found == null) return List.of();
    return found.events.stream()
        .skip(Math.max(0, fromIndex - 1))
        .limit(limit)
        .map(kept -> kept.read(run))
        .toList();
  }

  @Override
  public synchronized Optional<EventRow> lastEvent(long run) {
    var found = runs.get(run);
    return found == null || found.events.isEmpty()
        ? Optional.empty()
        : Optional.of(found.events.getLast().read(run));
  }

  @Override
  public synchronized List<InputRow> inputs(long run) {
    var found = runs.get(run);
    return found == null ? List.of() : found.inputs.stream().map(Waiting::read).toList();
  }

  @Override
  public synchronized List<RunRow> list(Filter filter, long beforeKey, int limit) {
    return runs.headMap(beforeKey, false).descendingMap().values().stream()
        .filter(run -> filter.matches(subject(run)))
        .limit(limit)
        .map(run -> run.row)
        .toList();
  }

  @Override
  public synchronized long count(Filter filter) {
    return runs.values().stream().filter(run -> filter.matches(subject(run))).count();
  }

  @Override
  public synchronized Map<String, Long> countBy(Filter filter, Grouping grouping) {
    return runs.values().stream()
        .filter(run -> filter.matches(subject(run)))
        .collect(Collectors.groupingBy(run -> group(run.row, grouping), Collectors.counting()));
  }

  private static String group(RunRow row, Grouping grouping) {
    return switch (grouping) {
      case STATUS -> row.status().name();
      case WORKFLOW -> row.workflow();
    };
  }

  private Subject subject(Run run) {
    return run.row.subject(
        () -> run.events.isEmpty() ? null : run.events.getFirst().event().value(),
        () -> {
          var events = run.events.stream().map(KeptEvent::event).toList();
          boolean any = tasks.ofRun(run.row.key()).stream().anyMatch(task -> !task.ref().isRun());
          return OpenEvents.of(events, any);
        });
  }

  @Override
  public boolean isInProcess() {
    return true;
  }

  /** Keeps everything: the next engine finds it as a database would have it. */
  @Override
  public void close() {}
}

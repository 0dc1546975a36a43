package dev.reprise.engine.store;

import dev.reprise.QueueLimits;
import dev.reprise.engine.queue.Flow;
import dev.reprise.engine.queue.FlowControl;
import dev.reprise.engine.store.Report.Change;
import dev.reprise.engine.store.TaskView.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tasks of a {@link MemoryStore}, under its lock. */
final class MemoryTasks implements TaskStore {
  private static final Duration FORGOTTEN = Duration.ofDays(1);
  private static final Comparator<MemoryTask> FIRST =
      Comparator.comparingInt((MemoryTask task) -> task.what.priority())
          .thenComparing(task -> task.readyAt)
          .thenComparing(task -> task.ref);

  private final MemoryStore store;
  private final NavigableMap<TaskRef, MemoryTask> tasks = new TreeMap<>();
  private final Map<String, QueueLimits> limits = new HashMap<>();
  private final Map<String, Flow> flows = new HashMap<>();
  private final Map<UUID, WorkerRow> workers = new LinkedHashMap<>();
  private final TakeTime time;

  MemoryTasks(MemoryStore store, TakeTime time) {
    this.store = store;
    this.time = time;
  }

  // ---- with transitions -------------------------------------------------------------------------

  /** Whether a run of the queue with the same unique key is there. */
  boolean isDuplicate(NewTask task) {
    return task.unique() != null && unique(task.queue(), task.unique()).isPresent();
  }

  /** Returns how to undo it. */
  Runnable add(long run, List<NewTask> added, Instant now, @Nullable EventRow start) {
    var refs = new ArrayList<TaskRef>();
    for (var task : added) {
      var ref = new TaskRef(run, task.index());
      refs.add(ref);
      tasks.put(ref, new MemoryTask(ref, task, now, task.index() == 0 ? start : null));
    }
    return () -> refs.forEach(tasks::remove);
  }

  Runnable cancel(long run, List<Integer> indexes) {
    var found = new ArrayList<MemoryTask>();
    for (int index : indexes) {
      var task = tasks.get(new TaskRef(run, index));
      if (task == null || task.cancelled) continue;
      task.cancelled = true;
      found.add(task);
    }
    return () -> found.forEach(task -> task.cancelled = false);
  }

  /** A run that has waited begins. */
  Runnable begin(long run) {
    var task = tasks.get(TaskRef.ofRun(run));
    if (task == null) return () -> {};
    var before = task.state;
    var what = task.what;
    var start = task.start;
    var leaseUntil = task.leaseUntil;
    var deadline = task.deadline;
    task.state = State.OPEN;
    task.start = null;
    task.leaseUntil = null;
    task.deadline = null;
    if (what.debounced()) task.what = what.withoutUnique();
    return () -> {
      task.state = before;
      task.what = what;
      task.start = start;
      task.leaseUntil = leaseUntil;
      task.deadline = deadline;
    };
  }

  /** A run is closed, and leaves its queue; or the next run of the workflow takes its place. */
  Runnable end(long run, @Nullable Long next) {
    var task = tasks.remove(TaskRef.ofRun(run));
    if (task == null) return () -> {};
    if (next != null) {
      var ref = TaskRef.ofRun(next);
      var moved = new MemoryTask(ref, task.what, task.scheduledAt, null);
      moved.state = task.state;
      moved.attempt = task.attempt;
      moved.worker = task.worker;
      moved.retry = task.retry;
      tasks.put(ref, moved);
    }
    return () -> {
      if (next != null) tasks.remove(TaskRef.ofRun(next));
      tasks.put(task.ref, task);
    };
  }

  boolean has(long run) {
    return !tasks.subMap(new TaskRef(run, 0), new TaskRef(run + 1, 0)).isEmpty();
  }

  // ---- handing out ------------------------------------------------------------------------------

  @Override
  public List<Handout> take(Take take) {
    synchronized (store) {
      var before =
          tasks.values().stream()
              .filter(task -> task.state == State.LEASED && take.hand().equals(task.hand))
              .toList();
      if (!before.isEmpty()) return before.stream().map(this::handout).toList();
      promote(take.queue(), take.now());
      var allowed = limits(take.queue());
      int room = FlowControl.room(allowed, take.limit(), take.perWorker());
      var ready =
          tasks.values().stream()
              .filter(task -> task.state == State.READY && !task.cancelled)
              .filter(task -> task.what.queue().equals(take.queue()))
              .filter(task -> take.policies().containsKey(task.what.name()))
              .sorted(FIRST)
              .toList();
      var taken = choose(take, allowed, room, ready);
      taken.forEach(task -> lease(task, take));
      return taken.stream().map(this::handout).toList();
    }
  }

  private void promote(String queue, Instant now) {
    for (var task : tasks.values()) {
      if (task.state != State.DELAYED || !task.what.queue().equals(queue)) continue;
      if (!task.readyAt.isAfter(now)) task.state = State.READY;
    }
  }

  private List<MemoryTask> choose(
      Take take, QueueLimits allowed, int room, List<MemoryTask> ready) {
    if (!FlowControl.isNeeded(allowed)) return ready.stream().limit(room).toList();
    var flow = flows.getOrDefault(take.queue(), Flow.NEW);
    var control = new FlowControl(allowed, flow, time.of(take));
    var running =
        tasks.values().stream()
            .filter(task -> task.what.queue().equals(take.queue()))
            .filter(task -> task.state == State.LEASED || task.state == State.OPEN)
            .toList();
    int allowance = control.allowance(room, running.size());
    var chosen =
        allowed.byKey()
            ? inTurns(control, allowance, running, ready)
            : ready.stream().limit(allowance).toList();
    flows.put(take.queue(), control.after(chosen.size()));
    return chosen;
  }

  private static List<MemoryTask> inTurns(
      FlowControl control, int allowance, List<MemoryTask> running, List<MemoryTask> ready) {
    var busy =
        running.stream().collect(Collectors.groupingBy(t -> t.what.key(), Collectors.counting()));
    record Line(int priority, String key) {}
    var lines = new LinkedHashMap<Line, List<MemoryTask>>();
    for (var task : ready) {
      lines
          .computeIfAbsent(new Line(task.what.priority(), task.what.key()), _ -> new ArrayList<>())
          .add(task);
    }
    var groups = new ArrayList<FlowControl.Group>();
    lines.forEach(
        (line, waiting) ->
            groups.add(
                new FlowControl.Group(
                    line.priority(), line.key(), waiting.size(), waiting.getFirst().readyAt)));
    var chosen = new ArrayList<MemoryTask>();
    for (var pick : control.turns(allowance, busy, groups)) {
      var line = Objects.requireNonNull(lines.get(new Line(pick.priority(), pick.key())));
      chosen.addAll(line.subList(0, pick.count()));
    }
    return chosen;
  }

  private static void lease(MemoryTask task, Take take) {
    task.state = State.LEASED;
    task.attempt++;
    task.hand = take.hand();
    task.worker = take.worker();
    task.leaseUntil = take.now().plus(task.what.lease());
    var limit = task.what.attemptLimit();
    task.deadline = limit == null ? null : take.now().plus(limit);
    var retry = take.policies().get(task.what.name());
    task.retry = retry == null || retry.isEmpty() ? null : retry;
  }

  private Handout handout(MemoryTask task) {
    var run = store.row(task.ref.run());
    var event =
        task.ref.isRun()
            ? Objects.requireNonNull(task.start).read(KeptEvent.WITH_TASK)
            : store.event(task.ref.run(), task.ref.index());
    return new Handout(
        task.ref,
        task.what.queue(),
        task.attempt,
        Objects.requireNonNull(task.hand),
        Objects.requireNonNull(task.leaseUntil),
        MemoryTask.earlier(task.deadline, task.what.until()),
        event,
        run.workflowId(),
        run.runId(),
        task.heartbeat);
  }

  @Override
  public List<Report.Reply> report(List<Report> reports, Instant now) {
    synchronized (store) {
      return reports.stream().map(report -> report(report, now)).toList();
    }
  }

  private Report.Reply report(Report report, Instant now) {
    var task = tasks.get(report.ref());
    if (task == null) return Report.Reply.GONE;
    boolean last = task.isHandedOut(report.attempt(), report.hand());
    if (!last || !mayChange(task, report)) return Report.Reply.STALE;
    if (report.heartbeat() != null) task.heartbeat = report.heartbeat();
    switch (report.change()) {
      case Change.Finish _ -> tasks.remove(report.ref());
      case Change.Again(var visibleAt) -> task.again(visibleAt, now);
      case Change.GiveBack(var visibleAt) -> {
        task.attempt--;
        task.again(visibleAt, now);
      }
      case Change.LeaveOpen _ -> {
        task.state = State.EXTERNAL;
        task.leaseUntil = null;
      }
    }
    if (report.input() != null) store.tell(report.input());
    return Report.Reply.ACCEPTED;
  }

  private static boolean mayChange(MemoryTask task, Report report) {
    if (report.overdue() == null) {
      return task.state == State.LEASED || task.state == State.EXTERNAL;
    }
    var due = task.due();
    return due != null && !due.isAfter(report.overdue());
  }

  @Override
  public List<Beat.Answer> heartbeat(List<Beat> beats, Instant now) {
    synchronized (store) {
      return beats.stream().map(beat -> heartbeat(beat, now)).toList();
    }
  }

  private Beat.Answer heartbeat(Beat beat, Instant now) {
    var task = tasks.get(beat.ref());
    if (task == null || task.state != State.LEASED) return Beat.Answer.LOST;
    if (!task.isHandedOut(beat.attempt(), beat.hand())) return Beat.Answer.LOST;
    task.leaseUntil = now.plus(task.what.lease());
    task.heartbeatAt = now;
    if (beat.details() != null) task.heartbeat = beat.details();
    return new Beat.Answer(true, task.leaseUntil, task.cancelled);
  }

  // ---- looking ----------------------------------------------------------------------------------

  @Override
  public List<TaskView> overdue(Instant now, int limit) {
    synchronized (store) {
      return tasks.values().stream()
          .filter(task -> task.due() instanceof Instant due && !due.isAfter(now))
          .limit(limit)
          .map(MemoryTask::view)
          .toList();
    }
  }

  @Override
  public Optional<Instant> nextOverdue() {
    synchronized (store) {
      return tasks.values().stream()
          .map(MemoryTask::due)
          .filter(Objects::nonNull)
          .min(Comparator.naturalOrder());
    }
  }

  @Override
  public Optional<Instant> nextReady(String queue) {
    synchronized (store) {
      var mine = tasks.values().stream().filter(task -> task.what.queue().equals(queue)).toList();
      var delayed =
          mine.stream().filter(task -> task.state == State.DELAYED).map(task -> task.readyAt);
      boolean waits = mine.stream().anyMatch(task -> task.state == State.READY);
      var flow = flows.getOrDefault(queue, Flow.NEW);
      var rate = waits ? flow.again(limits(queue)) : null;
      return Stream.concat(delayed, Stream.ofNullable(rate)).min(Comparator.naturalOrder());
    }
  }

  @Override
  public Map<String, Instant> waitingSince(Instant before) {
    synchronized (store) {
      var oldest = new HashMap<String, Instant>();
      for (var task : tasks.values()) {
        if (task.state != State.READY || !task.readyAt.isBefore(before)) continue;
        oldest.merge(task.what.queue(), task.readyAt, (a, b) -> a.isBefore(b) ? a : b);
      }
      return oldest;
    }
  }

  @Override
  public Map<String, Instant> namesWaiting(String queue, Instant before) {
    synchronized (store) {
      var oldest = new HashMap<String, Instant>();
      tasks.values().stream()
          .filter(task -> task.state == State.READY && task.what.queue().equals(queue))
          .sorted(
              Comparator.<MemoryTask>comparingInt(task -> task.what.priority())
                  .thenComparing(task -> task.readyAt))
          .limit(HEAD)
          .filter(task -> task.readyAt.isBefore(before))
          .forEach(
              task ->
                  oldest.merge(task.what.name(), task.readyAt, (a, b) -> a.isBefore(b) ? a : b));
      return oldest;
    }
  }

  @Override
  public List<TaskView> ofRun(long run) {
    synchronized (store) {
      var found = tasks.subMap(new TaskRef(run, 0), new TaskRef(run + 1, 0)).values();
      return found.stream().map(MemoryTask::view).toList();
    }
  }

  @Override
  public Optional<TaskView> find(TaskRef ref) {
    synchronized (store) {
      return Optional.ofNullable(tasks.get(ref)).map(MemoryTask::view);
    }
  }

  @Override
  public Optional<EventRow> startOf(long run) {
    synchronized (store) {
      return Optional.ofNullable(tasks.get(TaskRef.ofRun(run)))
          .map(task -> task.start)
          .map(start -> start.read(KeptEvent.WITH_TASK));
    }
  }

  @Override
  public Optional<Long> runWith(String queue, String unique) {
    synchronized (store) {
      return unique(queue, unique).map(task -> task.ref.run());
    }
  }

  private Optional<MemoryTask> unique(String queue, String unique) {
    return tasks.values().stream()
        .filter(task -> task.what.queue().equals(queue) && unique.equals(task.what.unique()))
        .findFirst();
  }

  @Override
  public boolean replace(
      String queue, String unique, EventRow start, Instant visibleAt, Instant now) {
    synchronized (store) {
      var found = unique(queue, unique);
      if (found.isEmpty()) return false;
      var task = found.get();
      if (task.state != State.DELAYED && task.state != State.READY) return false;
      task.start = KeptEvent.of(KeptEvent.WITH_TASK, start);
      task.again(visibleAt, now);
      return true;
    }
  }

  // ---- queues -----------------------------------------------------------------------------------

  @Override
  public QueueLimits limits(String queue) {
    synchronized (store) {
      return limits.getOrDefault(queue, QueueLimits.none());
    }
  }

  @Override
  public void limit(String queue, QueueLimits changed) {
    synchronized (store) {
      limits.put(queue, changed);
    }
  }

  @Override
  public List<QueueCount> count(@Nullable String queue) {
    synchronized (store) {
      var names = new TreeSet<String>();
      if (queue != null) {
        names.add(queue);
      } else {
        names.addAll(limits.keySet());
        tasks.values().forEach(task -> names.add(task.what.queue()));
      }
      return names.stream().map(this::countOf).toList();
    }
  }

  private QueueCount countOf(String queue) {
    var counts = new HashMap<State, Long>();
    Instant oldest = null;
    for (var task : tasks.values()) {
      if (!task.what.queue().equals(queue)) continue;
      counts.merge(task.state, 1L, Long::sum);
      if (task.state == State.READY) oldest = MemoryTask.earlier(oldest, task.readyAt);
    }
    return new QueueCount(
        queue,
        counts.getOrDefault(State.READY, 0L),
        counts.getOrDefault(State.DELAYED, 0L),
        counts.getOrDefault(State.LEASED, 0L),
        counts.getOrDefault(State.EXTERNAL, 0L),
        counts.getOrDefault(State.OPEN, 0L),
        oldest);
  }

  @Override
  public void serve(WorkerRow worker) {
    synchronized (store) {
      workers.put(worker.worker(), worker);
    }
  }

  @Override
  public void leave(UUID worker) {
    synchronized (store) {
      workers.remove(worker);
    }
  }

  @Override
  public List<WorkerRow> workers(Instant since) {
    synchronized (store) {
      workers.values().removeIf(row -> row.seenAt().isBefore(since.minus(FORGOTTEN)));
      return workers.values().stream().filter(row -> !row.seenAt().isBefore(since)).toList();
    }
  }
}

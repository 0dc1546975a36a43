package dev.reprise.verification.simulation;

import dev.reprise.QueueLimits;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.TaskView;
import dev.reprise.engine.store.WorkerRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Hands everything on to other queues. */
class ForwardingTasks implements TaskStore {
  private final TaskStore tasks;

  ForwardingTasks(TaskStore tasks) {
    this.tasks = tasks;
  }

  @Override
  public List<Handout> take(Take take) {
    return tasks.take(take);
  }

  @Override
  public List<Report.Reply> report(List<Report> reports, Instant now) {
    return tasks.report(reports, now);
  }

  @Override
  public List<Beat.Answer> heartbeat(List<Beat> beats, Instant now) {
    return tasks.heartbeat(beats, now);
  }

  @Override
  public List<TaskView> overdue(Instant now, int limit) {
    return tasks.overdue(now, limit);
  }

  @Override
  public Optional<Instant> nextOverdue() {
    return tasks.nextOverdue();
  }

  @Override
  public Optional<Instant> nextReady(String queue) {
    return tasks.nextReady(queue);
  }

  @Override
  public Map<String, Instant> namesWaiting(String queue, Instant before) {
    return tasks.namesWaiting(queue, before);
  }

  @Override
  public Map<String, Instant> waitingSince(Instant before) {
    return tasks.waitingSince(before);
  }

  @Override
  public List<TaskView> ofRun(long run) {
    return tasks.ofRun(run);
  }

  @Override
  public Optional<TaskView> find(TaskRef ref) {
    return tasks.find(ref);
  }

  @Override
  public Optional<Long> runWith(String queue, String unique) {
    return tasks.runWith(queue, unique);
  }

  @Override
  public Optional<EventRow> startOf(long run) {
    return tasks.startOf(run);
  }

  @Override
  public boolean replace(
      String queue, String unique, EventRow start, Instant visibleAt, Instant now) {
    return tasks.replace(queue, unique, start, visibleAt, now);
  }

  @Override
  public QueueLimits limits(String queue) {
    return tasks.limits(queue);
  }

  @Override
  public void limit(String queue, QueueLimits limits) {
    tasks.limit(queue, limits);
  }

  @Override
  public List<QueueCount> count(@Nullable String queue) {
    return tasks.count(queue);
  }

  @Override
  public void serve(WorkerRow worker) {
    tasks.serve(worker);
  }

  @Override
  public void leave(UUID worker) {
    tasks.leave(worker);
  }

  @Override
  public List<WorkerRow> workers(Instant since) {
    return tasks.workers(since);
  }
}

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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The queues as a process reaches them: each call is a statement of its {@link Connection}. */
final class TaskConnection implements TaskStore {
  private final Connection connection;
  private final TaskStore tasks;

  TaskConnection(Connection connection) {
    this.connection = connection;
    this.tasks = connection.database().tasks();
  }

  private void run(Runnable work) {
    call(
        () -> {
          work.run();
          return true;
        });
  }

  private <T> T call(Supplier<T> work) {
    return connection.call(work, _ -> {});
  }

  @Override
  public List<Handout> take(Take take) {
    connection.troubleOnTheWay();
    return call(() -> tasks.take(take));
  }

  @Override
  public List<Report.Reply> report(List<Report> reports, Instant now) {
    connection.troubleOnTheWay();
    return call(() -> tasks.report(reports, now));
  }

  @Override
  public List<Beat.Answer> heartbeat(List<Beat> beats, Instant now) {
    return call(() -> tasks.heartbeat(beats, now));
  }

  @Override
  public List<TaskView> overdue(Instant now, int limit) {
    return call(() -> tasks.overdue(now, limit));
  }

  @Override
  public Optional<Instant> nextOverdue() {
    return call(tasks::nextOverdue);
  }

  @Override
  public Optional<Instant> nextReady(String queue) {
    return call(() -> tasks.nextReady(queue));
  }

  @Override
  public Map<String, Instant> namesWaiting(String queue, Instant before) {
    return call(() -> tasks.namesWaiting(queue, before));
  }

  @Override
  public Map<String, Instant> waitingSince(Instant before) {
    return call(() -> tasks.waitingSince(before));
  }

  @Override
  public List<TaskView> ofRun(long run) {
    return call(() -> tasks.ofRun(run));
  }

  @Override
  public Optional<TaskView> find(TaskRef ref) {
    return call(() -> tasks.find(ref));
  }

  @Override
  public Optional<Long> runWith(String queue, String unique) {
    return call(() -> tasks.runWith(queue, unique));
  }

  @Override
  public Optional<EventRow> startOf(long run) {
    return connection.call(() -> tasks.startOf(run), _ -> {});
  }

  @Override
  public boolean replace(
      String queue, String unique, EventRow start, Instant visibleAt, Instant now) {
    return call(() -> tasks.replace(queue, unique, start, visibleAt, now));
  }

  @Override
  public QueueLimits limits(String queue) {
    return call(() -> tasks.limits(queue));
  }

  @Override
  public void limit(String queue, QueueLimits limits) {
    run(() -> tasks.limit(queue, limits));
  }

  @Override
  public List<QueueCount> count(@Nullable String queue) {
    return call(() -> tasks.count(queue));
  }

  @Override
  public void serve(WorkerRow worker) {
    run(() -> tasks.serve(worker));
  }

  @Override
  public void leave(UUID worker) {
    run(() -> tasks.leave(worker));
  }

  @Override
  public List<WorkerRow> workers(Instant since) {
    return call(() -> tasks.workers(since));
  }
}

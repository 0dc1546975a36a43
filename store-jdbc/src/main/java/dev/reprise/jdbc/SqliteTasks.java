package dev.reprise.jdbc;

import dev.reprise.QueueLimits;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.TakeTime;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.TaskView;
import dev.reprise.engine.store.WorkerRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Work on queues in an SQLite file. What is written goes through the one connection that writes,
 * each call a transaction.
 */
final class SqliteTasks implements TaskStore {
  private final @Nullable WriteConnection writer;
  private final ReadConnections readers;
  private final TakeTime time = TakeTime.ofOneEngine(); // a file has one

  /**
   * @param writer null if the file was opened for reading only
   */
  SqliteTasks(@Nullable WriteConnection writer, ReadConnections readers) {
    this.writer = writer;
    this.readers = readers;
  }

  private <T> T write(Function<Jdbc, T> work) {
    if (writer == null) throw new IllegalStateException("the store was opened for reading only");
    return writer.write(work);
  }

  private <T> T read(Function<SqliteTaskReader, T> work) {
    return readers.read(reader -> work.apply(reader.tasks()));
  }

  @Override
  public List<Handout> take(Take take) {
    return write(jdbc -> new SqliteHandouts(jdbc, time).take(take));
  }

  @Override
  public List<Report.Reply> report(List<Report> reports, Instant now) {
    if (reports.isEmpty()) return List.of();
    return write(jdbc -> new SqliteReports(jdbc).report(reports, now));
  }

  @Override
  public List<Beat.Answer> heartbeat(List<Beat> beats, Instant now) {
    if (beats.isEmpty()) return List.of();
    return write(jdbc -> new SqliteReports(jdbc).heartbeat(beats, now));
  }

  @Override
  public List<TaskView> overdue(Instant now, int limit) {
    return read(reader -> reader.overdue(now, limit));
  }

  @Override
  public Optional<Instant> nextOverdue() {
    return read(SqliteTaskReader::nextOverdue);
  }

  @Override
  public Optional<Instant> nextReady(String queue) {
    return read(reader -> reader.nextReady(queue));
  }

  @Override
  public List<TaskView> ofRun(long run) {
    return read(reader -> reader.ofRun(run));
  }

  @Override
  public Optional<TaskView> find(TaskRef ref) {
    return read(reader -> reader.find(ref));
  }

  @Override
  public Optional<Long> runWith(String queue, String unique) {
    return read(reader -> reader.runWith(queue, unique));
  }

  @Override
  public Map<String, Instant> namesWaiting(String queue, Instant before) {
    return read(reader -> reader.namesWaiting(queue, before));
  }

  @Override
  public Map<String, Instant> waitingSince(Instant before) {
    return read(reader -> reader.waitingSince(before));
  }

  @Override
  public Optional<EventRow> startOf(long run) {
    return read(reader -> reader.startOf(run));
  }

  @Override
  public boolean replace(
      String queue, String unique, EventRow start, Instant visibleAt, Instant now) {
    return write(jdbc -> new SqliteTaskWrites(jdbc).replace(queue, unique, start, visibleAt, now));
  }

  // ---- queues -----------------------------------------------------------------------------------

  @Override
  public QueueLimits limits(String queue) {
    return read(reader -> reader.queues().limits(queue));
  }

  @Override
  public void limit(String queue, QueueLimits limits) {
    write(jdbc -> new SqliteQueues(jdbc).limit(queue, limits));
  }

  @Override
  public List<QueueCount> count(@Nullable String queue) {
    return read(reader -> queue == null ? reader.counts() : List.of(reader.count(queue)));
  }

  @Override
  public void serve(WorkerRow worker) {
    write(jdbc -> new SqliteQueues(jdbc).serve(worker));
  }

  @Override
  public void leave(UUID worker) {
    write(jdbc -> new SqliteQueues(jdbc).leave(worker));
  }

  /** Who only reads forgets nobody. */
  @Override
  public List<WorkerRow> workers(Instant since) {
    if (writer != null) writer.write(jdbc -> new SqliteQueues(jdbc).forget(since));
    return read(reader -> reader.queues().workers(since));
  }
}

package dev.reprise.jdbc;

import dev.reprise.QueueLimits;
import dev.reprise.engine.queue.FlowControl;
import dev.reprise.engine.queue.QueueJson;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.TaskView;
import dev.reprise.engine.store.TaskView.State;
import dev.reprise.engine.store.WorkerRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a {@link PostgresStore}. They have connections of their own, so that they neither
 * wait for slow questions nor hold up the journal.
 */
final class PostgresTasks implements TaskStore {
  private static final Duration FORGOTTEN = Duration.ofDays(1);

  private final Lane lane;
  private final boolean readOnly;
  private final PostgresHandouts handouts = new PostgresHandouts();

  PostgresTasks(Lane lane, boolean readOnly) {
    this.lane = lane;
    this.readOnly = readOnly;
  }

  private void checkMayWrite() {
    if (readOnly) throw new IllegalStateException("the store was opened for reading only");
  }

  // ---- handing out ------------------------------------------------------------------------------

  @Override
  public List<Handout> take(Take take) {
    checkMayWrite();
    return lane.read(session -> handouts.take(session, take));
  }

  @Override
  public List<Report.Reply> report(List<Report> reports, Instant now) {
    checkMayWrite();
    if (reports.isEmpty()) return List.of();
    return lane.read(session -> TaskReports.report(session, reports, now));
  }

  @Override
  public List<Beat.Answer> heartbeat(List<Beat> beats, Instant now) {
    checkMayWrite();
    if (beats.isEmpty()) return List.of();
    return lane.read(session -> TaskReports.heartbeat(session, beats, now));
  }

  @Override
  public boolean replace(
      String queue, String unique, EventRow start, Instant visibleAt, Instant now) {
    checkMayWrite();
    return lane.read(
        session ->
            session.update(
                    QueueSql.REPLACE,
                    start.at(),
                    start.type(),
                    start.site(),
                    start.attributes(),
                    start.value(),
                    start.checksum(TaskArrays.KEPT_WITH_TASK),
                    visibleAt,
                    visibleAt,
                    now,
                    queue,
                    unique)
                > 0);
  }

  // ---- looking ----------------------------------------------------------------------------------

  @Override
  public List<TaskView> overdue(Instant now, int limit) {
    return lane.read(session -> session.list(QueueSql.OVERDUE, PostgresTasks::view, now, limit));
  }

  @Override
  public Optional<Instant> nextOverdue() {
    return lane.read(
        session ->
            session.first(QueueSql.NEXT_OVERDUE, columns -> PostgresTimes.instant(columns, 1)));
  }

  @Override
  public List<TaskView> ofRun(long run) {
    return lane.read(session -> session.list(QueueSql.OF_RUN, PostgresTasks::view, run));
  }

  @Override
  public Optional<TaskView> find(TaskRef ref) {
    return lane.read(
        session -> session.first(QueueSql.FIND, PostgresTasks::view, ref.run(), ref.index()));
  }

  @Override
  public Optional<Long> runWith(String queue, String unique) {
    return lane.read(
        session -> session.first(QueueSql.RUN_WITH, columns -> columns.getLong(1), queue, unique));
  }

  @Override
  public Map<String, Instant> namesWaiting(String queue, Instant before) {
    var since = new HashMap<String, Instant>();
    lane.read(
        session ->
            session.list(
                QueueSql.NAMES_WAITING,
                columns -> since.put(columns.getString(1), PostgresTimes.instant(columns, 2)),
                queue,
                HEAD,
                before));
    return since;
  }

  @Override
  public Map<String, Instant> waitingSince(Instant before) {
    var since = new HashMap<String, Instant>();
    lane.read(
        session ->
            session.list(
                QueueSql.WAITING_SINCE,
                columns -> since.put(columns.getString(1), PostgresTimes.instant(columns, 2)),
                before));
    return since;
  }

  @Override
  public Optional<EventRow> startOf(long run) {
    return lane.read(
        session ->
            session.first(
                QueueSql.START_OF,
                columns -> PostgresReader.event(TaskArrays.KEPT_WITH_TASK, columns),
                run));
  }

  private static TaskView view(ResultSet columns) throws SQLException {
    int index = columns.getInt(2);
    var task =
        new NewTask(
            index,
            columns.getString(3),
            columns.getString(4),
            columns.getString(5),
            columns.getInt(6),
            PostgresTimes.instant(columns, 7),
            PostgresTimes.duration(columns, 8),
            PostgresTimes.durationOrNull(columns, 9),
            PostgresTimes.instantOrNull(columns, 10),
            PostgresTimes.instantOrNull(columns, 11),
            columns.getString(12),
            columns.getBoolean(13));
    return new TaskView(
        new TaskRef(columns.getLong(1), index),
        task,
        State.valueOf(columns.getString(14)),
        columns.getInt(15),
        PostgresTimes.instant(columns, 16),
        PostgresTimes.instantOrNull(columns, 17),
        PostgresTimes.instantOrNull(columns, 18),
        columns.getBoolean(19),
        columns.getString(20),
        columns.getString(21),
        columns.getBytes(22),
        PostgresTimes.instantOrNull(columns, 23));
  }

  // ---- queues -----------------------------------------------------------------------------------

  @Override
  public Optional<Instant> nextReady(String queue) {
    return lane.read(
        session ->
            session
                .list(QueueSql.NEXT_READY, PostgresTasks::nextReady, queue, queue, queue, queue)
                .getFirst());
  }

  private static Optional<Instant> nextReady(ResultSet columns) throws SQLException {
    var delayed = PostgresTimes.instantOrNull(columns, 1);
    var limits = columns.getString(3);
    var rate =
        limits != null && columns.getBoolean(2)
            ? QueueJson.flow(columns.getString(4)).again(QueueJson.limits(limits))
            : null;
    return Stream.concat(Stream.ofNullable(delayed), Stream.ofNullable(rate))
        .min(Comparator.naturalOrder());
  }

  @Override
  public QueueLimits limits(String queue) {
    return lane.read(
            session ->
                session.first(
                    QueueSql.LIMITS, columns -> QueueJson.limits(columns.getString(1)), queue))
        .orElse(QueueLimits.none());
  }

  @Override
  public void limit(String queue, QueueLimits limits) {
    checkMayWrite();
    lane.read(
        session ->
            session.update(
                QueueSql.LIMIT,
                queue,
                QueueJson.write(limits),
                limits.perWorker(),
                FlowControl.isNeeded(limits)));
  }

  @Override
  public List<QueueCount> count(@Nullable String queue) {
    return lane.read(
        session -> {
          var names =
              queue == null
                  ? session.list(QueueSql.QUEUES, columns -> columns.getString(1))
                  : List.of(queue);
          var sorted = names.stream().sorted().toArray(String[]::new);
          return session.list(QueueSql.COUNT, PostgresTasks::count, (Object) sorted);
        });
  }

  private static QueueCount count(ResultSet columns) throws SQLException {
    return new QueueCount(
        columns.getString(1),
        columns.getLong(2),
        columns.getLong(3),
        columns.getLong(4),
        columns.getLong(5),
        columns.getLong(6),
        PostgresTimes.instantOrNull(columns, 7));
  }

  @Override
  public void serve(WorkerRow worker) {
    checkMayWrite();
    lane.read(
        session ->
            session.update(
                QueueSql.SERVE,
                worker.worker(),
                worker.queue(),
                worker.host(),
                worker.concurrency(),
                worker.names().toArray(String[]::new),
                worker.seenAt()));
  }

  @Override
  public void leave(UUID worker) {
    checkMayWrite();
    lane.read(session -> session.update(QueueSql.LEAVE, worker));
  }

  @Override
  public List<WorkerRow> workers(Instant since) {
    return lane.read(
        session -> {
          if (!readOnly) session.update(QueueSql.FORGET, since.minus(FORGOTTEN));
          return session.list(QueueSql.WORKERS, PostgresTasks::worker, since);
        });
  }

  private static WorkerRow worker(ResultSet columns) throws SQLException {
    return new WorkerRow(
        columns.getObject(1, UUID.class),
        columns.getString(2),
        columns.getString(3),
        columns.getInt(4),
        List.of((String[]) columns.getArray(5).getArray()),
        PostgresTimes.instant(columns, 6));
  }
}

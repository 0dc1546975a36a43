package dev.reprise.jdbc;

import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.Report.Change.Again;
import dev.reprise.engine.store.Report.Change.Finish;
import dev.reprise.engine.store.Report.Change.GiveBack;
import dev.reprise.engine.store.Report.Change.LeaveOpen;
import dev.reprise.engine.store.Report.Reply;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore.Beat;
import dev.reprise.engine.store.TaskView.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes tasks that were handed out, inside of a transaction. */
record SqliteReports(Jdbc jdbc) {

  /** How a task is when somebody reports of it. */
  private record Standing(
      int attempt, State state, @Nullable Instant dueAt, @Nullable String hand) {
    static Standing read(ResultSet columns) throws SQLException {
      return new Standing(
          columns.getInt(1),
          State.valueOf(columns.getString(2)),
          TaskRows.instant(columns, 3),
          columns.getString(4));
    }

    boolean lets(Report report) {
      if (attempt != report.attempt()) return false;
      if (report.hand() != null && !report.hand().toString().equals(hand)) return false;
      var overdue = report.overdue();
      if (overdue == null) return state == State.LEASED || state == State.EXTERNAL;
      return dueAt != null && !dueAt.isAfter(overdue);
    }
  }

  List<Reply> report(List<Report> reports, Instant now) {
    return reports.stream().map(report -> report(report, now)).toList();
  }

  static final String STANDING =
      "SELECT attempt, state, due_at, hand FROM tasks WHERE run_key = ? AND idx = ?";

  private Reply report(Report report, Instant now) {
    var ref = report.ref();
    var standing = jdbc.first(STANDING, Standing::read, ref.run(), ref.index());
    if (standing.isEmpty()) return Reply.GONE;
    if (!standing.get().lets(report)) return Reply.STALE;
    change(report, now);
    if (report.input() != null) new SqliteInputs(jdbc).accept(report.input());
    return Reply.ACCEPTED;
  }

  static final String FINISH = "DELETE FROM tasks WHERE run_key = ? AND idx = ?";

  static final String LEAVE_OPEN =
      """
      UPDATE tasks
         SET state = 'EXTERNAL', lease_until = NULL, heartbeat = coalesce(?, heartbeat)
       WHERE run_key = ? AND idx = ?
      """;

  private void change(Report report, Instant now) {
    var ref = report.ref();
    switch (report.change()) {
      case Finish _ -> jdbc.update(FINISH, ref.run(), ref.index());
      case Again(var visibleAt) -> again(ref, visibleAt, now, 0, report.heartbeat());
      case GiveBack(var visibleAt) -> again(ref, visibleAt, now, 1, report.heartbeat());
      case LeaveOpen _ -> jdbc.update(LEAVE_OPEN, report.heartbeat(), ref.run(), ref.index());
    }
  }

  static final String AGAIN =
      """
      UPDATE tasks
         SET state = ?, visible_at = ?, attempt = attempt - ?, heartbeat = coalesce(?, heartbeat),
             lease_until = NULL, deadline = NULL, hand = NULL
       WHERE run_key = ? AND idx = ?
      """;

  private void again(
      TaskRef ref, Instant visibleAt, Instant now, int uncounted, byte @Nullable [] heartbeat) {
    jdbc.update(
        AGAIN,
        SqliteTaskWrites.waiting(visibleAt, now),
        visibleAt,
        uncounted,
        heartbeat,
        ref.run(),
        ref.index());
  }

  static final String BEAT =
      """
      UPDATE tasks
         SET lease_until = ?1 + lease, heartbeat_at = ?1, heartbeat = coalesce(?2, heartbeat)
       WHERE run_key = ?3 AND idx = ?4 AND attempt = ?5 AND state = 'LEASED'
         AND (?6 IS NULL OR hand = ?6)
      RETURNING lease_until, cancelled
      """;

  List<Beat.Answer> heartbeat(List<Beat> beats, Instant now) {
    return beats.stream().map(beat -> heartbeat(beat, now)).toList();
  }

  private Beat.Answer heartbeat(Beat beat, Instant now) {
    return jdbc.first(
            BEAT,
            columns ->
                new Beat.Answer(true, Micros.instant(columns.getLong(1)), columns.getBoolean(2)),
            now,
            beat.details(),
            beat.ref().run(),
            beat.ref().index(),
            beat.attempt(),
            beat.hand())
        .orElse(Beat.Answer.LOST);
  }
}

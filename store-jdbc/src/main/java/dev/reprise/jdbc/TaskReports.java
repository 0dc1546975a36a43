package dev.reprise.jdbc;

import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.Report.Change;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore.Beat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reports and heartbeats, each lot in one round trip. */
final class TaskReports {
  private static final Report.Reply[] REPLIES = {
    Report.Reply.ACCEPTED, Report.Reply.STALE, Report.Reply.GONE
  };

  private TaskReports() {}

  /** What is said about a task, and its place in the answer. */
  private record Placed<T>(int place, TaskRef ref, T said) {}

  /** Each task once and sorted; what is said about one again comes in a further lot. */
  private static <T> List<List<Placed<T>>> lots(List<T> all, Function<T, TaskRef> refs) {
    var lots = new ArrayList<List<Placed<T>>>();
    var left = new ArrayList<Placed<T>>();
    for (int i = 0; i < all.size(); i++) {
      left.add(new Placed<>(i, refs.apply(all.get(i)), all.get(i)));
    }
    while (!left.isEmpty()) {
      var seen = new HashSet<TaskRef>();
      var lot = new ArrayList<>(left);
      lot.removeIf(placed -> !seen.add(placed.ref()));
      left.removeAll(lot);
      lot.sort(Comparator.comparing(Placed::ref));
      lots.add(lot);
    }
    return lots;
  }

  private static <T> void lock(Pipeline pipeline, List<Placed<T>> lot) {
    pipeline.query(TaskSql.LOCK, columns -> columns.getLong(1), runs(lot), indexes(lot));
  }

  private static <T> long[] runs(List<Placed<T>> lot) {
    return lot.stream().mapToLong(placed -> placed.ref().run()).toArray();
  }

  private static <T> int[] indexes(List<Placed<T>> lot) {
    return lot.stream().mapToInt(placed -> placed.ref().index()).toArray();
  }

  private static <T> @Nullable String[] hands(List<T> said, Function<T, @Nullable UUID> column) {
    var hands = new @Nullable String[said.size()];
    Arrays.setAll(
        hands, i -> column.apply(said.get(i)) instanceof UUID hand ? hand.toString() : null);
    return hands;
  }

  // ---- reports ----------------------------------------------------------------------------------

  static List<Report.Reply> report(Session session, List<Report> reports, Instant now) {
    var replies = new Report.Reply[reports.size()];
    for (var lot : lots(reports, Report::ref)) {
      var answers = new ArrayList<Report.Reply>();
      session.pipeline(pipeline(lot, now, answers));
      for (int i = 0; i < lot.size(); i++) replies[lot.get(i).place()] = answers.get(i);
    }
    return List.of(replies);
  }

  private static Pipeline pipeline(
      List<Placed<Report>> lot, Instant now, List<Report.Reply> answers) {
    var said = lot.stream().map(Placed::said).toList();
    var told =
        said.stream()
            .map(Report::input)
            .filter(Objects::nonNull)
            .mapToLong(InputRow::run)
            .distinct()
            .toArray();
    var pipeline = new Pipeline();
    if (told.length > 0) {
      pipeline.query(ReportSql.LOCK_DOORS, columns -> columns.getLong(1), (Object) told);
    }
    lock(pipeline, lot);
    pipeline.query(
        ReportSql.REPORT,
        columns -> answers.add(REPLIES[columns.getInt(1)]),
        runs(lot),
        indexes(lot),
        said.stream().mapToInt(Report::attempt).toArray(),
        hands(said, Report::hand),
        numbers(said, report -> PostgresTimes.microsOrNull(report.overdue())),
        said.stream().mapToInt(report -> code(report.change())).toArray(),
        numbers(said, report -> PostgresTimes.microsOrNull(visibleAt(report.change()))),
        bytes(said, Report::heartbeat),
        numbers(said, report -> report.input() == null ? null : (Long) report.input().run()),
        texts(said, input -> input.kind().name()),
        texts(said, InputRow::name),
        texts(said, InputRow::message),
        bytes(said, report -> report.input() == null ? null : report.input().value()),
        numbers(
            said,
            report ->
                report.input() == null
                    ? null
                    : (Long) PostgresTimes.micros(report.input().acceptedAt())),
        said.stream().mapToInt(TaskReports::checksum).toArray(),
        lot.stream().mapToInt(Placed::place).toArray(),
        now,
        told);
    return pipeline;
  }

  private static int checksum(Report report) {
    return report.input() == null ? 0 : report.input().checksum();
  }

  private static int code(Change change) {
    return switch (change) {
      case Change.Finish _ -> 0;
      case Change.Again _ -> 1;
      case Change.GiveBack _ -> 2;
      case Change.LeaveOpen _ -> 3;
    };
  }

  private static @Nullable Instant visibleAt(Change change) {
    return switch (change) {
      case Change.Again(var at) -> at;
      case Change.GiveBack(var at) -> at;
      case Change.Finish _, Change.LeaveOpen _ -> null;
    };
  }

  private static @Nullable String[] texts(List<Report> said, Function<InputRow, String> column) {
    var texts = new @Nullable String[said.size()];
    for (int i = 0; i < texts.length; i++) {
      var input = said.get(i).input();
      texts[i] = input == null ? null : column.apply(input);
    }
    return texts;
  }

  private static @Nullable Long[] numbers(
      List<Report> said, Function<Report, @Nullable Long> column) {
    var numbers = new @Nullable Long[said.size()];
    Arrays.setAll(numbers, i -> column.apply(said.get(i)));
    return numbers;
  }

  private static <T> byte[] @Nullable [] bytes(
      List<T> said, Function<T, byte @Nullable []> column) {
    var bytes = new byte[said.size()] @Nullable [];
    for (int i = 0; i < bytes.length; i++) bytes[i] = column.apply(said.get(i));
    return bytes;
  }

  // ---- heartbeats -------------------------------------------------------------------------------

  static List<Beat.Answer> heartbeat(Session session, List<Beat> beats, Instant now) {
    var answers = new Beat.Answer[beats.size()];
    Arrays.fill(answers, Beat.Answer.LOST);
    for (var lot : lots(beats, Beat::ref)) {
      var said = lot.stream().map(Placed::said).toList();
      var pipeline = new Pipeline();
      lock(pipeline, lot);
      pipeline.query(
          ReportSql.HEARTBEAT,
          columns -> {
            int place = lot.get(columns.getInt(1) - 1).place();
            var until = PostgresTimes.instant(columns, 2);
            return answers[place] = new Beat.Answer(true, until, columns.getBoolean(3));
          },
          runs(lot),
          indexes(lot),
          said.stream().mapToInt(Beat::attempt).toArray(),
          hands(said, Beat::hand),
          bytes(said, Beat::details),
          now,
          now);
      session.pipeline(pipeline);
    }
    return List.of(answers);
  }
}

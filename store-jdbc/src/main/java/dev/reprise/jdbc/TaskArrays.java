package dev.reprise.jdbc;

import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.NewTask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** New tasks turned by a quarter: an array for each column. */
final class TaskArrays {
  /**
   * The run in the checksum of a first event that a task keeps: a later start with the same unique
   * key replaces it, and does not know which run waits.
   */
  static final long KEPT_WITH_TASK = 0;

  private final List<Asked> asked = new ArrayList<>();

  private record Asked(long run, NewTask task, Instant at, @Nullable EventRow start) {}

  /**
   * @param at when they are put on their queues
   * @param start the first event of a run that waits to begin, else null
   */
  void addAll(long run, List<NewTask> tasks, Instant at, @Nullable EventRow start) {
    for (var task : tasks) asked.add(new Asked(run, task, at, task.index() == 0 ? start : null));
  }

  boolean isEmpty() {
    return asked.isEmpty();
  }

  /** Those of {@link TaskSql#INSERT}. */
  List<@Nullable Object> columns() {
    return new ArrayList<>(
        Arrays.asList(
            numbers(Asked::run),
            asked.stream().mapToInt(row -> row.task().index()).toArray(),
            texts(row -> row.task().queue()),
            texts(row -> row.task().name()),
            texts(row -> row.task().key()),
            asked.stream().mapToInt(row -> row.task().priority()).toArray(),
            numbers(row -> PostgresTimes.micros(row.at())),
            numbers(row -> PostgresTimes.micros(row.task().visibleAt())),
            numbers(row -> PostgresTimes.micros(row.task().lease())),
            numbersOrNull(
                row -> {
                  var limit = row.task().attemptLimit();
                  return limit == null ? null : PostgresTimes.micros(limit);
                }),
            numbersOrNull(row -> PostgresTimes.microsOrNull(row.task().waitUntil())),
            numbersOrNull(row -> PostgresTimes.microsOrNull(row.task().until()))));
  }

  /** The same with those that only runs have, as {@link TaskSql#START} wants them. */
  List<@Nullable Object> columnsWithStart() {
    var columns = columns();
    columns.add(texts(row -> row.task().unique()));
    columns.add(asked.stream().mapToInt(row -> row.task().debounced() ? 1 : 0).toArray());
    columns.add(
        numbersOrNull(row -> row.start() == null ? null : PostgresTimes.micros(row.start().at())));
    columns.add(
        asked.stream().mapToInt(row -> row.start() == null ? 0 : row.start().type()).toArray());
    columns.add(texts(row -> row.start() == null ? null : row.start().site()));
    columns.add(bytes(row -> row.start() == null ? null : row.start().attributes()));
    columns.add(bytes(row -> row.start() == null ? null : row.start().value()));
    columns.add(
        asked.stream()
            .mapToInt(row -> row.start() == null ? 0 : row.start().checksum(KEPT_WITH_TASK))
            .toArray());
    return columns;
  }

  private long[] numbers(ToLongFunction<Asked> column) {
    return asked.stream().mapToLong(column).toArray();
  }

  private @Nullable Long[] numbersOrNull(Function<Asked, @Nullable Long> column) {
    var numbers = new @Nullable Long[asked.size()];
    Arrays.setAll(numbers, i -> column.apply(asked.get(i)));
    return numbers;
  }

  private @Nullable String[] texts(Function<Asked, @Nullable String> column) {
    var texts = new @Nullable String[asked.size()];
    Arrays.setAll(texts, i -> column.apply(asked.get(i)));
    return texts;
  }

  private byte[] @Nullable [] bytes(Function<Asked, byte @Nullable []> column) {
    var bytes = new byte[asked.size()] @Nullable [];
    for (int i = 0; i < bytes.length; i++) bytes[i] = column.apply(asked.get(i));
    return bytes;
  }
}

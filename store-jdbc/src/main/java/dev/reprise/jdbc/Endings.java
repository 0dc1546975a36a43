package dev.reprise.jdbc;

import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange.Close;
import dev.reprise.engine.store.Transition.RunChange.Continue;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;

/**
 * The runs of a segment that end, and those that go on as new ones. None of them sends to another
 * one: {@link BatchPlan} puts these into different segments.
 *
 * @param placed which of the runs may have a place on a queue
 */
record Endings(List<Append> appends, Set<Long> placed) {

  /**
   * @param nodeKey the owner of the runs that go on
   * @param ended is told the keys of those that have ended
   */
  void addTo(Pipeline pipeline, int nodeKey, LongConsumer ended) {
    var deliveries = new Deliveries(appends);
    closeDoors(pipeline, deliveries);
    end(pipeline, nodeKey, ended);
    if (!deliveries.isEmpty()) deliveries.addTo(pipeline, true);
    setAttributes(pipeline);
    var tasks = new TaskChanges(appends);
    tasks.addTo(pipeline, true);
    tasks.leave(pipeline, placed);
  }

  private void closeDoors(Pipeline pipeline, Deliveries deliveries) {
    if (deliveries.isEmpty()) {
      pipeline.add(EndingSql.CLOSE_DOORS, (Object) keys(appends));
      return;
    }
    pipeline.add(
        EndingSql.CLOSE_DOORS_REACHING,
        deliveries.senders(),
        deliveries.workflowIds(),
        deliveries.targets(),
        deliveries.targets(),
        keys(appends));
  }

  private void end(Pipeline pipeline, int nodeKey, LongConsumer ended) {
    if (appends.stream().allMatch(Endings::isQuiet)) {
      closeQuietly(pipeline, ended);
      return;
    }
    var closes = appends.stream().filter(append -> append.change() instanceof Close).toList();
    if (!closes.isEmpty()) close(pipeline, closes, ended);
    var others = appends.stream().filter(append -> append.change() instanceof Continue).toList();
    if (!others.isEmpty()) goOn(pipeline, others, nodeKey, ended);
    pipeline.add(EndingSql.OPEN_DOORS, (Object) keys(appends));
  }

  /** Whether there is nothing to them but to close. */
  boolean arePlain() {
    return placed.isEmpty()
        && appends.stream()
            .allMatch(append -> append.change() instanceof Close && SegmentCommit.isPlain(append));
  }

  /**
   * Closes plain ones, all of them or none. Their events are to be recorded by who calls, and they
   * have all ended if the statements do not fail.
   */
  void addAtOnce(Pipeline pipeline) {
    if (appends.size() == 1) {
      closeOne(pipeline, appends.getFirst());
      return;
    }
    pipeline.add(EndingSql.CLOSE_DOORS, (Object) keys(appends));
    pipeline.add(
        EndingSql.CLOSE_AT_ONCE,
        keys(appends),
        statuses(appends),
        numbers(appends, append -> PostgresTimes.micros(close(append).at())));
  }

  private static void closeOne(Pipeline pipeline, Append append) {
    pipeline.add(CommitSql.CLOSE_DOOR, append.run());
    pipeline.add(CommitSql.CLOSE_ONE, close(append).status(), close(append).at(), append.run());
  }

  private static boolean isQuiet(Append append) {
    return append.change() instanceof Close && append.consumedInputs().isEmpty();
  }

  /**
   * Closes them when their doors are closed, if no input waits, and opens the doors of the rest.
   */
  private void closeQuietly(Pipeline pipeline, LongConsumer ended) {
    pipeline.query(
        EndingSql.CLOSE_QUIETLY,
        columns -> told(ended, columns.getLong(1)),
        keys(appends),
        statuses(appends),
        numbers(appends, append -> PostgresTimes.micros(close(append).at())),
        events(appends),
        (long) appends.size(),
        keys(appends));
  }

  private static void close(Pipeline pipeline, List<Append> closes, LongConsumer ended) {
    var consumed = Consumed.by(closes);
    pipeline.query(
        EndingSql.CLOSE,
        columns -> told(ended, columns.getLong(1)),
        keys(closes),
        statuses(closes),
        numbers(closes, append -> PostgresTimes.micros(close(append).at())),
        consumed.inputs(),
        consumed.runs(),
        events(closes));
  }

  private static void goOn(
      Pipeline pipeline, List<Append> others, int nodeKey, LongConsumer ended) {
    var consumed = Consumed.by(others);
    var next = others.stream().map(append -> next(append).next()).toList();
    var events = new EventArrays();
    for (var append : others) {
      events.addAll(append.run(), append.events());
      events.addAll(next(append).next().key(), next(append).events());
    }
    pipeline.query(
        EndingSql.CONTINUE,
        columns -> told(ended, columns.getLong(1)),
        keys(others),
        numbers(others, append -> PostgresTimes.micros(next(append).at())),
        next.stream().mapToLong(RunRow::key).toArray(),
        next.stream().map(run -> run.runId().toString()).toArray(String[]::new),
        next.stream().map(RunRow::workflow).toArray(String[]::new),
        next.stream().mapToInt(run -> run.owner() == null ? 0 : nodeKey).toArray(),
        new RunArrays(next).wakeTimes(),
        next.stream().mapToLong(run -> PostgresTimes.micros(run.startedAt())).toArray(),
        next.stream().map(RunRow::parent).toArray(String[]::new),
        next.stream().map(RunRow::attributes).toArray(String[]::new),
        consumed.inputs(),
        consumed.runs(),
        events);
  }

  private void setAttributes(Pipeline pipeline) {
    var changed = appends.stream().filter(append -> append.attributes() != null).toList();
    if (changed.isEmpty()) return;
    pipeline.add(
        CommitSql.SET_ATTRIBUTES,
        keys(changed),
        changed.stream().map(Append::attributes).toArray(String[]::new),
        true);
  }

  private static boolean told(LongConsumer ended, long run) {
    ended.accept(run);
    return true;
  }

  private static EventArrays events(List<Append> appends) {
    var events = new EventArrays();
    for (var append : appends) events.addAll(append.run(), append.events());
    return events;
  }

  private static String[] statuses(List<Append> closes) {
    return closes.stream().map(append -> close(append).status().name()).toArray(String[]::new);
  }

  private static long[] keys(List<Append> appends) {
    return numbers(appends, Append::run);
  }

  private static long[] numbers(List<Append> appends, ToLongFunction<Append> column) {
    return appends.stream().mapToLong(column).toArray();
  }

  private static Close close(Append append) {
    return (Close) append.change();
  }

  private static Continue next(Append append) {
    return (Continue) append.change();
  }
}

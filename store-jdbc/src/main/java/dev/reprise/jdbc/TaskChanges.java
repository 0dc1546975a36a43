package dev.reprise.jdbc;

import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange.Begin;
import dev.reprise.engine.store.Transition.RunChange.Continue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** What appends do to tasks. */
record TaskChanges(List<Append> appends) {

  /**
   * New tasks, and those that nobody wants any more.
   *
   * @param ending whether their runs end, and do nothing if they do not
   */
  void addTo(Pipeline pipeline, boolean ending) {
    var added = new TaskArrays();
    var cancelled = new ArrayList<TaskRef>();
    for (var append : appends) {
      if (!append.tasks().isEmpty()) {
        added.addAll(append.run(), append.tasks(), append.events().getLast().at(), null);
      }
      for (int index : append.cancelled()) cancelled.add(new TaskRef(append.run(), index));
    }
    if (!added.isEmpty()) {
      pipeline.add(
          TaskSql.INSERT, Stream.concat(added.columns().stream(), Stream.of(ending)).toArray());
    }
    if (!cancelled.isEmpty()) cancel(pipeline, cancelled, ending);
  }

  private static void cancel(Pipeline pipeline, List<TaskRef> cancelled, boolean ending) {
    cancelled.sort(Comparator.naturalOrder());
    var runs = cancelled.stream().mapToLong(TaskRef::run).toArray();
    var indexes = cancelled.stream().mapToInt(TaskRef::index).toArray();
    pipeline.query(TaskSql.LOCK, columns -> columns.getLong(1), runs, indexes);
    pipeline.add(TaskSql.CANCEL, runs, indexes, ending);
  }

  /**
   * Those of them that begin do so, with their events.
   *
   * @param begun is told the keys of those that have begun
   */
  void begin(Pipeline pipeline, int nodeKey, boolean withEvents, LongConsumer begun) {
    var begins = appends.stream().filter(append -> append.change() instanceof Begin).toList();
    if (begins.isEmpty()) return;
    var events = new EventArrays();
    for (var append : begins) if (withEvents) events.addAll(append.run(), append.events());
    var runs = begins.stream().mapToLong(Append::run).toArray();
    pipeline.query(
        TaskSql.BEGIN,
        columns -> {
          begun.accept(columns.getLong(1));
          return true;
        },
        runs,
        nodeKey,
        runs,
        begins.stream()
            .mapToLong(append -> PostgresTimes.micros(((Begin) append.change()).at()))
            .toArray(),
        events);
  }

  /**
   * Ended runs leave their queues, or their places to those that go on.
   *
   * @param placed the runs that may have a place
   */
  void leave(Pipeline pipeline, Collection<Long> placed) {
    var leaving = appends.stream().filter(append -> placed.contains(append.run())).toList();
    if (leaving.isEmpty()) return;
    var going = leaving.stream().filter(append -> append.change() instanceof Continue).toList();
    if (!going.isEmpty()) {
      pipeline.add(
          TaskSql.MOVE,
          going.stream().mapToLong(Append::run).toArray(),
          going.stream().mapToLong(append -> nextKey(append)).toArray());
    }
    pipeline.add(TaskSql.FREE, (Object) leaving.stream().mapToLong(Append::run).toArray());
  }

  private static long nextKey(Append append) {
    return ((Continue) append.change()).next().key();
  }
}

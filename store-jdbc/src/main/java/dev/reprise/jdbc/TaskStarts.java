package dev.reprise.jdbc;

import dev.reprise.Status;
import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition.Start;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Starts of which some have tasks, or wait on a queue themselves. */
record TaskStarts(List<Start> starts) {

  static boolean hasTasks(Start start) {
    return !start.tasks().isEmpty();
  }

  /** Whether another run of its queue may keep it from starting. */
  static boolean isUnique(Start start) {
    return start.tasks().stream().map(NewTask::unique).anyMatch(unique -> unique != null);
  }

  /**
   * @param started is told the keys of those that are stored
   * @param duplicate is told the keys of those that are not, for another one of their queue
   */
  void addTo(Pipeline pipeline, int nodeKey, LongConsumer started, LongConsumer duplicate) {
    var tasks = new TaskArrays();
    var events = new EventArrays();
    for (var start : starts) {
      long run = start.run().key();
      boolean waits = start.run().status() == Status.QUEUED;
      tasks.addAll(
          run, start.tasks(), start.run().startedAt(), waits ? start.events().getFirst() : null);
      if (!waits) events.addAll(run, start.events());
    }
    var values = new ArrayList<@Nullable Object>();
    var runs = starts.stream().map(Start::run).toList();
    values.addAll(new RunArrays(runs).columns(nodeKey, true));
    values.addAll(tasks.columnsWithStart());
    values.add(events);
    pipeline.query(
        TaskSql.START,
        columns -> {
          (columns.getLong(2) == 1 ? started : duplicate).accept(columns.getLong(1));
          return true;
        },
        values.toArray());
    takeBack(pipeline);
  }

  private void takeBack(Pipeline pipeline) {
    var unique = starts.stream().filter(TaskStarts::isUnique).map(Start::run).toList();
    if (unique.isEmpty()) return;
    pipeline.add(
        TaskSql.TAKE_BACK,
        unique.stream().map(RunRow::workflowId).toArray(String[]::new),
        unique.stream().mapToLong(RunRow::key).toArray());
  }

  static final String TAKEN_IDS =
      "SELECT workflow_id FROM workflows WHERE workflow_id = ANY (?::text[])";

  /**
   * Of starts that are not stored, those whose workflow id is free: only another run of their queue
   * can have been in their way.
   */
  Set<Long> duplicates(Session session, Set<Long> started) {
    var lost =
        starts.stream()
            .filter(start -> isUnique(start) && !started.contains(start.run().key()))
            .map(Start::run)
            .toList();
    var duplicates = new HashSet<Long>();
    if (lost.isEmpty()) return duplicates;
    var ids = lost.stream().map(RunRow::workflowId).toArray(String[]::new);
    var taken = new HashSet<>(session.list(TAKEN_IDS, c -> c.getString(1), (Object) ids));
    for (var run : lost) if (!taken.contains(run.workflowId())) duplicates.add(run.key());
    return duplicates;
  }
}

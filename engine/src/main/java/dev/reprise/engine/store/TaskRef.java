package dev.reprise.engine.store;

import java.util.Comparator;

/**
 * Which task: the event that asked for it.
 *
 * @param run the key of the run
 * @param index of the event in the run's history; 0 for the run itself, which waits to begin
 */
public record TaskRef(long run, int index) implements Comparable<TaskRef> {
  private static final Comparator<TaskRef> ORDER =
      Comparator.comparingLong(TaskRef::run).thenComparingInt(TaskRef::index);

  /** Of a run that waits to begin. */
  public static TaskRef ofRun(long run) {
    return new TaskRef(run, 0);
  }

  public boolean isRun() {
    return index == 0;
  }

  @Override
  public int compareTo(TaskRef other) {
    return ORDER.compare(this, other);
  }
}

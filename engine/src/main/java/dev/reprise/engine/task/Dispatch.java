package dev.reprise.engine.task;

import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.TaskStore;
import java.util.List;

/**
 * How what is ready on a queue gets to the workers that wait for it. The database has the truth, so
 * whatever is lost here is found again by looking there; a dispatch only makes it faster.
 */
public interface Dispatch {

  /** Hands out tasks, each with a lease of the database. */
  List<Handout> take(TaskStore.Take take);

  /** Something on a queue is ready, or may be soon. Does not block. */
  void announce(String queue);
}

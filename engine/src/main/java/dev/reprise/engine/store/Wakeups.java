package dev.reprise.engine.store;

import java.util.Collection;

/**
 * Hints between processes that something is ready. They may be lost, doubled or late: who relies on
 * one looks by himself from time to time. No call here blocks.
 */
public interface Wakeups {

  /** For a store whose users are all in one process, where nobody needs a hint. */
  Wakeups NONE =
      new Wakeups() {
        @Override
        public void onHint(Listener listener) {}

        @Override
        public void inputsFor(long run) {}

        @Override
        public void due() {}

        @Override
        public void tasksOn(String queue) {}
      };

  /** Who is told of the hints of other processes. Called once for each node that joins. */
  void onHint(Listener listener);

  /** Inputs wait for a run that another node has in memory. */
  void inputsFor(long run);

  /** Runs that nobody has in memory have become due. */
  void due();

  /** Something on a queue may be ready for another process. */
  void tasksOn(String queue);

  /** Told of hints, on a thread that must not be held up. */
  interface Listener {
    /** Inputs wait for these runs, of which some may be in the memory of this node. */
    void inputsFor(Collection<Long> runs);

    /** Runs may have become due. */
    void due();

    /** Something on these queues may be ready. */
    void tasksOn(Collection<String> queues);

    /** Hints may have been lost: everything is worth a look. */
    void missed();
  }
}

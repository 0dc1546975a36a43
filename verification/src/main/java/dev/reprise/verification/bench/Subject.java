package dev.reprise.verification.bench;

/** An engine at work, to be measured. Safe for use by many threads. */
public interface Subject extends Records {

  /** A workflow that was started. */
  interface Run {
    /** Waits for what it gives. */
    int result();
  }

  /** Starts a workflow, which is durable when this returns. */
  Run start(Job job, String id, int number);

  /** A workflow that was started by any process. */
  Run find(Job job, String id);

  /** Sends a number to a workflow that waits for it. */
  void signal(String id, int number);

  /** Returns when a workflow that has come to its wait has recorded so. */
  void awaitWait(String id);

  /** Returns when so many workflows have completed: looks at what is stored every 20 ms. */
  void awaitEnds(int count);
}

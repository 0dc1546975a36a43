package dev.reprise.engine.journal;

/**
 * Decides how long the writer waits for the next batch to become about as large as the last. It is
 * a part of the time that a commit takes, so that it pays if some come back; and if they do not,
 * because they are busy with real work, it is not tried again for a while.
 */
final class Gathering {
  private static final int MOST = 64; // more take as long to come back as to commit
  private static final long SHORTEST_COMMIT = 100_000; // ns; a shorter wait takes longer than said
  private static final long LONGEST = 1_000_000; // ns
  private static final int FIRST_REST = 4; // batches
  private static final int LONGEST_REST = 1_024;

  private volatile int last = 1;
  private volatile long lastNanos;
  private int rest; // as the next, of the writer alone
  private int nextRest = FIRST_REST;

  /** So many were committed together, and it took so long. */
  void committed(int count, long nanos) {
    lastNanos = nanos;
    last = count;
  }

  /** For how many to wait now; less than two if for none. */
  int expected() {
    int count = last;
    if (count < 2 || count > MOST || lastNanos < SHORTEST_COMMIT) return 0;
    if (rest > 0) {
      rest--;
      return 0;
    }
    return count - count / 8;
  }

  long limitNanos() {
    return Math.min(lastNanos / 4 * 3, LONGEST);
  }

  /** So many have come in the end. */
  void gathered(int count) {
    boolean pays = 2 * count >= last;
    if (!pays) rest = nextRest;
    nextRest = pays ? FIRST_REST : Math.min(2 * nextRest, LONGEST_REST);
  }
}

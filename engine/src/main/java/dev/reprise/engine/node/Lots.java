package dev.reprise.engine.node;

import java.time.Duration;
import java.util.Optional;

/**
 * How many old runs to delete at once, and how long to wait before the next lot. While more is left
 * than a lot takes, lots grow and follow each other without a pause, so that deleting keeps up with
 * closing. A lot that takes long says that the database has other things to do: the next one is
 * smaller, and waits for as long as this one took.
 */
final class Lots {
  static final int FIRST = 100; // takes about as long as a batch of the journal
  static final int LARGEST = 1_000; // more is not faster, and others may have to wait for it
  static final int SMALLEST = 10;

  /** What shares a connection or a disk with the deletions waits no longer than that. */
  static final Duration SLOW = Duration.ofMillis(100);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private int size = FIRST;

  /** How many to delete now. */
  int size() {
    return size;
  }

  /** How long to wait before the next lot; nothing if that was the last one for now. */
  Optional<Duration> next(int deleted, Duration took) {
    if (deleted < size) {
      size = FIRST;
      return Optional.empty();
    }
    if (took.compareTo(SLOW) > 0) {
      size = Math.max(SMALLEST, size / 2);
      return Optional.of(took.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : took);
    }
    if (took.compareTo(SLOW.dividedBy(2)) < 0) size = Math.min(LARGEST, size * 2);
    return Optional.of(Duration.ZERO);
  }

  /** The last one failed: begin again with a small one. */
  void failed() {
    size = FIRST;
  }
}

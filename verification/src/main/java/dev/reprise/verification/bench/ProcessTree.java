package dev.reprise.verification.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The processor time of a process and all below it, as Linux counts it.
 *
 * @param root the process at the top
 */
record ProcessTree(long root) {
  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1) / 100; // USER_HZ is fixed
  private static final int OWN_USER = 11; // fields after the name, as proc(5) has them
  private static final int ENDED_SYSTEM = 14;

  /** What they have used, together with those below them that have ended. */
  long cpuNanos() {
    long ticks = ticks(root);
    var below = ProcessHandle.of(root).map(ProcessHandle::descendants);
    if (below.isPresent()) ticks += below.get().mapToLong(process -> ticks(process.pid())).sum();
    return ticks * TICK_NANOS;
  }

  /** Nothing of a process that has just ended: its parent has that. */
  private static long ticks(long pid) {
    return fields(pid).map(ProcessTree::sum).orElse(0L);
  }

  private static long sum(String[] fields) {
    long ticks = 0;
    for (int i = OWN_USER; i <= ENDED_SYSTEM; i++) ticks += Long.parseLong(fields[i]);
    return ticks;
  }

  private static Optional<String[]> fields(long pid) {
    try {
      var text = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return Optional.of(text.substring(text.lastIndexOf(')') + 2).split(" "));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }
}

package dev.reprise.jdbc;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * A few connections for reading, opened when they are first needed.
 *
 * <p>SQLite's readers do not wait for the writer, nor it for them.
 */
final class ReadConnections implements AutoCloseable {
  private static final int MAX = 2; // reads are short; more would only share the same cores

  private final SqliteFile file;
  private final FileGuard guard;
  private final Semaphore free = new Semaphore(MAX, true);
  private final Deque<Jdbc> idle = new ArrayDeque<>();
  private boolean closed;

  ReadConnections(SqliteFile file, FileGuard guard) {
    this.file = file;
    this.guard = guard;
  }

  <T> T read(Function<SqliteReader, T> work) {
    guard.check();
    free.acquireUninterruptibly();
    try {
      var jdbc = take();
      try {
        return work.apply(new SqliteReader(jdbc));
      } finally {
        giveBack(jdbc);
      }
    } finally {
      free.release();
    }
  }

  private synchronized Jdbc take() {
    if (closed) throw new IllegalStateException("the store is closed");
    return idle.isEmpty() ? file.reader() : idle.pop();
  }

  private synchronized void giveBack(Jdbc jdbc) {
    idle.push(jdbc);
  }

  /** Waits for those who read. */
  @Override
  public void close() {
    free.acquireUninterruptibly(MAX);
    try {
      closeIdle();
    } finally {
      free.release(MAX);
    }
  }

  private synchronized void closeIdle() {
    closed = true;
    while (!idle.isEmpty()) idle.pop().close();
  }
}

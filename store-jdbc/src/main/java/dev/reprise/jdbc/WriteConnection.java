package dev.reprise.jdbc;

import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Claim;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.Trial;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The one connection that writes, for one thread at a time, and the lock that makes it the one. */
final class WriteConnection implements AutoCloseable {
  private static final long A_WHILE = 500_000; // nanoseconds
  private static final int MOST_POLITE = 200; // then it is a tenth of a second behind

  private final ReentrantLock turn = new ReentrantLock();
  private final SqliteFile file;
  private final FileGuard guard;
  private final Jdbc jdbc;
  private final SqliteNodes nodes;
  private final SqliteWriter writer;
  private final SqliteClaims claims;
  private final SqliteRetention retention;
  private @Nullable EngineLock engineLock;
  private long nextKey;
  private boolean closed;

  WriteConnection(SqliteFile file, FileGuard guard) {
    this.file = file;
    this.guard = guard;
    this.jdbc = file.writer();
    this.nodes = new SqliteNodes(jdbc);
    this.writer = new SqliteWriter(jdbc, nodes);
    this.claims = new SqliteClaims(jdbc, nodes);
    this.retention = new SqliteRetention(jdbc);
  }

  static final String NEXT_KEY =
      """
      SELECT max(next, (SELECT coalesce(max(run_key), 0) + 1 FROM runs)) FROM run_keys
      """;

  void join(Joining node) {
    inTurn(
        () -> {
          if (engineLock == null) {
            engineLock = EngineLock.on(file.path());
            guard.watch(engineLock);
          }
          nodes.join(node);
          writer.begin();
          long next = jdbc.first(NEXT_KEY, columns -> columns.getLong(1)).orElseThrow();
          nextKey = Math.max(nextKey, next);
          return node;
        });
  }

  void leave(UUID node) {
    inTurn(
        () -> {
          boolean last = nodes.isJoined(node);
          nodes.leave(node);
          if (last) unlock();
          return node;
        });
  }

  List<Outcome> commit(Batch batch) {
    return inTurn(() -> fenced(() -> writer.commit(batch)));
  }

  List<RunRow> claim(Claim claim) {
    return inTurn(() -> fenced(() -> claims.claim(claim)));
  }

  /** An engine that lost its file, or its lock to another engine, is fenced, and says by what. */
  private <T> T fenced(Supplier<T> work) {
    guard.checkFence();
    return work.get();
  }

  void tried(UUID node, long run, Trial trial) {
    inTurn(
        () -> {
          claims.tried(node, run, trial);
          return node;
        });
  }

  /** Work that needs no fence, as one transaction. */
  <T> T write(Function<Jdbc, T> work) {
    return inTurn(
        () -> {
          guard.check();
          return jdbc.inTransaction(() -> work.apply(jdbc));
        });
  }

  /** Who waits for the connection comes first: lots of deletions may follow each other closely. */
  int deleteClosed(Instant before, int limit) {
    for (int i = 0; i < MOST_POLITE && turn.hasQueuedThreads(); i++) LockSupport.parkNanos(A_WHILE);
    return inTurn(
        () -> {
          guard.check();
          return retention.deleteClosed(before, limit);
        });
  }

  /** Keys need no row of their own: only who has joined gives them out, from memory. */
  long reserveKeys(int count) {
    return inTurn(
        () -> {
          if (engineLock == null) throw new IllegalStateException("no node has joined");
          long first = nextKey;
          nextKey += count;
          return first;
        });
  }

  private <T> T inTurn(Supplier<T> work) {
    turn.lock();
    try {
      if (closed) throw new IllegalStateException("the store is closed");
      return work.get();
    } finally {
      turn.unlock();
    }
  }

  private void unlock() {
    guard.unwatch();
    if (engineLock != null) engineLock.close();
    engineLock = null;
  }

  /** Unlocks last: who joins next finds nothing of this process open. */
  @Override
  public void close() {
    turn.lock();
    try {
      if (!closed) jdbc.close();
      closed = true;
      unlock();
    } finally {
      turn.unlock();
    }
  }
}

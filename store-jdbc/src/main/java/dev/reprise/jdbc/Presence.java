package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.Texts;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Survival;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the other nodes that this process lives: by advisory locks on a connection of their own,
 * which the server drops at once when the process dies. The same connection listens to hints.
 *
 * <p>The locks are shared ones. After a lost connection the server may go on with the old one for a
 * while, and the new one need not wait for that.
 */
final class Presence implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Presence.class);
  private static final long FIRST_LISTEN = 50; // how long a second lock, or who closes, may wait
  private static final long LONGEST_LISTEN = 500; // the same when nothing has happened for a while
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long FIRST_PAUSE = 20;
  private static final long LONGEST_PAUSE = 500;
  private static final long JOIN_MILLIS = 10_000;
  private static final long CLOSE_MILLIS = 1_000;

  private final ConnectionSource source;
  private final DatabaseClock clock;
  private final @Nullable Notifier hints;
  private final PresenceLocks locks = new PresenceLocks();
  private final Map<Integer, UUID> wanted = new HashMap<>(); // as they were called at first
  private final Set<Integer> held = new HashSet<>();
  private @Nullable Thread thread;
  private @Nullable Session current;
  private @Nullable Throwable failure; // why there is no connection
  private boolean closed;
  private volatile boolean present = true;
  private volatile int absences; // written by the thread only
  private volatile @Nullable Backend backend; // of the connection of the moment, or of the last
  private volatile boolean isShared; // that connection was
  private long pause = FIRST_PAUSE;
  private long silence = FIRST_LISTEN; // touched by the thread only

  /**
   * @param hints who is told of notifications, or null if nobody listens
   */
  Presence(ConnectionSource source, DatabaseClock clock, @Nullable Notifier hints) {
    this.source = source;
    this.clock = clock;
    this.hints = hints;
  }

  /** Takes a lock for a node, and returns when it is held. */
  synchronized void hold(UUID node, int lockId) {
    wanted.put(lockId, node);
    settle();
    if (thread == null)
      thread =
          Thread.ofPlatform()
              .daemon()
              .name("reprise-presence")
              .start(Survival.looping(Machine.REAL, this::run));
    notifyAll();
    awaitUntil(() -> held.contains(lockId) || closed || isRefused(), JOIN_MILLIS);
    if (held.contains(lockId) && !closed) return;
    wanted.remove(lockId);
    settle();
    if (failure instanceof StoreUnavailable refused && isRefused()) throw refused;
    throw new StoreUnavailable(
        "no connection to show that this node lives: it needs one of at least 2 connections",
        failure);
  }

  /** Gives a lock back, as soon as its thread sees it. */
  synchronized void release(int lockId) {
    wanted.remove(lockId);
    settle();
  }

  /** Whether all locks are held, as far as is known. Asked before every activity. */
  boolean isPresent() {
    return present;
  }

  /** How often the connection was lost. */
  int absences() {
    return absences;
  }

  /** Whether another attempt is of no use before an operator has mended something. */
  private synchronized boolean isRefused() {
    return failure instanceof StoreUnavailable refused && !refused.isRetryable();
  }

  /**
   * Checks that a connection has another server process than this one.
   *
   * @throws StoreUnavailable {@code R140} if not
   */
  void checkApart(Session other) {
    if (other.backend().equals(backend)) throw Backend.shared(source.database());
  }

  /**
   * Checks that the last connection was not one that a proxy shares among several. Asked before
   * every batch.
   *
   * @throws StoreUnavailable {@code R140} if it was: then the node's locks do not hold
   */
  void checkUnshared() {
    if (isShared) throw Backend.shared(source.database());
  }

  private void settle() {
    present = held.containsAll(wanted.keySet());
  }

  /** False if that did not happen in time. */
  private synchronized boolean awaitUntil(BooleanSupplier condition, long millis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    try {
      while (!condition.getAsBoolean()) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) return false;
        wait(left);
      }
      return true;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  // ---- the thread -----------------------------------------------------------------------------

  private void run() {
    while (!isClosed()) {
      try {
        attendOnce();
      } catch (Error full) {
        Survival.of(full); // not even memory for the loss: the next round tries again
        Survival.pause(Machine.REAL);
      }
    }
  }

  private void attendOnce() {
    try {
      attend(source.open(PostgresStore.PRESENCE));
    } catch (RuntimeException | Error lost) {
      if (lose(lost)) report(lost);
    }
  }

  /** Lost connections come back by themselves; a proxy has to be switched by an operator. */
  private void report(Throwable lost) {
    if (isShared)
      LOG.error(
          "nothing is written from now on: {}", Texts.shown(String.valueOf(lost.getMessage())));
    else LOG.warn("the connection that shows this node's life is lost", Texts.shown(lost));
  }

  private void attend(Session session) {
    try (session) {
      var found = session.backend();
      session.expect(found.pid());
      backend = found;
      boolean isCompared = session.isOurs() || compare(session);
      if (!begin(session)) return;
      if (hints != null) session.execute(hints.listen());
      takeLocks(session);
      if (hints != null) hints.missed();
      long checked = System.nanoTime();
      while (!isClosed()) {
        takeLocks(session);
        listen(session).forEach(this::deliver);
        if (System.nanoTime() - checked < CHECK_NANOS) continue;
        check(session);
        if (!isCompared) isCompared = compare(session);
        checked = System.nanoTime();
      }
      locks.dropAll(session);
      session.execute("UNLISTEN *");
    }
  }

  /** Our own were compared when they were opened. False if the pool has no second one to give. */
  private boolean compare(Session session) {
    try (var second = source.open(PostgresStore.PRESENCE)) {
      Backend.compare(session, second, source.database());
      return true;
    } catch (StoreUnavailable failure) {
      if (session.isBroken() || !failure.isRetryable()) throw failure;
      LOG.debug(
          "no second connection to compare, the next attempt follows soon", Texts.shown(failure));
      return false;
    }
  }

  private synchronized boolean begin(Session session) {
    isShared = false;
    current = session;
    failure = null;
    return !closed;
  }

  private void deliver(String told) {
    if (hints != null) hints.deliver(told);
  }

  /** The longer nothing was heard, the longer it listens: each time costs, and most are in vain. */
  private List<String> listen(Session session) {
    var told = session.notifications(Duration.ofMillis(silence));
    silence = told.isEmpty() ? Math.min(LONGEST_LISTEN, silence + silence / 4) : FIRST_LISTEN;
    return told;
  }

  static final String NOW = "SELECT clock_timestamp(), pg_backend_pid()";

  private void check(Session session) {
    session.list(NOW, columns -> clock.read(session.checked(columns, 2), 1));
    synchronized (this) {
      pause = FIRST_PAUSE;
    }
  }

  private void takeLocks(Session session) {
    missing().forEach((lock, node) -> take(session, node, lock));
    for (int lock : superfluous()) locks.drop(session, lock);
  }

  private void take(Session session, UUID node, int lock) {
    if (locks.take(session, node, lock)) took(lock);
  }

  private synchronized Map<Integer, UUID> missing() {
    var missing = new HashMap<>(wanted);
    missing.keySet().removeAll(held);
    return missing;
  }

  private synchronized void took(int lock) {
    held.add(lock);
    settle();
    notifyAll();
  }

  private synchronized List<Integer> superfluous() {
    var dropped = held.stream().filter(lock -> !wanted.containsKey(lock)).toList();
    dropped.forEach(held::remove);
    return dropped;
  }

  /** Waits a moment; false if that was not the first failure, or nobody cares any more. */
  private synchronized boolean lose(Throwable lost) {
    boolean isFirst = failure == null;
    boolean wasShared = isShared;
    failure = lost;
    isShared = lost instanceof StoreUnavailable refused && refused.code() == ErrorCode.R140;
    boolean isNews = !closed && (isFirst || (isShared && !wasShared));
    current = null;
    held.clear();
    absences = absences + 1; // before it may be present again
    settle();
    if (!awaitUntil(() -> closed, pause)) pause = Math.min(2 * pause, LONGEST_PAUSE);
    return isNews;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    var ending = end();
    if (ending == null) return;
    join(ending);
    abort();
  }

  private synchronized @Nullable Thread end() {
    closed = true;
    notifyAll();
    return thread;
  }

  private static void join(Thread ending) {
    try {
      ending.join(CLOSE_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void abort() {
    if (thread != null && thread.isAlive() && current != null) current.abort();
  }
}

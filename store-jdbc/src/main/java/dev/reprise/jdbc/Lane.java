package dev.reprise.jdbc;

import dev.reprise.engine.store.Store.StoreUnavailable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A few connections for one kind of work, opened when they are first needed. Those of our own are
 * kept, as long as they work; those of a pool go back to it after each use.
 */
final class Lane implements AutoCloseable {
  private static final int CLOSE_SECONDS = 2;

  private final ConnectionSource source;
  private final String role;
  private final int max;
  private final Semaphore free;
  private final Deque<Session> idle = new ArrayDeque<>();
  private final Set<Session> inUse = new HashSet<>();
  private boolean closed;

  Lane(ConnectionSource source, String role, int max) {
    this.source = source;
    this.role = role;
    this.max = max;
    this.free = new Semaphore(max, true);
  }

  <T> T use(Function<Session, T> work) {
    free.acquireUninterruptibly();
    try {
      return work(take(), work);
    } finally {
      free.release();
    }
  }

  /** For work that may be done twice: a kept connection may have died since its last use. */
  <T> T read(Function<Session, T> work) {
    free.acquireUninterruptibly();
    try {
      var session = take();
      try {
        return work(session, work);
      } catch (StoreUnavailable failure) {
        if (!session.isBroken()) throw failure;
        return work(take(), work);
      }
    } finally {
      free.release();
    }
  }

  /** For what an idle connection is to do, if there is one. */
  void useIdle(Consumer<Session> work) {
    free.acquireUninterruptibly();
    try {
      Session session;
      synchronized (this) {
        if (idle.isEmpty()) return;
        session = used(idle.pop());
      }
      work(
          session,
          same -> {
            work.accept(same);
            return same;
          });
    } finally {
      free.release();
    }
  }

  private <T> T work(Session session, Function<Session, T> work) {
    try {
      return work.apply(session);
    } finally {
      giveBack(session);
    }
  }

  private Session take() {
    synchronized (this) {
      if (closed) throw new IllegalStateException("the store is closed");
      if (!idle.isEmpty()) return used(idle.pop());
    }
    var opened = source.open(role);
    synchronized (this) {
      if (!closed) return used(opened);
    }
    opened.close();
    throw new IllegalStateException("the store is closed");
  }

  private Session used(Session session) {
    inUse.add(session);
    return session;
  }

  private void giveBack(Session session) {
    synchronized (this) {
      inUse.remove(session);
      if (source.isKept() && !closed && !session.isBroken()) {
        idle.push(session);
        return;
      }
      // What broke this one has most likely broken the others too.
      if (session.isBroken()) closeIdle();
    }
    session.close();
  }

  /** Gives those who use a connection a moment, and then ends them. Twice is as good as once. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      closeIdle();
    }
    if (isQuiet()) free.release(max); // a late caller learns that the store is closed
    else abortAll();
  }

  private synchronized void closeIdle() {
    while (!idle.isEmpty()) idle.pop().close();
  }

  private boolean isQuiet() {
    try {
      return free.tryAcquire(max, CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private synchronized void abortAll() {
    inUse.forEach(Session::abort);
  }
}

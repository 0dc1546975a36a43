package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes that one engine is, one after the other. A node that others took for gone, because its
 * process was frozen or cut off, forgets everything; a new one takes its place and goes on with
 * what is in the database.
 *
 * <p>A store for one engine at a time gives no second life: who was superseded there stays so.
 */
public final class Incarnations implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Incarnations.class);
  private static final Duration PAUSE = Duration.ofMillis(200); // between attempts to join

  private final Store store;
  private final Supplier<Time> times;
  private final Map<String, WorkflowDefinition> definitions;
  private final NodeSettings settings;
  private Node current;
  private @Nullable Thread joining; // there is one while the current node is not a live one
  private boolean closed;

  /** Joins the store. */
  @SuppressWarnings("this-escape")
  public Incarnations(
      Store store,
      Supplier<Time> times,
      Map<String, WorkflowDefinition> definitions,
      NodeSettings settings) {
    this.store = store;
    this.times = times;
    this.definitions = definitions;
    this.settings = settings;
    synchronized (this) {
      this.current = join();
    }
  }

  private Node join() {
    var time = times.get();
    try {
      return new Node(store, time, definitions, settings, this::stopped);
    } catch (RuntimeException e) {
      time.close();
      throw e;
    }
  }

  public synchronized Node current() {
    return current;
  }

  /** Calls the node; if it was fenced meanwhile, and so did nothing, the next one. */
  <T> T call(Function<Node, T> work) {
    long end = System.nanoTime() + settings.callTimeout().toNanos();
    for (; ; ) {
      var node = current();
      try {
        return work.apply(node);
      } catch (RepriseException e) {
        if (e.code() != ErrorCode.R122 || !awaitNext(node, end)) throw e;
      }
    }
  }

  /** Whether there is a live node, after that failure of one, or soon is. */
  boolean awaitNext(RepriseException fenced) {
    if (fenced.code() != ErrorCode.R122) return false;
    long end = System.nanoTime() + settings.callTimeout().toNanos();
    var node = current();
    return !node.isStopped() || awaitNext(node, end);
  }

  private synchronized boolean awaitNext(Node fenced, long end) {
    while (store.isShared() && !closed && current == fenced) {
      long millis = millisUntil(end);
      if (millis <= 0) return false;
      try {
        wait(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return current != fenced;
  }

  private synchronized void stopped() {
    if (closed || joining != null || !store.isShared()) return;
    joining = Thread.ofPlatform().name("reprise-rejoin").daemon().start(this::rejoin);
  }

  private void rejoin() {
    while (!hasLiveNode()) {
      current().close();
      try {
        enter(join());
      } catch (StoreUnavailable away) {
        LOG.atDebug().setCause(away).log("cannot join yet");
        pause();
      } catch (RuntimeException e) {
        LOG.atError().setCause(e).log("cannot join again: this engine does nothing any more");
        return;
      }
    }
  }

  /** Under the lock, so that a node that stops right now finds either this thread or none. */
  private synchronized boolean hasLiveNode() {
    if (!closed && current.isStopped()) return false;
    joining = null;
    return true;
  }

  private synchronized void enter(Node next) {
    LOG.atWarn().log("joined again as a new node");
    current = next;
    notifyAll();
  }

  private synchronized void pause() {
    long end = System.nanoTime() + PAUSE.toNanos();
    try {
      for (long left = PAUSE.toMillis(); left > 0 && !closed; left = millisUntil(end)) wait(left);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long millisUntil(long end) {
    return (end - System.nanoTime()) / 1_000_000;
  }

  /** Closes the node in good order, and the store. */
  @Override
  public void close() {
    Thread last;
    synchronized (this) {
      closed = true;
      last = joining;
      notifyAll();
    }
    if (last != null) await(last);
    try (store) { // in any case: what is left open would keep the next engine out
      current().close();
    }
  }

  private static void await(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

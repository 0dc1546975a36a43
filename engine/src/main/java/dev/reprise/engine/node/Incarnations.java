package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.replay.RunPort;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.task.TaskPort;
import dev.reprise.engine.task.Workers;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
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
  private final Machine machine;
  private final Workers workers;
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private volatile @Nullable Life current; // none while the first one joins
  private @Nullable Thread joining; // there is one while the current node is not a live one
  private boolean closed;

  /**
   * A node.
   *
   * @param over completes when there is another one, or never will be
   */
  private record Life(Node node, CompletableFuture<@Nullable Void> over) {}

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
    this.machine = settings.runs().machine();
    this.workers = new Workers(store, settings.runs(), new Tasks(), settings.shutdownGrace());
    var first = join();
    this.current = first;
    workers.start(workflows());
    if (first.node.isStopped()) stopped(); // it stopped before there was a current one
  }

  private Life join() {
    var time = times.get();
    try {
      var node = new Node(store, time, definitions, settings, workers, this::stopped);
      return new Life(node, new CompletableFuture<>());
    } catch (RuntimeException e) {
      time.close();
      throw e;
    }
  }

  /** Who run what is on queues. */
  public Workers workers() {
    return workers;
  }

  /** The names of the workflows that this engine can run, and those that they had before. */
  public Collection<String> workflows() {
    return Node.withFormerNames(definitions).keySet();
  }

  /** What those need from the node of the moment. */
  private final class Tasks implements TaskPort {
    @Override
    public Instant now() {
      return current().now();
    }

    @Override
    public RunPort.Timer at(Instant due, Runnable action) {
      return current().at(due, action);
    }

    @Override
    public void told(Collection<Long> runs) {
      current().queues().told(runs);
    }

    @Override
    public CompletableFuture<Boolean> begin(Handout run) {
      return current().beginQueued(run);
    }

    @Override
    public void announce(String queue) {
      store.wakeups().tasksOn(queue);
    }
  }

  public Node current() {
    return life().node;
  }

  private Life life() {
    return Objects.requireNonNull(current);
  }

  /** Calls the node; if it was fenced meanwhile, and so did nothing, the next one. */
  <T> T call(Function<Node, T> work) {
    long limit = machine.nanoTime() + settings.callTimeout().toNanos();
    for (; ; ) {
      var life = life();
      try {
        return work.apply(life.node);
      } catch (RepriseException e) {
        if (e.code() != ErrorCode.R122 || !awaitNext(life, limit)) throw e;
      }
    }
  }

  /** Whether there is a live node, after that failure of one, or soon is. */
  boolean awaitNext(RepriseException fenced) {
    if (fenced.code() != ErrorCode.R122) return false;
    long limit = machine.nanoTime() + settings.callTimeout().toNanos();
    var life = life();
    return !life.node.isStopped() || awaitNext(life, limit);
  }

  private boolean awaitNext(Life fenced, long limit) {
    if (!store.isShared()) return false;
    await(fenced.over, Duration.ofNanos(Math.max(0, limit - machine.nanoTime())));
    return current() != fenced.node;
  }

  Machine machine() {
    return machine;
  }

  private synchronized void stopped() {
    if (closed || joining != null || current == null || !store.isShared()) return;
    joining = machine.service("reprise-rejoin", this::rejoin);
    joining.start();
  }

  private void rejoin() {
    while (!hasLiveNode()) {
      current().close();
      try {
        enter(join());
      } catch (StoreUnavailable away) {
        LOG.atDebug().setCause(away).log("cannot join yet");
        await(end, PAUSE);
      } catch (RuntimeException e) {
        LOG.atError().setCause(e).log("cannot join again: this engine does nothing any more");
        return;
      }
    }
  }

  /** Under the lock, so that a node that stops right now finds either this thread or none. */
  private synchronized boolean hasLiveNode() {
    if (!closed && current().isStopped()) return false;
    joining = null;
    return true;
  }

  private void enter(Life next) {
    LOG.atWarn().log("joined again as a new node");
    var before = life();
    current = next;
    before.over.complete(null);
    workers.missed(); // timers went with the last node
  }

  /** Waits for that, or as long as that. */
  private void await(CompletableFuture<@Nullable Void> what, Duration limit) {
    try {
      machine.await(what, limit);
    } catch (TimeoutException late) {
      LOG.atTrace().log("not yet");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Closes the node in good order, and the store. */
  @Override
  public void close() {
    Thread last;
    synchronized (this) {
      closed = true;
      last = joining;
    }
    end.complete(null);
    life().over.complete(null);
    if (last != null) await(last);
    try (store) { // in any case: what is left open would keep the next engine out
      workers.stop();
      current().close();
      workers.close();
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

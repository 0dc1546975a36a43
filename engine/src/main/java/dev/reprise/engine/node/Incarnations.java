package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.Health;
import dev.reprise.Health.State;
import dev.reprise.RepriseException;
import dev.reprise.Texts;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Survival;
import dev.reprise.engine.replay.RunPort;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.task.TaskPort;
import dev.reprise.engine.task.Workers;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
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
 * what is in the database. So it is with a node that met an {@link Error}, such as that of a full
 * heap: nobody knows what of its memory is whole.
 *
 * <p>A store for one engine at a time gives no second life to a node that was superseded by another
 * process. An engine that cannot begin anew in a while closes itself.
 */
public final class Incarnations implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Incarnations.class);
  private static final Duration PAUSE = Duration.ofMillis(200); // between attempts to join
  private static final int MOST_FAILURES = 8; // with longer and longer pauses: 6 s
  private static final int MOST_ERRORS = 30; // the same: a heap may be full for a minute

  private final Store store;
  private final Supplier<Time> times;
  private final Map<String, WorkflowDefinition> definitions;
  private final NodeSettings settings;
  private final Machine machine;
  private final Workers workers;
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private volatile @Nullable Life current; // none while the first one joins
  private @Nullable Thread joining; // there is one while the current node is not a live one
  private volatile boolean closed;
  private volatile @Nullable RepriseException down; // why it has closed itself

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
    } catch (RuntimeException | Error e) {
      time.close();
      throw e;
    }
  }

  /** Says in the log who is here, once it is ready. */
  public void announce(Collection<String> queues) {
    var node = current();
    var workflows = workflows().stream().sorted().toList();
    LOG.atInfo()
        .addKeyValue("node", node.id())
        .addKeyValue("host", machine.name())
        .addKeyValue("store", store.name())
        .log(
            "{} started on {}, workflows {}, queues {}",
            workflows.isEmpty() ? "client" : "engine",
            store.name(),
            workflows,
            queues.stream().sorted().map(Texts::shown).toList());
  }

  /** Who run what is on queues. */
  public Workers workers() {
    return workers;
  }

  /** The workflows that this engine can run. */
  public Collection<WorkflowDefinition> definitions() {
    return definitions.values();
  }

  /** The activities that this engine can call. */
  public ActivityRegistry activities() {
    return settings.runs().activities();
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

    /** Work that is done again does not mend what could not be linked: see {@link #rejoin}. */
    @Override
    public void failed(Error error) {
      if (error instanceof LinkageError) current().failed(error);
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

  /** Calls the node; if it ended meanwhile, and so did nothing, the next one. */
  <T> T call(Function<Node, T> work) {
    return call(work, Limit.of(machine, settings.callTimeout()));
  }

  <T> T call(Function<Node, T> work, Limit limit) {
    for (; ; ) {
      var life = life();
      try {
        return work.apply(life.node);
      } catch (RepriseException e) {
        if (!isEndOfNode(e) || !awaitNext(life, limit)) throw known(e);
      }
    }
  }

  private static boolean isEndOfNode(RepriseException e) {
    return e.code() == ErrorCode.R122
        || (e.code() == ErrorCode.R143 && !(e instanceof Recovery.ReadFailed));
  }

  private RepriseException known(RepriseException e) {
    var last = down;
    return last == null ? e : last;
  }

  /** Whether there is a live node, after that failure of one, or soon is. */
  boolean awaitNext(RepriseException ended) {
    if (!isEndOfNode(ended)) return false;
    var limit = Limit.of(machine, settings.callTimeout());
    var life = life();
    return !life.node.isStopped() || awaitNext(life, limit);
  }

  private boolean awaitNext(Life ended, Limit limit) {
    if (!isFollowed(ended.node)) return false;
    await(ended.over, limit.left());
    return current() != ended.node;
  }

  /** Whether another node takes the place of one that has ended. */
  private boolean isFollowed(Node ended) {
    return store.isShared() || ended.hasFailed();
  }

  /** How the engine is; never asks the database. */
  public Health health() {
    var last = down;
    if (last != null) return new Health(State.DOWN, List.of(String.valueOf(last.getMessage())));
    if (closed) return new Health(State.DOWN, List.of("the engine is closed"));
    var node = current();
    if (node.isStopped()) {
      var why = String.valueOf(node.whyClosed().getMessage());
      return isFollowed(node)
          ? new Health(State.DEGRADED, List.of("the engine begins anew: " + why))
          : new Health(State.DOWN, List.of(why));
    }
    var troubles = node.troubles();
    return new Health(troubles.isEmpty() ? State.UP : State.DEGRADED, troubles);
  }

  Machine machine() {
    return machine;
  }

  private synchronized void stopped() {
    if (closed || joining != null || current == null || !isFollowed(current())) return;
    var thread = machine.service("reprise-rejoin", Survival.looping(machine, this::rejoin));
    thread.start(); // it waits for this lock before it looks at anything
    joining = thread;
  }

  private void rejoin() {
    if (current().whyClosed().getCause() instanceof LinkageError broken) {
      Survival.insist(machine, () -> giveUp(broken));
      return;
    }
    int failures = 0;
    while (!hasLiveNode()) {
      try {
        current().close();
        if (store.isShared()) fence(current());
        enter(join());
      } catch (StoreUnavailable away) {
        LOG.atDebug().setCause(Texts.shown(away)).log("cannot join yet");
        await(end, PAUSE);
      } catch (RuntimeException | Error e) {
        if (++failures >= (e instanceof Error ? MOST_ERRORS : MOST_FAILURES)) {
          Survival.insist(machine, () -> giveUp(e));
          return;
        }
        LOG.atWarn().setCause(Texts.shown(e)).log("could not begin anew, trying again");
        await(end, PAUSE.multipliedBy(failures));
      }
    }
  }

  /**
   * Fences the last node, which writes nothing from now on. It may have stopped without having been
   * fenced, and the others would wait for its lease to end before they take its runs over.
   */
  private void fence(Node last) {
    try {
      store.leave(last.id());
    } catch (StoreUnavailable away) {
      LOG.atDebug()
          .setCause(Texts.shown(away))
          .log("cannot fence the last node, its lease will end");
    }
  }

  /**
   * Closes the engine, which cannot go on: a person has to see to it. So it is at once after a
   * {@link LinkageError}: what could not be linked, for example while the heap was full, stays
   * broken for as long as the process lives.
   */
  private void giveUp(Throwable why) {
    LOG.atError().setCause(Texts.shown(why)).log("cannot begin anew: this engine closes itself");
    down =
        new RepriseException(
            ErrorCode.R119,
            """
            the engine closed itself, because it could not begin anew after an error: %s. Restart \
            the process\
            """
                .formatted(why),
            why);
    life().over.complete(null);
    closeLast();
    try (store) {
      workers.stop();
      workers.close();
    }
  }

  /** What is broken may keep it from closing; its lease ends all the same. */
  private void closeLast() {
    try {
      current().close();
    } catch (RuntimeException | Error e) {
      LOG.atWarn().setCause(Texts.shown(e)).log("the last node was not closed in good order");
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
    boolean closesItself;
    synchronized (this) {
      if (closed) return;
      last = joining;
      closesItself = down != null;
      closed = !closesItself;
    }
    if (closesItself) {
      if (last != null) await(last); // whoever opens the database next must find it closed
      return;
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

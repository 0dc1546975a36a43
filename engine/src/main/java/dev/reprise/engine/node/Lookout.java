package dev.reprise.engine.node;

import dev.reprise.Texts;
import dev.reprise.engine.machine.Agenda;
import dev.reprise.engine.machine.Host;
import dev.reprise.engine.machine.Pace;
import dev.reprise.engine.store.NodeRow;
import dev.reprise.engine.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks out for what happens in other processes: nodes that are gone, whose runs become free, runs
 * that have ended there and for which a caller waits here, and a newer release that has migrated
 * the database. Only where the store is shared.
 */
final class Lookout {
  private static final Logger LOG = LoggerFactory.getLogger(Lookout.class);
  private static final Duration NODES = Duration.ofMillis(250);
  private static final Duration ALONE = Duration.ofSeconds(1); // there is nobody to lose
  private static final Duration ENDS = Duration.ofMillis(20);
  private static final Duration SCHEMA = Duration.ofSeconds(1); // one short read

  private final Node node;
  private final Store store;
  private final Absences absences = new Absences(Host::hasEnded);
  private final Pace pace;
  private final Agenda agenda;
  private final AtomicBoolean watching = new AtomicBoolean();
  private volatile boolean stopped;
  private volatile boolean newer; // the schema is, than this release knows

  Lookout(Node node, Store store) {
    this.node = node;
    this.store = store;
    this.pace = new Pace(node.machine(), NODES, ALONE);
    this.agenda = new Agenda(node.machine(), "reprise-lookout", node::failed);
  }

  void start() {
    if (!store.isShared()) return;
    node.results().onWatch(this::watchEnds);
    repeat(this::lookAtSchema, () -> SCHEMA);
    if (!node.isClient()) {
      agenda.add(
          () -> attempt(this::lookForNodes),
          Duration.ZERO); // who restarts finds what the last one left
      repeat(this::lookForNodes, pace::next);
    }
  }

  private void repeat(Runnable look, Supplier<Duration> pause) {
    Runnable again =
        () -> {
          attempt(look);
          repeat(look, pause);
        };
    agenda.add(again, pause.get());
  }

  private void attempt(Runnable look) {
    try {
      if (!stopped) look.run();
    } catch (RuntimeException e) {
      if (!stopped)
        LOG.atDebug().setCause(Texts.shown(e)).log("could not look, the next look follows soon");
    }
  }

  private void lookForNodes() {
    long from = node.machine().nanoTime();
    var nodes = nodes();
    var look = new Absences.Look(from, node.machine().nanoTime());
    var missing = absences.gone(node.id(), nodes, look);
    if (absences.seesOthers()) pace.found();
    for (var gone : missing) {
      if (!store.fence(gone)) continue;
      LOG.atWarn()
          .addKeyValue("node", gone.node())
          .log(
              "the node on {} is {}: its runs are taken over",
              Texts.shown(gone.host()),
              gone.isPresent() ? "silent" : "gone");
      node.othersMayBeDue();
    }
  }

  /** A rolling upgrade has begun elsewhere, or one that this engine was left out of. */
  private void lookAtSchema() {
    if (newer) return;
    store
        .newerSchema()
        .ifPresent(
            why -> {
              newer = true;
              LOG.warn(
                  "another release has changed the database: this engine goes on, and cannot be"
                      + " started again before that is settled: {}",
                  why.getMessage());
            });
  }

  private List<NodeRow> nodes() {
    try {
      return store.nodes();
    } catch (RuntimeException e) {
      absences.lookFailed();
      throw e;
    }
  }

  /** Looks for ends as long as somebody waits for one: a node with nothing to do sleeps. */
  private void watchEnds() {
    if (!watching.get() && watching.compareAndSet(false, true)) agenda.add(this::lookForEnds, ENDS);
  }

  private void lookForEnds() {
    attempt(
        () -> {
          var keys = node.watchedElsewhere();
          if (!keys.isEmpty()) store.runs(keys).forEach(node::tell);
        });
    watching.set(false); // first: who begins to wait now starts it again, or is seen
    if (!node.results().isEmpty()) watchEnds();
  }

  void stop() {
    stopped = true;
    agenda.stop();
  }
}

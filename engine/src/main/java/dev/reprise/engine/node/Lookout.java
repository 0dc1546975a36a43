package dev.reprise.engine.node;

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
 * Looks out for what happens in other processes: nodes that are gone, whose runs become free, and
 * runs that have ended there and for which somebody waits here. Only where the store is shared.
 */
final class Lookout {
  private static final Logger LOG = LoggerFactory.getLogger(Lookout.class);
  private static final Duration NODES = Duration.ofMillis(250);
  private static final Duration ALONE = Duration.ofSeconds(1); // there is nobody to lose
  private static final Duration ENDS = Duration.ofMillis(20);

  private final Node node;
  private final Store store;
  private final Absences absences = new Absences(Host::hasEnded);
  private final Pace pace;
  private final Agenda agenda;
  private final AtomicBoolean watching = new AtomicBoolean();
  private volatile boolean stopped;

  Lookout(Node node, Store store) {
    this.node = node;
    this.store = store;
    this.pace = new Pace(node.machine(), NODES, ALONE);
    this.agenda = new Agenda(node.machine(), "reprise-lookout");
  }

  void start() {
    if (!store.isShared()) return;
    node.results().onWatch(this::watchEnds);
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
      if (!stopped) LOG.atDebug().setCause(e).log("could not look, the next look follows soon");
    }
  }

  private void lookForNodes() {
    var missing = absences.gone(node.id(), nodes(), node.machine().nanoTime());
    if (absences.seesOthers()) pace.found();
    for (var gone : missing) {
      if (!store.fence(gone)) continue;
      LOG.atWarn()
          .addKeyValue("node", gone.node())
          .log(
              "the node on {} is {}: its runs are taken over",
              gone.host(),
              gone.isPresent() ? "silent" : "gone");
      node.othersMayBeDue();
    }
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

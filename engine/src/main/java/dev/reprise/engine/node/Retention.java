package dev.reprise.engine.node;

import dev.reprise.Texts;
import dev.reprise.engine.machine.Agenda;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Pace;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes runs that have been closed for longer than a period, a lot at a time, so that nobody has
 * to wait for it for long. What of them is left after a failure, or by a node that ends, is deleted
 * later.
 */
final class Retention {
  private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
  private static final Duration LOOK = Duration.ofMinutes(1); // nobody minds a minute more
  private static final Duration SHORTEST_LOOK = Duration.ofMillis(50);
  private static final Duration END = Duration.ofSeconds(10); // no statement may take longer
  private static final long TOLD = 100_000; // so many are news before the last of them is gone

  private final Machine machine;
  private final Deletion deletion;
  private final InstantSource time;
  private final Duration period;
  private final Agenda agenda;
  private final Pace looks;
  private final Lots lots = new Lots();
  private volatile boolean stopped;
  private long deleted; // and not yet told
  private boolean failing;

  /** How closed runs are deleted. */
  interface Deletion {
    /** Deletes some that were closed before that time, and says how many. */
    int deleteClosed(Instant before, int limit);
  }

  Retention(Machine machine, Deletion deletion, InstantSource time, Duration period) {
    this.machine = machine;
    this.deletion = deletion;
    this.time = time;
    this.period = period;
    this.agenda = new Agenda(machine, "reprise-retention");
    var look = period.compareTo(LOOK) < 0 ? period : LOOK;
    look = look.compareTo(SHORTEST_LOOK) < 0 ? SHORTEST_LOOK : look;
    this.looks = new Pace(machine, look, look);
  }

  void start() {
    agenda.add(this::look, looks.next());
  }

  void stop() {
    stopped = true;
    agenda.stop();
  }

  /** Waits for a batch that is being deleted: the store may be closed afterwards. */
  void close() {
    stop();
    var _ = agenda.awaitEnd(END);
  }

  private void look() {
    if (stopped) return;
    Optional<Duration> pause = Optional.empty();
    try {
      pause = deleteLot();
      failing = false;
    } catch (RuntimeException e) {
      lots.failed();
      failed(e);
    }
    if (pause.isEmpty() || deleted >= TOLD) tell();
    agenda.add(this::look, pause.orElseGet(looks::next));
  }

  private Optional<Duration> deleteLot() {
    long begun = machine.nanoTime();
    int count = deletion.deleteClosed(time.instant().minus(period), lots.size());
    deleted += count;
    return lots.next(count, Duration.ofNanos(machine.nanoTime() - begun));
  }

  private void failed(RuntimeException e) {
    if (stopped) return;
    var log = failing ? LOG.atDebug() : LOG.atWarn();
    log.setCause(Texts.shown(e))
        .log("could not delete closed runs, this is tried again from time to time");
    failing = true;
  }

  private void tell() {
    if (deleted == 0) return;
    LOG.atInfo().log("deleted {} runs that had been closed for {}", deleted, period);
    deleted = 0;
  }
}

package dev.reprise.engine.doctor;

import dev.reprise.RepriseException;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.store.Inconsistency;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.Unserved;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Examines a database: reads runs, the newest first, and checks each against its history; then asks
 * the store for rows that do not fit together.
 *
 * <p>Engines may be at work meanwhile. A row and its history are read one after the other, so what
 * looks wrong is looked at again until the row was the same before and after.
 *
 * <p>Needs the memory of one run at a time.
 */
public final class Doctor {
  private static final Duration PATIENCE = Duration.ofMinutes(1); // a worker may be busy
  private static final int PAGE = 500; // rows of runs, which are small
  private static final int MAX_LOOKS = 10; // a run that changes all the time is at work
  private static final int MAX_UNREADABLE = 1_000; // found one by one, and slices after that
  private static final int MAX_INCONSISTENCIES = 200; // of each kind

  private final Store store;
  private final InstantSource clock;
  private final LiveNodes nodes;
  private final Overdue overdue = new Overdue();
  private final Findings findings = new Findings();
  private int unreadable;
  private volatile Progress progress = new Progress(0, 0, 0, 0);

  /**
   * How far an examination is.
   *
   * @param runs looked at
   * @param atMost so many runs there may be
   * @param events looked at
   * @param inputs looked at
   */
  public record Progress(long runs, long atMost, long events, long inputs) {}

  /** Examines a database by its own clock. */
  public Doctor(Store store) {
    this(store, store.clock());
  }

  /** Examines a database of engines with that clock. */
  public Doctor(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    this.nodes = new LiveNodes(store);
  }

  /** What is wrong with a database: nothing, if all is well. */
  public static List<Finding> examine(Store store) {
    return new Doctor(store).examine().findings();
  }

  /** Examines everything. Once only. */
  public Examination examine() {
    examineRuns(Long.MAX_VALUE);
    unlessBroken(
        null,
        () -> {
          for (var found : store.inconsistencies(MAX_INCONSISTENCIES)) findings.add(finding(found));
        });
    unlessBroken(null, this::examineQueues);
    return result();
  }

  /** Examines that many runs, the newest, and nothing beside them. Once only. */
  public Examination examineNewest(long runs) {
    examineRuns(runs);
    return result();
  }

  /** How far it is; for another thread. */
  public Progress progress() {
    return progress;
  }

  /** By key and not by workflow id, which is among the things that may be broken. */
  private void examineRuns(long wanted) {
    unlessBroken(null, nodes::read);
    unlessBroken(
        null,
        () -> {
          var newest = store.list(Filter.ALL, Long.MAX_VALUE, 1);
          long last = newest.isEmpty() ? 0 : newest.getFirst().key();
          progress = new Progress(0, Math.min(wanted, last), 0, 0);
          examineRuns(last, wanted);
        });
    overdue.report(findings::add);
  }

  private void examineRuns(long last, long wanted) {
    for (long to = last; to > 0 && progress.runs() < wanted; to -= PAGE) {
      examineSlice(Math.max(1, to - PAGE + 1), to, wanted);
    }
  }

  /** Of a slice that cannot be read each half is, until the rows that are broken stand alone. */
  private void examineSlice(long from, long to, long wanted) {
    List<RunRow> rows;
    try {
      rows = store.runs(LongStream.rangeClosed(from, to).boxed().toList());
    } catch (StoreUnavailable away) {
      throw away;
    } catch (RepriseException | TransitionRefused broken) {
      if (from == to || unreadable >= MAX_UNREADABLE) {
        unreadable++;
        var which = from == to ? "run %d" : "runs %d to %d";
        report(null, which.formatted(from, to) + " cannot be read: " + broken.getMessage());
        return;
      }
      long middle = from + (to - from) / 2;
      examineSlice(middle + 1, to, wanted);
      examineSlice(from, middle, wanted);
      return;
    }
    rows.stream()
        .sorted(Comparator.comparing(RunRow::key).reversed())
        .limit(Math.max(0, wanted - progress.runs()))
        .forEach(row -> unlessBroken(row, () -> examine(row)));
  }

  /**
   * What cannot be read is a finding, and the rest is looked at all the same. A database that does
   * not answer is no finding.
   */
  private void unlessBroken(@Nullable RunRow row, Runnable look) {
    try {
      look.run();
    } catch (StoreUnavailable away) {
      throw away;
    } catch (RepriseException | TransitionRefused broken) {
      report(row, String.valueOf(broken.getMessage()));
    }
  }

  private void report(@Nullable RunRow row, String what) {
    var run = row == null ? null : row.key();
    var id = row == null ? null : row.workflowId();
    findings.add(new Finding(Check.STORAGE, run, id, what));
  }

  private void examine(RunRow listed) {
    var row = listed;
    var look = look(row);
    for (int looks = 1; !look.isFine() && looks < MAX_LOOKS; looks++) {
      var again = store.runs(List.of(row.key()));
      if (again.isEmpty()) return; // deleted meanwhile
      if (again.getFirst().equals(row)) break;
      row = again.getFirst();
      look = look(row);
    }
    look.findings().forEach(findings::add);
    if (look.overdueSince() != null) overdue.add(row, look.overdueSince());
    progress =
        new Progress(
            progress.runs() + 1,
            progress.atMost(),
            progress.events() + look.events(),
            progress.inputs() + look.inputs());
  }

  private RunLook look(RunRow row) {
    boolean live = nodes.isLive(row.owner());
    if (live && row.status().isActive()) overdue.serves(row.workflow());
    Instant now = clock.instant();
    return RunLook.at(store, row, live, now);
  }

  /** What waits on queues for a worker that is not there; runs are looked at one by one. */
  private void examineQueues() {
    var now = clock.instant();
    for (var found : Unserved.find(store, now.minus(PATIENCE), now)) {
      if (found.queue().isEmpty()) continue;
      findings.add(new Finding(Check.UNSERVED, null, null, found.text()));
    }
  }

  private static Finding finding(Inconsistency found) {
    var check =
        switch (found.rule()) {
          case SOUND_DATABASE -> Check.STORAGE;
          case READABLE -> Check.READABLE;
          case ONE_OPEN_RUN -> Check.ONE_OPEN_RUN;
          case NO_ORPHANS -> Check.ORPHANS;
          case SAME_STATUS -> Check.ROW;
          case KNOWN_OWNER -> Check.OWNERS;
        };
    var run = found.run() == Inconsistency.NO_RUN ? null : found.run();
    return new Finding(check, run, found.workflowId(), found.what());
  }

  private Examination result() {
    var looked = progress;
    return new Examination(
        looked.runs(),
        looked.events(),
        looked.inputs(),
        nodes.size(),
        findings.listed(),
        findings.errors(),
        findings.warnings());
  }
}

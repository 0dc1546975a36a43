package dev.reprise.engine.task;

import dev.reprise.Texts;
import dev.reprise.engine.machine.Agenda;
import dev.reprise.engine.machine.Errands;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.TaskStore.Beat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the store what became of tasks. One thread takes all that was reported meanwhile and stores
 * it in one transaction: the more there is to tell, the less each costs.
 *
 * <p>What the store does not take stays here, in memory. So workers take nothing while much waits.
 */
final class Reporter {
  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
  private static final int MOST = 500; // in one transaction
  private static final Duration PAUSE = Duration.ofMillis(100); // when the store does not answer

  /** In bytes: some results of the largest size, or thousands of small ones. */
  static final long MOST_UNSAVED = 16 << 20;

  static final int OVERHEAD = 2_048; // of what is told, beside its value

  private final TaskPort port;
  private final Agenda agenda;
  private final Errands errands;
  private final Line<Report, Report.Reply> reports;
  private final Line<Beat, Beat.Answer> beats;
  private final AtomicBoolean asked = new AtomicBoolean();

  private record Told<T, A>(T what, int cost, CompletableFuture<A> answer) {}

  Reporter(Machine machine, TaskStore store, TaskPort port, Errands errands) {
    this.port = port;
    this.errands = errands;
    this.agenda = new Agenda(machine, "reprise-reporter", port::failed);
    this.reports = new Line<>(told -> store.report(told, port.now()));
    this.beats = new Line<>(told -> store.heartbeat(told, port.now()));
  }

  /** Stores a report. The answer comes when it is durable, however long that takes. */
  CompletableFuture<Report.Reply> report(Report report) {
    var input = report.input();
    int value = input == null ? 0 : input.value().length;
    return reports.add(report, value + size(report.heartbeat()));
  }

  /**
   * Extends a lease. While much waits already the answer is that there is none: an attempt that got
   * no answer in time sends another one.
   */
  CompletableFuture<Beat.Answer> beat(Beat beat) {
    if (beats.hasRoom()) return beats.add(beat, size(beat.details()));
    return CompletableFuture.failedFuture(
        new StoreUnavailable("heartbeats wait for the database up to the limit", null));
  }

  private static int size(byte @Nullable [] details) {
    return details == null ? 0 : details.length;
  }

  /** Whether workers may go on: what they report now does not have to wait long. */
  boolean hasRoom() {
    return reports.hasRoom();
  }

  /** Whether the store did not take what it was told the last time. */
  boolean isMute() {
    return reports.mute || beats.mute;
  }

  private void soon() {
    tellAfter(Duration.ZERO);
  }

  /** Once, however many ask: else a store that does not answer is asked more and more often. */
  private void tellAfter(Duration pause) {
    agenda.addOnce(asked, errands, this::tell, pause);
  }

  private void tell() {
    asked.set(false);
    boolean answered = beats.tell();
    answered &= reports.tell();
    if (!answered) tellAfter(PAUSE);
  }

  /** What waits to be told. */
  private final class Line<T, A> {
    private final ConcurrentLinkedQueue<Told<T, A>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong(); // of all that waits
    private final Function<List<T>, List<A>> telling;
    private volatile boolean mute; // the store did not answer the last time

    private Line(Function<List<T>, List<A>> telling) {
      this.telling = telling;
    }

    private CompletableFuture<A> add(T what, int size) {
      var told = new Told<T, A>(what, size + OVERHEAD, new CompletableFuture<>());
      bytes.addAndGet(told.cost());
      waiting.add(told);
      soon();
      return told.answer();
    }

    private boolean hasRoom() {
      return bytes.get() < MOST_UNSAVED;
    }

    /** What the store does not answer is told again, in the same order. */
    private boolean tell() {
      for (var batch = next(); !batch.isEmpty(); batch = next()) {
        try {
          answer(batch, telling);
          mute = false;
        } catch (StoreUnavailable away) {
          if (!mute) LOG.atWarn().log("could not report, trying again: {}", away.getMessage());
          mute = true;
          return false;
        }
        for (int i = 0; i < batch.size(); i++) bytes.addAndGet(-waiting.remove().cost());
      }
      return true;
    }

    private List<Told<T, A>> next() {
      var batch = new ArrayList<Told<T, A>>();
      for (var told : waiting) {
        batch.add(told);
        if (batch.size() == MOST) break;
      }
      return batch;
    }
  }

  private <T, A> void answer(List<Told<T, A>> batch, Function<List<T>, List<A>> telling) {
    List<A> answers;
    try {
      answers = telling.apply(batch.stream().map(Told::what).toList());
    } catch (StoreUnavailable away) {
      throw away;
    } catch (Fenced gone) { // nothing of this process counts any more
      for (var told : batch) told.answer().completeExceptionally(gone);
      return;
    } catch (RuntimeException refused) {
      refused(batch, telling, refused);
      return;
    }
    told(batch);
    for (int i = 0; i < batch.size(); i++) batch.get(i).answer().complete(answers.get(i));
  }

  /** One that is refused must not take the others with it. */
  private <T, A> void refused(
      List<Told<T, A>> batch, Function<List<T>, List<A>> telling, RuntimeException why) {
    if (batch.size() > 1) {
      for (var one : batch) answer(List.of(one), telling);
      return;
    }
    LOG.atError()
        .setCause(Texts.shown(why))
        .log("the store refused {}", Texts.shown(String.valueOf(batch.getFirst().what())));
    batch.getFirst().answer().completeExceptionally(why);
  }

  /**
   * The runs are told before those who wait for the answers. Whatever the answer is: it may be the
   * second one, and nobody has heard the first.
   */
  private <T, A> void told(List<Told<T, A>> batch) {
    var runs = new TreeSet<Long>();
    for (var told : batch) {
      if (told.what() instanceof Report report && report.input() != null) {
        runs.add(report.ref().run());
      }
    }
    if (!runs.isEmpty()) port.told(runs);
  }

  void stop() {
    agenda.stop();
  }
}

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
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the store what became of tasks. One thread takes all that was reported meanwhile and stores
 * it in one transaction: the more there is to tell, the less each costs.
 */
final class Reporter {
  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
  private static final int MOST = 500; // in one transaction
  private static final Duration PAUSE = Duration.ofMillis(100); // when the store does not answer

  private final TaskStore store;
  private final TaskPort port;
  private final Agenda agenda;
  private final Errands errands;
  private final ConcurrentLinkedQueue<Told<Report, Report.Reply>> reports =
      new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Told<Beat, Beat.Answer>> beats =
      new ConcurrentLinkedQueue<>();
  private final AtomicBoolean asked = new AtomicBoolean();
  private boolean mute; // the store did not answer the last time

  private record Told<T, A>(T what, CompletableFuture<A> answer) {}

  Reporter(Machine machine, TaskStore store, TaskPort port, Errands errands) {
    this.store = store;
    this.port = port;
    this.errands = errands;
    this.agenda = new Agenda(machine, "reprise-reporter", port::failed);
  }

  /** Stores a report. The answer comes when it is durable, however long that takes. */
  CompletableFuture<Report.Reply> report(Report report) {
    var told = new Told<Report, Report.Reply>(report, new CompletableFuture<>());
    reports.add(told);
    soon();
    return told.answer();
  }

  /** Extends a lease. */
  CompletableFuture<Beat.Answer> beat(Beat beat) {
    var told = new Told<Beat, Beat.Answer>(beat, new CompletableFuture<>());
    beats.add(told);
    soon();
    return told.answer();
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
    boolean answered = tell(beats, told -> store.heartbeat(told, port.now()));
    answered &= tell(reports, told -> store.report(told, port.now()));
    if (!answered) tellAfter(PAUSE);
  }

  /** What the store does not answer is told again, in the same order. */
  private <T, A> boolean tell(
      ConcurrentLinkedQueue<Told<T, A>> line, Function<List<T>, List<A>> telling) {
    for (var batch = next(line); !batch.isEmpty(); batch = next(line)) {
      try {
        answer(batch, telling);
        mute = false;
      } catch (StoreUnavailable away) {
        if (!mute)
          LOG.atWarn()
              .log(
                  "could not report, trying again: {}",
                  Texts.shown(String.valueOf(away.getMessage())));
        mute = true;
        return false;
      }
      for (int i = 0; i < batch.size(); i++) line.remove();
    }
    return true;
  }

  private static <T, A> List<Told<T, A>> next(ConcurrentLinkedQueue<Told<T, A>> line) {
    var batch = new ArrayList<Told<T, A>>();
    for (var told : line) {
      batch.add(told);
      if (batch.size() == MOST) break;
    }
    return batch;
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
        .setCause(why)
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

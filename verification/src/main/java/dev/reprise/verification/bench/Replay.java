package dev.reprise.verification.bench;

import dev.reprise.RetryPolicy;
import dev.reprise.Waiting.Kind;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.archive.History;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.replay.Rehearsal;
import dev.reprise.engine.replay.RunSettings;
import dev.reprise.engine.replay.Verdict;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.verification.bench.Workflows.SequenceAndWait;
import dev.reprise.verification.bench.Workflows.Waiting;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;

/**
 * How fast a run comes back that waits behind a long history. Replay: code along events that are in
 * memory. Read: all events from the database, as recovery reads them. Recovered: an engine that was
 * just started gets a signal for the run, claims it, reads and replays its history, and completes
 * it.
 *
 * @param events of each history
 * @param warmUps runs before anything counts
 * @param rounds runs that count
 */
record Replay(int events, int warmUps, int rounds) implements Workload {
  static final String ID = "replay";
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long POLL_MILLIS = 5;
  private static final String REPLAY = "replay events/s";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public void measure(Site site, Report report)
      throws IOException, SQLException, InterruptedException {
    var setting = String.format(Locale.ROOT, "%,d events", events);
    report.begin(this, site, setting);
    var series = new Series();
    try (var database = site.create()) {
      var steps = new NoOps();
      History history;
      try (var engine = start(database.url(), steps)) {
        fill(engine, steps);
        history = History.of(engine.describe(id(0)), engine.history(id(0)));
      }
      if (site.kind() != StoreKind.MEMORY) {
        recover(database.url(), steps, series);
        read(database.url(), series);
      }
      replay(history, steps, series);
      check(steps);
    }
    report.add(this, site, setting, series);
    report.note(this, "goals in events/s: replay 500,000, recovered from postgres 200,000");
  }

  private static Engine start(String url, NoOps steps) {
    return Database.reprise(url).workflow(new SequenceAndWait(steps)).start();
  }

  /** Leaves the runs waiting. */
  private void fill(Engine engine, NoOps steps) throws InterruptedException {
    for (int number = 0; number < runs(); number++) {
      engine.start(SequenceAndWait.class, id(number), events - 1);
    }
    while (steps.executions() < allSteps()) Thread.sleep(POLL_MILLIS);
    for (int number = 0; number < runs(); number++) {
      while (!isWaiting(engine, number)) Thread.sleep(POLL_MILLIS);
    }
  }

  private static boolean isWaiting(Engine engine, int number) {
    return engine.describe(id(number)).waitingFor().stream()
        .anyMatch(waiting -> waiting.kind() == Kind.SIGNAL);
  }

  private void recover(String url, NoOps steps, Series series) {
    try (var engine = start(url, steps)) {
      for (int number = 0; number < runs(); number++) {
        long begin = System.nanoTime();
        engine.signal(id(number), Waiting.NUMBER, number);
        int result = engine.handle(SequenceAndWait.class, id(number)).result();
        add(series, "recovered events/s", number, begin);
        if (result != number)
          throw new IllegalStateException("%s gave %d".formatted(id(number), result));
      }
    }
  }

  private void read(String url, Series series) {
    try (var store = Reprise.open(url, new StoreProvider.Options(false, true))) {
      for (int number = 0; number < runs(); number++) {
        long begin = System.nanoTime();
        int read = History.of(store, id(number)).orElseThrow().events().size();
        add(series, "read events/s", number, begin);
        if (read != events + 2) throw new IllegalStateException("%d events".formatted(read));
      }
    }
  }

  private void replay(History history, NoOps steps, Series series) throws InterruptedException {
    var definition = WorkflowDefinition.of(new SequenceAndWait(steps));
    var settings =
        new RunSettings(
            new Values(new JsonCodec()), ActivityRegistry.ofStandIns(), RetryPolicy.defaults());
    for (int number = 0; number < runs(); number++) {
      long begin = System.nanoTime();
      var verdict =
          new Rehearsal(history.run(), history.events(), definition, settings).play(PATIENCE);
      add(series, REPLAY, number, begin);
      if (!(verdict instanceof Verdict.Follows)) throw new IllegalStateException("" + verdict);
    }
  }

  private void add(Series series, String figure, int number, long begin) {
    if (number >= warmUps) series.add(figure, events * 1e9 / (System.nanoTime() - begin));
  }

  private void check(NoOps steps) {
    if (steps.executions() == allSteps()) return;
    throw new IllegalStateException(
        "%d steps ran instead of %d".formatted(steps.executions(), allSteps()));
  }

  private long allSteps() {
    return (long) runs() * (events - 1);
  }

  private int runs() {
    return warmUps + rounds;
  }

  private static String id(int number) {
    return "replayed-" + number;
  }
}

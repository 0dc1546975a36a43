package dev.reprise.verification.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/**
 * Whether steps cost more the more closed runs a database has: workflows of ten steps, one at a
 * time and many at once.
 *
 * @param backlogs how many closed runs there are at the start, case after case
 * @param clients how many at once are many
 * @param workflows that are run by each client in a round
 * @param rounds in each case
 */
record ClosedRuns(List<Integer> backlogs, int clients, int workflows, int rounds)
    implements Workload {
  static final String ID = "closed";
  private static final String ALONE = "µs/step at 1";
  private static final String AT_ONCE = "µs/step at %d";
  private static final int MODEL_STEPS = 1;

  ClosedRuns {
    backlogs = List.copyOf(backlogs);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public void measure(Site site, Report report)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    if (site.kind() == StoreKind.MEMORY) return; // nobody keeps a million runs there
    report.begin(this, site, "warm-up");
    measure(site, backlogs.getFirst()); // the first would be worse for being the first
    var first = new Series();
    for (int backlog : backlogs) {
      var setting = String.format(Locale.ROOT, "%,d closed runs", backlog);
      report.begin(this, site, setting);
      var series = measure(site, backlog);
      if (backlog == backlogs.getFirst()) first = series;
      compare(series, ALONE, first);
      compare(series, atOnce(), first);
      report.add(this, site, setting, series);
    }
    report.note(
        this, "the closed runs have one step each; times first: the cost with the fewest of them");
  }

  private static void compare(Series series, String figure, Series first) {
    double least = Spread.of(first.of(figure)).median();
    var name = figure.replace("µs/step", "times first");
    for (double value : series.of(figure)) series.add(name, value / least);
  }

  private Series measure(Site site, int backlog)
      throws IOException, SQLException, ExecutionException, InterruptedException {
    try (var database = site.create()) {
      try (var model = new Ours().open(database.url(), new Probes())) {
        model.start(Job.SEQUENCE, "the-model", MODEL_STEPS).result();
      }
      Backlog.add(database.url(), backlog - 1);
      var probes = new Probes();
      var subject = new Ours().open(database.url(), probes);
      var bed = new TestBed(subject, probes, new Database(database.url(), null));
      try (bed) {
        var series = new Series();
        for (int round = 0; round < rounds; round++) {
          series.add(ALONE, microsPerStep(bed, 1)).add(atOnce(), microsPerStep(bed, clients));
        }
        bed.checkSteps();
        return series;
      }
    }
  }

  private double microsPerStep(TestBed bed, int size)
      throws ExecutionException, InterruptedException {
    int count = workflows * size;
    long begin = System.nanoTime();
    new Crowd(size).each(count, _ -> bed.run(Job.SEQUENCE, ClosedLoop.STEPS));
    return (System.nanoTime() - begin) / 1e3 / ((double) count * ClosedLoop.STEPS);
  }

  private String atOnce() {
    return AT_ONCE.formatted(clients);
  }
}

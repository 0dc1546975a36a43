package dev.reprise.verification.bench;

import dev.reprise.engine.store.EventRow;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/**
 * W2: how long one workflow takes when there is no other. Then, on a database, by turns with what
 * the same commits take without an engine: a workflow of ten steps is eleven commits, because its
 * start and each step but the last are durable before the next step begins, and the last step and
 * the end are written together.
 *
 * @param warmUps workflows before the first round
 * @param rounds how often all of it is measured
 * @param ofOne workflows of one step in a round
 * @param ofTen workflows of ten steps in a round, and as often the eleven commits
 */
record OneAtATime(int warmUps, int rounds, int ofOne, int ofTen) implements Workload {
  static final String ID = "W2";
  private static final int STEPS = 10;
  private static final String TEN = "10 steps";
  private static final int TURN = 50; // few, so that what disturbs one disturbs the other
  private static final String RATIO = "engine/bare";
  private static final String RATIO_IN_ONE = "engine/autocommit";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public void measure(Site site, Report report) throws IOException, SQLException {
    report.begin(this, site, rounds + " rounds");
    try (var bed = site.open()) {
      workflows(bed, STEPS, warmUps);
      var one = new Series();
      var ten = new Series();
      for (int round = 0; round < rounds; round++) {
        add(one, workflows(bed, 1, ofOne));
        add(ten, workflows(bed, STEPS, ofTen));
      }
      report.add(this, site, "1 step", one);
      if (site.kind() == StoreKind.MEMORY || !site.isOurs()) report.add(this, site, TEN, ten);
      else besideBareCommits(bed, ten, site, report);
      bed.checkSteps();
    }
  }

  /** After what counts, so that ours is measured as the others are: alone. */
  private void besideBareCommits(TestBed bed, Series ten, Site site, Report report)
      throws SQLException {
    var bare = new Series();
    var bareInOne = new Series();
    try (var table = BareTable.forCommits(bed.url());
        var tableInOne = BareTable.in(bed.url())) {
      var commits = new BareCommits(table, rows(bed));
      var commitsInOne = new BareCommits(tableInOne, rows(bed));
      byTurns(bed, commits, commitsInOne, new Turn()); // for warming up
      for (int round = 0; round < rounds; round++) {
        var turn = new Turn();
        byTurns(bed, commits, commitsInOne, turn);
        add(bare, turn.bare);
        add(bareInOne, turn.bareInOne);
        ten.add(RATIO, turn.engine.percentile(50) / turn.bare.percentile(50));
        ten.add(RATIO_IN_ONE, turn.engine.percentile(50) / turn.bareInOne.percentile(50));
      }
    }
    report.add(this, site, TEN, ten);
    report.add(this, site, "11 bare commits", bare);
    report.add(this, site, "11 bare autocommits", bareInOne);
    report.note(
        this,
        "engine/bare on %s, p50 by p50, in turns, round by round: %s"
            .formatted(site.kind(), list(ten)));
    report.note(
        this,
        "bare: insert and commit by JDBC on a connection of its own to the same database, the same"
            + " rows in a table like events; goal 1.5 or less on SQLite, 1.3 on PostgreSQL");
    report.note(this, "goals for p50 on 2 cores: 0.7 ms or less for 1 step, 2.8 ms for 10 steps");
    report.note(
        this,
        "autocommit: the same in one round trip instead of two, which only PostgreSQL tells apart");
  }

  /** As the store has them for a workflow of ten steps, without the last. */
  private static List<EventRow> rows(TestBed bed) {
    return bed.rows(bed.run(Job.SEQUENCE, STEPS)).subList(0, STEPS + 1);
  }

  /** What is measured by turns. */
  private static final class Turn {
    private final Latencies engine = new Latencies();
    private final Latencies bare = new Latencies();
    private final Latencies bareInOne = new Latencies();
  }

  private void byTurns(TestBed bed, BareCommits commits, BareCommits commitsInOne, Turn turn)
      throws SQLException {
    for (int left = ofTen; left > 0; left -= TURN) {
      int count = Math.min(left, TURN);
      turn.engine.addAll(workflows(bed, STEPS, count));
      turn.bare.addAll(bareCommits(commits, count));
      turn.bareInOne.addAll(bareCommits(commitsInOne, count));
    }
  }

  private static String list(Series series) {
    DoubleFunction<String> text = ratio -> String.format(Locale.ROOT, "%.2f", ratio);
    return series.of(RATIO).stream().map(text::apply).collect(Collectors.joining(" "));
  }

  private static void add(Series series, Latencies latencies) {
    series.add("p50 ms", latencies.percentile(50)).add("p99 ms", latencies.percentile(99));
  }

  private static Latencies workflows(TestBed bed, int steps, int count) {
    var latencies = new Latencies();
    for (int i = 0; i < count; i++) {
      long begin = System.nanoTime();
      bed.run(Job.SEQUENCE, steps);
      latencies.add(System.nanoTime() - begin);
    }
    return latencies;
  }

  private static Latencies bareCommits(BareCommits commits, int count) throws SQLException {
    var latencies = new Latencies();
    for (int i = 0; i < count; i++) {
      long begin = System.nanoTime();
      commits.run();
      latencies.add(System.nanoTime() - begin);
    }
    return latencies;
  }
}

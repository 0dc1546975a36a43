package dev.reprise.verification.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The same closed loop by one engine process, and by two that share the clients and the database.
 * One after the other in turns, each time on a new database.
 *
 * @param clients of all processes together
 * @param warmUp before anything counts
 * @param window what counts
 * @param rounds how often each
 */
record ManyEngines(int clients, Duration warmUp, Duration window, int rounds) implements Workload {
  static final String ID = "engines";
  private static final String RATE = "steps/s";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public boolean isInOtherProcesses() {
    return true;
  }

  @Override
  public void measure(Site site, Report report)
      throws IOException, SQLException, InterruptedException {
    if (site.kind() != StoreKind.POSTGRES) return; // the others have one engine only
    var one = new Series();
    var two = new Series();
    report.begin(this, site, setting(1));
    for (int round = 0; round < rounds; round++) {
      double alone = measure(site, 1);
      double together = measure(site, 2);
      one.add(RATE, alone);
      two.add(RATE, together).add("two/one", together / alone);
    }
    report.add(this, site, setting(1), one);
    report.add(this, site, setting(2), two);
    report.note(this, "goal: two do not do less than one");
  }

  private String setting(int processes) {
    return String.format(
        Locale.ROOT, "%,d in flight, %d by each of %d", clients, clients / processes, processes);
  }

  private double measure(Site site, int count)
      throws IOException, SQLException, InterruptedException {
    try (var database = site.create()) {
      var processes = new ArrayList<LoopingProcess>();
      try {
        for (int i = 1; i <= count; i++) {
          processes.add(LoopingProcess.start(database.url(), "engine" + i, clients / count));
        }
        for (var process : processes) process.awaitUp();
        Thread.sleep(warmUp);
        return rate(processes);
      } finally {
        processes.forEach(LoopingProcess::close);
      }
    }
  }

  private double rate(List<LoopingProcess> processes) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    long before = steps(processes);
    Thread.sleep(window);
    long after = steps(processes);
    return (after - before) * 1e9 / (System.nanoTime() - begin);
  }

  private static long steps(List<LoopingProcess> processes) throws IOException {
    long steps = 0;
    for (var process : processes) steps += process.steps();
    return steps;
  }
}

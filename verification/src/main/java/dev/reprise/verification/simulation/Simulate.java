package dev.reprise.verification.simulation;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code ./reprise simulate}. */
@Command(
    name = "reprise simulate",
    sortOptions = false,
    description = {
      "Plays engines, clients and a database in one process, on a clock and a scheduler that a seed"
          + " decides, with faults, and checks that nothing is lost and nothing happens twice.",
      "The same seed gives the same simulation, to the last step."
    })
final class Simulate implements Callable<Integer> {
  private static final int LONGEST_LOG = 400; // lines that are shown of a failed simulation
  private static final int MANY = 500; // simulations, in which everything must have happened

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "2000",
      description = "How many simulations; 2,000 by default.")
  private long seeds;

  @Option(
      names = "--from",
      paramLabel = "SEED",
      description = "The first seed, the others follow; drawn by lot by default.")
  private @Nullable Long from;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "Plays this one only, and shows what happens in it.")
  private @Nullable Long seed;

  @Option(
      names = "--sabotage",
      paramLabel = "BUG",
      description =
          "Brings back a known bug, or 'all' one after the other, and tells after how many"
              + " simulations it is found. 'list' lists them.")
  private @Nullable String sabotage;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  @SuppressWarnings("UnusedVariable") // picocli looks at it
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  private final PrintStream out;

  Simulate(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) {
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off"); // faults are no news
    System.exit(new CommandLine(new Simulate(System.out)).execute(args));
  }

  @Override
  public Integer call() throws InterruptedException {
    if (seeds < 1) throw usage("--seeds must be at least 1");
    if ("list".equals(sabotage)) return listSabotages();
    if (seed != null) return playOne(seed);
    if (sabotage != null) return sabotages();
    return playMany();
  }

  // ---- one

  private int playOne(long number) {
    var bug = sabotage == null ? Sabotage.NONE : bug(sabotage);
    var report = Simulation.play(number, bug, true);
    report.log().forEach(out::println);
    out.printf(
        "seed %d: %,d steps, %.1f s simulated, digest %016x%n",
        number, report.steps(), report.nanos() / 1e9, report.digest());
    report.violations().forEach(violation -> out.println("VIOLATED: " + violation));
    return report.violations().isEmpty() ? 0 : 1;
  }

  // ---- many

  private int playMany() throws InterruptedException {
    long first = from == null ? ThreadLocalRandom.current().nextLong(1L << 40) : from;
    var tally = new Tally(Sabotage.NONE, this::progress);
    var took = tally.play(first, seeds);
    out.printf(
        Locale.ROOT,
        "%,d simulations from seed %d in %.1f s: %.1f h simulated, %,d steps, %d violated%n",
        tally.played(),
        first,
        took.toMillis() / 1e3,
        tally.nanos() / 3.6e12,
        tally.steps(),
        tally.failed().size());
    table(tally.counts());
    if (tally.disturbed() > 0) out.println("played again: " + tally.disturbed());
    tally.failed().forEach(this::show);
    var blind = tally.played() >= MANY ? Coverage.missing(tally.counts()) : List.<String>of();
    blind.forEach(what -> out.println("BLIND: it never happened: " + what));
    return tally.failed().isEmpty() && blind.isEmpty() ? 0 : 1;
  }

  private void progress(long played, Duration took) {
    System.err.printf("%,d simulations, %d s%n", played, took.toSeconds());
  }

  private void table(Map<String, Long> counts) {
    new TreeMap<>(counts)
        .forEach((what, times) -> out.printf(Locale.ROOT, "  %-45s %,12d%n", what, times));
  }

  /** What happened to the workflow that went wrong, and to the processes. */
  private void show(Simulation.Report failed) {
    out.println();
    out.println("seed " + failed.seed() + " VIOLATED:");
    failed.violations().forEach(violation -> out.println("  " + violation));
    var log = Simulation.play(failed.seed(), Sabotage.NONE, true).log();
    var lines = Excerpt.about(failed.violations().getFirst(), log);
    lines.stream().limit(LONGEST_LOG).forEach(out::println);
    out.println("again, with everything: ./reprise simulate --seed " + failed.seed());
  }

  // ---- sabotage

  private int listSabotages() {
    for (var bug : Sabotage.values()) {
      if (bug != Sabotage.NONE) out.printf("%-28s %s%n", bug.title(), bug.what());
    }
    return 0;
  }

  private int sabotages() throws InterruptedException {
    var wanted = String.valueOf(sabotage);
    var bugs = wanted.equals("all") ? all() : List.of(bug(wanted));
    long first = from == null ? 1 : from;
    out.println("| bug | what it does | found after | by |");
    out.println("|---|---|---:|---|");
    var missed = new ArrayList<Sabotage>();
    for (var bug : bugs) {
      var found = new Tally(bug, (_, _) -> {}).first(first, seeds);
      if (found == null) missed.add(bug);
      out.printf(
          "| `%s` | %s | %s | %s |%n",
          bug.title(),
          bug.what(),
          found == null ? "NOT FOUND" : found.seed() - first + 1,
          found == null ? "" : Excerpt.kind(found.violations().getFirst()));
    }
    return missed.isEmpty() ? 0 : 1;
  }

  private static List<Sabotage> all() {
    return Arrays.stream(Sabotage.values()).filter(bug -> bug != Sabotage.NONE).toList();
  }

  private Sabotage bug(String name) {
    for (var bug : all()) if (bug.title().equals(name)) return bug;
    throw usage("--sabotage: there is no '%s'; --sabotage list shows all".formatted(name));
  }

  private ParameterException usage(String message) {
    if (spec == null) throw new IllegalStateException("not started by a command line");
    return new ParameterException(spec.commandLine(), message);
  }
}

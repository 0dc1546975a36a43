package dev.reprise.verification.chaos;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code ./reprise chaos}. */
@Command(
    name = "reprise chaos",
    sortOptions = false,
    description =
        "Does faults to engine processes and their PostgreSQL, and checks that nothing is lost.",
    footer = {
      "",
      "kill      kill -9 of an engine process, which is started again",
      "freeze    an engine process stands still for longer than its lease",
      "database  kill -9 of PostgreSQL, which is started again",
      "cut       a connection is cut around a COMMIT",
      "notify    all notifications of the database are lost",
      "clock     the clock of one engine is an hour ahead, of another an hour behind",
      "",
      "Each round of a minute or less ends with a check. The exit code is 1 if one fails."
    })
final class Chaos implements Callable<Integer> {
  private static final String NOTIFY = "notify";
  private static final String CLOCK = "clock";
  private static final Duration ROUND = Duration.ofMinutes(1);

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "5",
      description = "How long; 5 by default.")
  private int minutes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "What decides about the faults; printed for each round.")
  private @Nullable Long seed;

  @Option(
      names = "--only",
      paramLabel = "FAULT",
      split = ",",
      description = "Which faults; kill,freeze,database,cut by default.")
  private List<String> only = List.of("kill", "freeze", "database", "cut");

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  @SuppressWarnings("UnusedVariable") // picocli looks at it
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  private final PrintStream out;

  Chaos(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) {
    System.exit(new CommandLine(new Chaos(System.out)).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (minutes < 1) throw usage("--minutes must be at least 1");
    var faults = faults();
    var setup = Setup.plain();
    if (only.contains(NOTIFY)) setup = setup.losingHints();
    if (only.contains(CLOCK)) setup = setup.withWrongClocks();
    var seeds = seed == null ? new Random() : new Random(seed);
    for (int round = 0; round < minutes; round++) {
      var roundSeed = round == 0 && seed != null ? seed : seeds.nextLong();
      if (!play(setup, faults, roundSeed)) return 1;
    }
    return 0;
  }

  private boolean play(Setup setup, Set<Fault> faults, long roundSeed)
      throws IOException, InterruptedException {
    var folder = Files.createTempDirectory("reprise-chaos-");
    try (var round = new Round(setup, roundSeed, folder)) {
      round.suffer(faults, ROUND);
      var report = round.finish();
      out.println(report.text());
      if (!report.isGood()) {
        out.println("NOT good; the ledger and the logs of the engines are in " + folder);
        return false;
      }
    }
    delete(folder);
    return true;
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }

  private Set<Fault> faults() {
    var faults = EnumSet.noneOf(Fault.class);
    for (var name : only) {
      if (name.equals(NOTIFY) || name.equals(CLOCK)) continue;
      try {
        faults.add(Fault.valueOf(name.toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw usage(
            "--only knows kill, freeze, database, cut, notify and clock, not '%s'".formatted(name));
      }
    }
    return faults;
  }

  private ParameterException usage(String message) {
    if (spec == null) throw new IllegalStateException("not started by a command line");
    return new ParameterException(spec.commandLine(), message);
  }
}

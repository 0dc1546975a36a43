package dev.reprise.server;

import dev.reprise.engine.gate.GateReport;
import dev.reprise.engine.gate.ReplayGate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code reprise replay-check}: whether new code follows the runs of a database. */
@Command(
    name = "replay-check",
    description = {
      "Runs workflow code along the histories of all open runs, and of some closed ones, and tells"
          + " where it departs. Nothing is written and no activity is called."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    exitCodeOnExecutionException = ExitCode.USAGE,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The code follows all runs that were checked.",
      "1:It departs from some, or hangs; with --strict also if open runs were not checked.",
      "2:It could not be checked."
    })
final class ReplayCheckCommand implements Callable<Integer> {
  @Mixin private final Reading reading = new Reading();
  @Mixin private final CodeUnderCheck code = new CodeUnderCheck();

  @Option(
      names = "--workflow",
      paramLabel = "NAME",
      description = "Only runs of this definition, such as Checkout. May be given several times.")
  private List<String> workflows = List.of();

  @Option(
      names = "--sample",
      paramLabel = "N",
      description = "So many closed runs of each workflow, the newest; ${DEFAULT-VALUE}.")
  private int sample = ReplayGate.SAMPLE;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      description = "How long code may run without calling its context; ${DEFAULT-VALUE}.")
  private int patience = 10;

  @Option(
      names = "--strict",
      description = "Open runs of workflows that the code does not have are a failure too.")
  private boolean strict;

  @Override
  public Integer call() {
    checkOptions();
    GateReport report;
    try (var loaded = code.load()) {
      var gate = loaded.gate().sample(sample).patience(Duration.ofSeconds(patience));
      checkNames(gate);
      report = check(gate.only(workflows));
    }
    if (reading.json()) reading.out().println(Json.report(report));
    else report.text().lines().map(Table::printable).forEach(reading.out()::println);
    boolean good = report.follows() && (!strict || report.isComplete());
    return good ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private GateReport check(ReplayGate gate) {
    try (var store = reading.open();
        var _ = new ProgressLine(() -> text(gate.progress()), reading.err())) {
      return gate.check(store);
    }
  }

  private void checkOptions() {
    if (sample < 0 || sample > ReplayGate.MAX_SAMPLE) {
      throw reading.wrong(
          "Invalid value for option '--sample': not in 0..%d: %d"
              .formatted(ReplayGate.MAX_SAMPLE, sample));
    }
    if (patience < 1) {
      throw reading.wrong("Invalid value for option '--patience': not above 0: " + patience);
    }
  }

  private void checkNames(ReplayGate gate) {
    var known = gate.workflows();
    for (var name : workflows) {
      if (!known.contains(name)) {
        throw reading.wrong(
            "Invalid value for option '--workflow': the code has no '%s', but %s"
                .formatted(name, known.stream().sorted().toList()));
      }
    }
  }

  static String text(ReplayGate.Progress now) {
    return String.format(
        Locale.ROOT, "checked %,d runs, %,d of them depart", now.runs(), now.departed());
  }
}

package dev.reprise.server;

import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.doctor.Examination;
import dev.reprise.engine.doctor.Finding;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code reprise doctor}: whether a database is sound. */
@Command(
    name = "doctor",
    description = "Checks a database: every history, and whether all rows fit together.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Nothing found, or warnings only.",
      "1:There are errors, or it could not be checked.",
      "2:Asked in a way it does not understand."
    })
final class DoctorCommand implements Callable<Integer> {
  @Mixin private final Reading reading = new Reading();

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Only so many runs, the newest, and not how rows fit together.")
  private @Nullable Long runs;

  @Override
  public Integer call() {
    var newest = runs;
    if (newest != null && newest < 1) {
      throw reading.wrong("Invalid value for option '--runs': not above 0: " + newest);
    }
    long start = System.nanoTime();
    Examination examined;
    try (var store = reading.open()) {
      var doctor = new Doctor(store);
      try (var _ = new ProgressLine(() -> ProgressLine.text(doctor.progress()), reading.err())) {
        examined = newest == null ? doctor.examine() : doctor.examineNewest(newest);
      }
    }
    var took = Duration.ofNanos(System.nanoTime() - start);
    if (reading.json()) reading.out().println(Json.examination(examined, took));
    else print(examined, took);
    return examined.errors() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void print(Examination examined, Duration took) {
    var out = reading.out();
    out.printf(
        "Looked at %s, %s, %s and %s in %s.%n",
        counted(examined.runs(), "run"),
        counted(examined.events(), "event"),
        counted(examined.inputs(), "waiting input"),
        counted(examined.nodes(), "node"),
        Moments.text(took));
    for (var finding : examined.findings()) out.println(line(finding));
    long more = examined.found() - examined.findings().size();
    if (more > 0) out.printf("... and %,d more%n", more);
    out.println(examined.found() == 0 ? "nothing found" : counted(examined.found(), "finding"));
  }

  private static String line(Finding finding) {
    var severity = finding.severity().name().toLowerCase(Locale.ROOT);
    return "%-7s  %-12s  %s"
        .formatted(severity, finding.check().label(), Table.printable(finding.toString()));
  }

  private static String counted(long number, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
  }
}

package dev.reprise.verification.histories;

import dev.reprise.engine.event.EventType;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code ./reprise histories}. */
@Command(
    name = "reprise histories",
    sortOptions = false,
    description =
        "Records the histories that this version of the engine writes, to be replayed for ever.")
final class Histories implements Callable<Integer> {
  @Parameters(paramLabel = "VERSION", description = "The name of the folder, such as 0.2.0.")
  private String version = "";

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description = "Takes the SQLite file that another version wrote, and runs nothing.")
  private @Nullable Path from;

  @Option(
      names = "--types",
      paramLabel = "TYPE",
      split = ",",
      description = "The types of events that version had; those of today by default.")
  private @Nullable List<String> types;

  @Option(
      names = "--root",
      paramLabel = "DIR",
      description = "Where the folders of all versions are; verification/histories by default.")
  private Path root = Path.of("verification", "histories");

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  @SuppressWarnings("UnusedVariable") // picocli looks at it
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  private final PrintStream out;

  Histories(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) {
    // Some activities never end.
    System.exit(new CommandLine(new Histories(System.out)).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    var folder = new VersionFolder(root.resolve(version));
    if (Files.exists(folder.path())) throw usage(folder.path() + " is there, and kept as it is");
    checkKept();
    var scratch = Files.createTempDirectory("reprise-histories-");
    try {
      var known = types == null ? typesOfToday() : new TreeSet<>(types);
      folder.fill(from == null ? recorded(scratch) : from, known, scratch);
      if (!folder.covered().equals(known)) {
        known.removeAll(folder.covered());
        delete(folder.path());
        throw usage("no scenario records " + known + ": add one");
      }
    } finally {
      delete(scratch);
    }
    Checksums.write(root);
    out.printf("%d histories in %s%n", folder.histories().size(), folder.path());
    return 0;
  }

  /** What is there already must be as it was. */
  private void checkKept() throws IOException {
    if (!Checksums.actual(root).equals(Checksums.listed(root))) {
      throw usage("files of earlier versions have changed: see " + root.resolve(Checksums.FILE));
    }
  }

  private static Path recorded(Path scratch) {
    var database = scratch.resolve("recorded.db");
    Recorder.record(database, Desk.broken());
    return database;
  }

  private static Set<String> typesOfToday() {
    return Stream.of(EventType.values())
        .map(EventType::label)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }

  private ParameterException usage(String message) {
    if (spec == null) throw new IllegalStateException("not started by a command line");
    return new ParameterException(spec.commandLine(), message);
  }
}

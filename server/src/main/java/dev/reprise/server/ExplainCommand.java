package dev.reprise.server;

import dev.reprise.ErrorCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code reprise explain}: what an error means, and what to do. */
@Command(
    name = "explain",
    description = "Says what an error means and what to do; without a code, lists all errors.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class ExplainCommand implements Runnable {
  /** The page of the documentation, which the build puts into the jar. */
  private static final String PAGE = "errors.md";

  @Parameters(arity = "0..1", paramLabel = "CODE", description = "Of the error, such as R113.")
  private @Nullable String code;

  @Spec private CommandSpec command = CommandSpec.create(); // picocli puts the real one here

  @Override
  public void run() {
    var out = command.commandLine().getOut();
    if (code == null) {
      for (var each : ErrorCode.values()) out.printf("%s  %s%n", each, each.title());
    } else {
      print(known(code.strip().toUpperCase(Locale.ROOT)), out);
    }
  }

  private ErrorCode known(String name) {
    for (var each : ErrorCode.values()) if (each.name().equals(name)) return each;
    throw new ParameterException(
        command.commandLine(),
        "There is no error '%s': 'reprise explain' lists all.".formatted(Table.printable(name)));
  }

  private static void print(ErrorCode code, PrintWriter out) {
    var section =
        page()
            .lines()
            .dropWhile(line -> !line.equals("## " + code))
            .skip(1)
            .takeWhile(line -> !line.startsWith("## "))
            .collect(Collectors.joining("\n"));
    out.println(code);
    out.println();
    out.println(plain(section.strip()));
  }

  /** Without what a terminal does not show: bold letters, and where links lead. */
  private static String plain(String markdown) {
    return markdown
        .replaceAll("(?s)\\*\\*(.+?)\\*\\*", "$1")
        .replaceAll("(?s)\\[([^\\[\\]]+?)]\\([^()\\s]+?\\)", "$1");
  }

  private static String page() {
    try (var in = ExplainCommand.class.getResourceAsStream(PAGE)) {
      return new String(Objects.requireNonNull(in, PAGE).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}

package dev.reprise.server;

import dev.reprise.HandlerFailed;
import dev.reprise.RepriseException;
import java.io.PrintWriter;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Says what went wrong in one paragraph; where it went wrong only if asked. */
final class Errors implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private static final int WIDTH = 100;

  private final BooleanSupplier verbose;

  Errors(BooleanSupplier verbose) {
    this.verbose = verbose;
  }

  /** A command could not do what it was asked to. */
  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    say(failure, command.getErr());
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  /** A command was asked in a way that it does not understand. */
  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    var command = failure.getCommandLine();
    say(failure, command.getErr());
    CommandLine.UnmatchedArgumentException.printSuggestions(failure, command.getErr());
    command.getErr().printf("Try '%s --help'.%n", command.getCommandSpec().qualifiedName());
    return ExitCode.USAGE;
  }

  private void say(Exception failure, PrintWriter err) {
    var text = Table.printableLines(message(failure));
    err.println(text.lines().map(Errors::wrapped).collect(Collectors.joining("\n")));
    if (verbose.getAsBoolean()) failure.printStackTrace(err);
    err.flush();
  }

  private String message(Exception failure) {
    return switch (failure) {
      case ParameterException misused -> String.valueOf(misused.getMessage());
      case RepriseException known -> "reprise: " + known.getMessage();
      case HandlerFailed refused ->
          "reprise: " + Table.printable(String.valueOf(refused.getMessage()));
      case Exception unexpected ->
          "reprise: unexpected "
              + Table.printable(unexpected.toString())
              + (verbose.getAsBoolean() ? "" : " (--verbose has more)");
    };
  }

  /** Lines that are set in show something as it is. */
  private static String wrapped(String line) {
    return line.startsWith(" ") ? line : Screen.wrapped(line, Math.min(WIDTH, Screen.width()), 0);
  }
}

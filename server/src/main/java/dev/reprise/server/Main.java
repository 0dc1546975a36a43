package dev.reprise.server;

import java.io.PrintWriter;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command line: looks into the database of an engine, and sends to its workflows. */
@Command(
    name = "reprise",
    description = "Looks into the database of a workflow engine, and sends to its workflows.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      ListCommand.class,
      DescribeCommand.class,
      HistoryCommand.class,
      RunsCommand.class,
      PublishedCommand.class,
      NodesCommand.class,
      QueuesCommand.class,
      QueueCommand.class,
      DoctorCommand.class,
      ReplayCheckCommand.class,
      StartCommand.class,
      SignalCommand.class,
      UpdateCommand.class,
      CancelCommand.class,
      TerminateCommand.class,
      ResumeCommand.class,
      ForkCommand.class,
      LimitCommand.class,
      CompleteCommand.class,
      FailCommand.class,
      ExplainCommand.class,
      HelpCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nIn a clone of the project there are also:%n",
    footer = {
      "  demo       A guided tour: kills a workflow's process and watches the workflow go on.",
      "  bench      Measures the engine on this machine.",
      "  histories  Records the histories of this version, to be replayed for ever.",
      "  format     Lays out all sources.",
      "  docs       Brings the code in the documentation up to date with the examples."
    })
public final class Main {
  private static final int WIDTH = 100;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Shows the stack trace of an error.")
  private boolean verbose;

  private Main() {}

  public static void main(String[] args) {
    var out = new PrintWriter(System.out, true, System.out.charset());
    var err = new PrintWriter(System.err, true, System.err.charset());
    System.exit(commandLine(out, err).execute(args.length == 0 ? new String[] {"help"} : args));
  }

  /** The commands, printing to the given places. */
  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    var main = new Main();
    var errors = new Errors(() -> main.verbose);
    return new CommandLine(main)
        .setOut(out)
        .setErr(err)
        .setUsageHelpWidth(WIDTH)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(JsonText.class, JsonText::parse)
        .registerConverter(Duration.class, Moments::parse)
        .registerConverter(LimitsText.Bound.class, LimitsText.Bound::parse)
        .registerConverter(LimitsText.Pace.class, LimitsText.Pace::parse)
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
  }
}

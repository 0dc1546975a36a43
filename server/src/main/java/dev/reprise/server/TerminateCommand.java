package dev.reprise.server;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise terminate}: ends a workflow without its code. */
@Command(
    name = "terminate",
    description = "Ends a workflow at once, without its code.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class TerminateCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Parameters(paramLabel = "WORKFLOW-ID", description = "As 'reprise list' shows it.")
  private String workflowId = "";

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Why, for people.")
  private String reason = "";

  @Option(
      names = "--compensate",
      description = "First undoes what it did, as far as it has said how.")
  private boolean compensate;

  @Override
  public void run() {
    try (var client = reading.visit()) {
      client.terminate(workflowId, reason, compensate);
      reading.sent(
          client,
          workflowId,
          compensate ? "terminated, after what it did is undone" : "terminated");
    }
  }
}

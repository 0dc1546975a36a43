package dev.reprise.server;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise cancel}: asks a workflow to end. */
@Command(
    name = "cancel",
    description = "Asks a workflow to end: it cleans up first.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class CancelCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Parameters(paramLabel = "WORKFLOW-ID", description = "As 'reprise list' shows it.")
  private String workflowId = "";

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Why, for people and for the workflow.")
  private String reason = "";

  @Override
  public void run() {
    try (var client = reading.visit()) {
      client.cancel(workflowId, reason);
      reading.sent(client, workflowId, "asked to end");
    }
  }
}

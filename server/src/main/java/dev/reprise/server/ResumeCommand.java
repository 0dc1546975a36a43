package dev.reprise.server;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code reprise resume}: lets a held workflow try again. */
@Command(
    name = "resume",
    description = "Lets a workflow try again that is blocked or could not be compensated.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class ResumeCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Parameters(paramLabel = "WORKFLOW-ID", description = "As 'reprise list' shows it.")
  private String workflowId = "";

  @Override
  public void run() {
    try (var client = reading.visit()) {
      client.resume(workflowId);
      reading.sent(client, workflowId, "resumed");
    }
  }
}

package dev.reprise.server;

import dev.reprise.Key;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code reprise published}: what a workflow has published. */
@Command(
    name = "published",
    description = "Prints what a workflow has published last under a key, as JSON.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Printed.",
      "1:Nothing was published under that key, or it could not be read.",
      "2:Asked in a way it does not understand."
    })
final class PublishedCommand implements Callable<Integer> {
  @Mixin private final Reading reading = new Reading();

  @Parameters(index = "0", paramLabel = "WORKFLOW-ID", description = "As 'reprise list' shows it.")
  private String workflowId = "";

  @Parameters(index = "1", paramLabel = "KEY", description = "As the workflow calls it.")
  private String key = "";

  @Override
  public Integer call() {
    if (key.isBlank()) throw reading.wrong("The key is blank.");
    try (var client = reading.visit()) {
      var value = client.published(workflowId, Key.of(key, JsonText.class));
      if (value.isPresent()) {
        reading.out().println(value.get());
        return ExitCode.OK;
      }
    }
    reading
        .err()
        .printf(
            "'%s' has published nothing under '%s'.%n",
            Table.printable(workflowId), Table.printable(key));
    return ExitCode.SOFTWARE;
  }
}

package dev.reprise.server;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Update;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise update}: asks a workflow to do something, and prints its answer. */
@Command(
    name = "update",
    description = "Sends an update to a workflow, and prints the answer as JSON.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class UpdateCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Parameters(index = "0", paramLabel = "WORKFLOW-ID", description = "As 'reprise list' shows it.")
  private String workflowId = "";

  @Parameters(index = "1", paramLabel = "NAME", description = "Of the update.")
  private String name = "";

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "JSON",
      description = "Its argument; null if not given.")
  private JsonText argument = JsonText.NULL;

  @Option(
      names = "--id",
      paramLabel = "MESSAGE",
      description = "An id of your own: however often it is sent, it is done once.")
  private @Nullable String message;

  @Override
  public void run() {
    if (name.isBlank()) throw reading.wrong("The name of the update is blank.");
    if (reading.isAlone()) {
      throw new RepriseException(
          ErrorCode.R120,
          "an SQLite file is for one engine process at a time, so nobody would answer an update"
              + " while this command has it: call the client of the engine. A signal does not"
              + " wait");
    }
    var update = Update.of(name, JsonText.class, JsonText.class);
    var id = message;
    try (var client = reading.visit()) {
      var answer =
          id == null
              ? client.update(workflowId, update, argument)
              : client.update(workflowId, update, argument, id);
      reading.out().println(answer == null || answer.text().isEmpty() ? JsonText.NULL : answer);
    }
  }
}

package dev.reprise.server;

import dev.reprise.Signal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise signal}: sends a signal to a workflow. */
@Command(
    name = "signal",
    description = "Sends a signal to a workflow.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class SignalCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Parameters(index = "0", paramLabel = "WORKFLOW-ID", description = "As 'reprise list' shows it.")
  private String workflowId = "";

  @Parameters(index = "1", paramLabel = "NAME", description = "Of the signal.")
  private String name = "";

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "JSON",
      description = "Its value; null if not given.")
  private JsonText value = JsonText.NULL;

  @Option(
      names = "--id",
      paramLabel = "MESSAGE",
      description = "An id of your own: however often it is sent, it arrives once.")
  private @Nullable String message;

  @Override
  public void run() {
    if (name.isBlank()) throw reading.wrong("The name of the signal is blank.");
    var signal = Signal.of(name, JsonText.class);
    var id = message;
    try (var client = reading.visit()) {
      if (id == null) client.signal(workflowId, signal, value);
      else client.signal(workflowId, signal, value, id);
      reading.sent(client, workflowId, "has the signal '%s'".formatted(name));
    }
  }
}

package dev.reprise.server;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code reprise complete}: completes an activity that waits for somebody outside. */
@Command(
    name = "complete",
    description = "Completes an activity that waits to be completed from outside.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class CompleteCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Parameters(index = "0", paramLabel = "TOKEN", description = "That the activity was given.")
  private String token = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "JSON",
      description = "What it returns; null if not given.")
  private JsonText result = JsonText.NULL;

  @Override
  public void run() {
    try (var client = reading.visit()) {
      reading.ended(client.complete(token, result), "completed");
    }
  }
}

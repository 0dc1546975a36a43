package dev.reprise.server;

import dev.reprise.TerminalFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise fail}: fails an activity that waits for somebody outside. */
@Command(
    name = "fail",
    description = "Fails an activity that waits to be completed from outside.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class FailCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Parameters(index = "0", paramLabel = "TOKEN", description = "That the activity was given.")
  private String token = "";

  @Parameters(index = "1", paramLabel = "MESSAGE", description = "Why, for people.")
  private String message = "";

  @Option(
      names = "--terminal",
      description = "For good: it is not tried again, whatever its retry policy says.")
  private boolean terminal;

  @Override
  public void run() {
    var failure = terminal ? new TerminalFailure(message) : new FailedByHand(message);
    try (var client = reading.visit()) {
      reading.ended(client.fail(token, failure), "failed");
    }
  }

  /** What the history has if somebody fails an activity with the command. */
  private static final class FailedByHand extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private FailedByHand(String message) {
      super(message);
    }
  }
}

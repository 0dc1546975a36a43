package dev.reprise.server;

import dev.reprise.Fork;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise fork}: a new workflow from a part of another's history. */
@Command(
    name = "fork",
    description = "Starts a new workflow from the first events of another, which stays as it is.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class ForkCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Parameters(paramLabel = "WORKFLOW-ID", description = "As 'reprise list' shows it.")
  private String workflowId = "";

  @Option(
      names = "--at",
      paramLabel = "N",
      required = true,
      description = "The last event that is kept, as 'reprise history' numbers them.")
  private int at;

  @Option(
      names = "--run",
      paramLabel = "RUN-ID",
      description = "Of this run of the workflow; the latest if not given.")
  private @Nullable UUID run;

  @Option(
      names = "--as",
      paramLabel = "WORKFLOW-ID",
      description = "Of the new workflow; made from the old one if not given.")
  private @Nullable String as;

  @Option(names = "--input", paramLabel = "JSON", description = "Started with this input instead.")
  private @Nullable JsonText input;

  @Option(
      names = "--result",
      paramLabel = "ACTIVITY=JSON",
      description = "With another result of an activity, such as Payments.charge:1. Repeatable.")
  private Map<String, JsonText> results = new LinkedHashMap<>();

  @Override
  public void run() {
    if (at < 1) throw reading.wrong("Invalid value for option '--at': not above 0: " + at);
    try (var client = reading.visit()) {
      var forked = client.fork(wanted());
      if (reading.json()) {
        reading.out().println(Json.forked(forked.workflowId(), forked.runId()));
      } else {
        reading
            .out()
            .printf(
                "%s goes on from event %d of %s.%n",
                Table.printable(forked.workflowId()), at, Table.printable(workflowId));
      }
    }
  }

  private Fork wanted() {
    var fork = Fork.of(workflowId, at);
    if (as != null) fork = fork.as(as);
    if (run != null) fork = fork.ofRun(run);
    if (input != null) fork = fork.input(input);
    for (var result : results.entrySet()) fork = fork.result(result.getKey(), result.getValue());
    return fork;
  }
}

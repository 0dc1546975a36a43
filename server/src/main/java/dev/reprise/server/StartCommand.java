package dev.reprise.server;

import dev.reprise.ErrorCode;
import dev.reprise.NodeDescription.State;
import dev.reprise.RepriseException;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.engine.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code reprise start}: starts a workflow by its name, as a client. */
@Command(
    name = "start",
    description = "Starts a workflow, and waits for its result if asked to.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Started; with --wait, completed.",
      "1:Not started.",
      "2:Asked in a way it does not understand.",
      "3:With --wait: it ended without a result, for example because it failed.",
      "4:With --wait: it is blocked, or has not ended within --limit."
    })
final class StartCommand implements Callable<Integer> {
  private static final String STANDARD_INPUT = "-";

  @Mixin private final Reading reading = new Reading();

  @Parameters(
      index = "0",
      paramLabel = "WORKFLOW",
      description = "The name of the definition, such as Checkout.")
  private String workflow = "";

  @Parameters(
      index = "1",
      paramLabel = "WORKFLOW-ID",
      description = "What the new run is called; the same id again returns that run.")
  private String workflowId = "";

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "JSON",
      description = "The input; null if not given, and read from the standard input if it is '-'.")
  private @Nullable String input;

  @Option(names = "--file", paramLabel = "FILE", description = "A file that has the input.")
  private @Nullable Path file;

  @Option(
      names = "--queue",
      paramLabel = "NAME",
      description = "It begins when a worker of this queue takes it.")
  private @Nullable String queue;

  @Option(names = "--priority", paramLabel = "N", description = "On a queue: lower begins first.")
  private int priority;

  @Option(names = "--key", paramLabel = "KEY", description = "On a queue: for whom it is.")
  private @Nullable String key;

  @Option(
      names = "--deduplicate",
      paramLabel = "KEY",
      description = "While one with this key waits or runs, that one is returned instead.")
  private @Nullable String deduplicate;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      description = "It begins that much later: 500ms, 30s, 5min, 2h, 1d.")
  private @Nullable Duration delay;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "How long the run may take; what the workflow says if not given.")
  private @Nullable Duration timeout;

  @Option(
      names = "--attribute",
      paramLabel = "NAME=VALUE",
      description = "By which it can be found: a number, true, false, or a text. Repeatable.")
  private Map<String, String> attributes = new LinkedHashMap<>();

  @Option(names = "--wait", description = "Waits until it has ended, and prints the result.")
  private boolean wait;

  @Option(
      names = "--limit",
      paramLabel = "TIME",
      description = "With --wait: waits no longer than that. The run goes on.")
  private @Nullable Duration limit;

  @Override
  public Integer call() {
    if (workflow.isBlank()) throw reading.wrong("The name of the workflow is blank.");
    if (limit != null && !wait) throw reading.wrong("--limit is for --wait.");
    var value = input();
    var options = options();
    if (wait && reading.isAlone()) {
      throw new RepriseException(
          ErrorCode.R120,
          "an SQLite file is for one engine process at a time, so no engine would run the workflow"
              + " while this command waits: leave out --wait, and the next engine runs it");
    }
    try (var client = reading.visit()) {
      warn(client);
      var handle = client.start(workflow, workflowId, value, options);
      if (wait) return new EndWait(client, reading).untilEnded(handle.workflowId(), limit);
      var run = handle.describe();
      if (reading.json()) reading.out().println(Json.sent(run));
      else {
        var how = run.status() == Status.QUEUED ? "waits for its turn" : "started";
        reading.out().printf("%s: %s%n", Table.printable(run.workflowId()), how);
      }
      return ExitCode.OK;
    }
  }

  private JsonText input() {
    if (input != null && file != null) throw reading.wrong("JSON or --file, not both.");
    try {
      if (file != null) return JsonText.parse(Files.readString(file));
      if (input == null) return JsonText.NULL;
      return JsonText.parse(input.equals(STANDARD_INPUT) ? standardInput() : input);
    } catch (TypeConversionException notJson) {
      throw reading.wrong("Invalid input: " + notJson.getMessage());
    } catch (IOException | UncheckedIOException failure) {
      throw reading.wrong("The input cannot be read: " + failure);
    }
  }

  private static String standardInput() throws IOException {
    return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
  }

  private StartOptions options() {
    var options = StartOptions.defaults().priority(priority);
    if (queue != null) options = options.queue(queue);
    if (key != null) options = options.key(key);
    if (deduplicate != null) options = options.deduplicate(deduplicate);
    if (delay != null) options = options.delay(delay);
    if (timeout != null) options = options.timeout(timeout);
    for (var each : attributes.entrySet()) {
      options = options.attribute(each.getKey(), JsonText.scalar(each.getValue()));
    }
    return options;
  }

  /**
   * Which workflows engines have is not in the database. That none has ever run under this name is
   * most likely a slip of the pen.
   */
  private void warn(Engine client) {
    var known = client.countBy("", "workflow");
    if (!known.isEmpty() && !known.containsKey(workflow)) {
      reading
          .err()
          .printf(
              "No workflow '%s' has run here before, only %s. The new run waits until an engine has"
                  + " it.%n",
              Table.printable(workflow), Table.printable(String.join(", ", known.keySet())));
    }
    boolean isServed =
        client.nodes().stream().anyMatch(node -> node.state() == State.ALIVE && !node.client());
    if (!isServed) {
      reading.err().println("There is no engine now: the run begins when one comes.");
    }
  }
}

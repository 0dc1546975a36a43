package dev.reprise.server;

import dev.reprise.Context;
import dev.reprise.Workflow;
import dev.reprise.engine.Reprise;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs commands on a new database in the current folder, for a JVM that records what they load: the
 * launcher makes its cache from that.
 */
final class Training {
  private static final Path FILE = Path.of("training.db");
  private static final String ID = "echo";
  private static final List<String> COMMANDS =
      List.of(
          "list",
          "list --json",
          "runs " + ID,
          "describe " + ID,
          "history " + ID,
          "nodes",
          "queues",
          "doctor",
          "signal " + ID + " wave 1");

  private Training() {}

  /** The only run that there is to look at. */
  static final class Echo implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String input) {
      return input;
    }
  }

  public static void main(String[] args) {
    run(FILE);
  }

  /** Gives the exit codes of the commands. */
  static List<Integer> run(Path file) {
    try (var engine = Reprise.open("jdbc:sqlite:" + file).workflow(new Echo()).start()) {
      engine.start(Echo.class, ID, "hello").result();
    }
    return COMMANDS.stream().map(command -> call(command + " --db " + file)).toList();
  }

  private static int call(String command) {
    var nobody = new PrintWriter(Writer.nullWriter());
    return Main.commandLine(nobody, nobody).execute(command.split(" ", -1));
  }
}

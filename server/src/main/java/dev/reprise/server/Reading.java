package dev.reprise.server;

import dev.reprise.Client;
import dev.reprise.Completion;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all commands have in common: which database, and how to print what is there. */
final class Reading {
  /** Where {@code ./reprise demo} leaves its database; set by the launcher. */
  static final String DEMO = "reprise.demo.database";

  /** The variable with the database that commands without {@code --db} open. */
  static final String DATABASE = "REPRISE_DB";

  /** The variable with the name of a file that has it. */
  static final String DATABASE_FILE = "REPRISE_DB_FILE";

  private static final String SQLITE = "jdbc:sqlite:";
  private static final StoreProvider.Options READ_ONLY = new StoreProvider.Options(false, true);

  @Option(
      names = "--db",
      paramLabel = "FILE|URL",
      description =
          "An SQLite file or a JDBC URL. Without it: what the variable REPRISE_DB says, or else the"
              + " file that REPRISE_DB_FILE names, or else what the demo left behind.")
  private @Nullable String given;

  @Option(
      names = "--db-file",
      paramLabel = "FILE",
      description =
          "A file whose first line is what --db would say: keeps a password out of the list of"
              + " processes.")
  private @Nullable Path givenIn;

  @Option(names = "--json", description = "For programs: JSON, with nothing cut off.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create(); // picocli puts the real one here

  private @Nullable String url; // of what was given, or else of the demo

  boolean json() {
    return json;
  }

  PrintWriter out() {
    return command.commandLine().getOut();
  }

  PrintWriter err() {
    return command.commandLine().getErr();
  }

  /** Opens the database for reading only, which leaves the file as it is. */
  Store open() {
    return Reprise.open(url(), READ_ONLY);
  }

  /**
   * Comes in as a client, to a database that is there.
   *
   * @throws RepriseException {@code R117} if it is a file, and an engine has it
   */
  Engine visit() {
    var url = url();
    Reprise.open(url, READ_ONLY).close(); // a client would create the file
    try {
      return Reprise.open(url).migrate(false).codec(new JsonText.Verbatim()).visit();
    } catch (RepriseException held) {
      if (held.code() != ErrorCode.R117) throw held;
      throw new RepriseException(
          ErrorCode.R117,
          "an engine has '%s', and only that engine may write to an SQLite file: call its client, or"
                  .formatted(url.substring(SQLITE.length()))
              + " close it for the moment. On PostgreSQL commands work beside engines",
          held);
    }
  }

  /** Whether nobody else runs workflows while a command is there. */
  boolean isAlone() {
    return url().startsWith(SQLITE);
  }

  private String url() {
    if (url == null) {
      var database = database();
      if (!database.startsWith("jdbc:") && database.contains("://")) {
        // It is not shown: there may be a password in it.
        throw wrong("The database is a URL that does not begin with jdbc: write it as jdbc:…");
      }
      url = database.startsWith("jdbc:") ? database : SQLITE + database;
    }
    return url;
  }

  private String database() {
    if (given != null && givenIn != null) throw wrong("--db or --db-file, not both.");
    if (given != null) return given;
    if (givenIn != null) return firstLine(givenIn);
    var variable = System.getenv(DATABASE);
    if (variable != null && !variable.isBlank()) return variable.strip();
    var file = System.getenv(DATABASE_FILE);
    if (file != null && !file.isBlank()) return firstLine(Path.of(file.strip()));
    return demo();
  }

  private String firstLine(Path file) {
    try (var lines = Files.lines(file)) {
      var line = lines.findFirst().orElse("").strip();
      if (line.isEmpty()) throw wrong("'%s' names no database in its first line.".formatted(file));
      return line;
    } catch (IOException | UncheckedIOException failure) {
      throw wrong("'%s' cannot be read: %s".formatted(file, failure.getMessage()));
    }
  }

  private String demo() {
    var file = Path.of(System.getProperty(DEMO, "target/demo/orders.db"));
    if (!Files.exists(file)) {
      throw wrong("Which database? Name it with --db or REPRISE_DB, or run the demo first.");
    }
    err().printf("This is the demo's database, %s; --db names another.%n%n", shortened(file));
    return file.toString();
  }

  /** The command was asked for something that makes no sense. */
  ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  static RepriseException unknown(String workflowId) {
    return new RepriseException(
        ErrorCode.R113,
        "there is no workflow with the id '%s': 'reprise list' shows those that there are"
            .formatted(workflowId));
  }

  /** Says that a command has done what it was asked to. */
  void sent(Client client, String workflowId, String what) {
    if (json) out().println(Json.sent(client.describe(workflowId)));
    else out().printf("%s: %s%n", Table.printable(workflowId), what);
  }

  /** Says what came of completing an activity from outside. */
  void ended(Completion completion, String how) {
    if (json) out().println(QueueJson.completion(completion));
    else {
      out()
          .println(
              switch (completion) {
                case ACCEPTED -> how;
                case ALREADY_COMPLETED -> "has ended before: nothing has changed";
              });
    }
  }

  private static Path shortened(Path file) {
    var here = Path.of("").toAbsolutePath();
    return file.startsWith(here) ? here.relativize(file) : file;
  }
}

package dev.reprise.server;

import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all commands that read have in common: which database, and how to print it. */
final class Reading {
  /** Where {@code ./reprise demo} leaves its database; set by the launcher. */
  static final String DEMO = "reprise.demo.database";

  private static final StoreProvider.Options READ_ONLY = new StoreProvider.Options(false, true);

  @Option(
      names = "--db",
      paramLabel = "FILE|URL",
      description = "An SQLite file or a JDBC URL. Without it: what the demo left behind.")
  private @Nullable String given;

  @Option(names = "--json", description = "For programs: JSON, with nothing cut off.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create(); // picocli puts the real one here

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
    var database = given == null ? demo() : given;
    return Reprise.open(
        database.startsWith("jdbc:") ? database : "jdbc:sqlite:" + database, READ_ONLY);
  }

  private String demo() {
    var file = Path.of(System.getProperty(DEMO, "target/demo/orders.db"));
    if (!Files.exists(file)) {
      throw wrong("Which database? Name it with --db, or run the demo first.");
    }
    err().printf("This is the demo's database, %s; --db names another.%n%n", shortened(file));
    return file.toString();
  }

  /** The command was asked for something that makes no sense. */
  ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  private static Path shortened(Path file) {
    var here = Path.of("").toAbsolutePath();
    return file.startsWith(here) ? here.relativize(file) : file;
  }
}

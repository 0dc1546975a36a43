package dev.reprise.verification.bench;

import dev.reprise.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Where engines are set up.
 *
 * @param kind the store they get
 * @param folder for files, each case in a folder of its own
 * @param server for the databases, if the store needs one
 */
record Site(StoreKind kind, Path folder, @Nullable PostgresDatabases server) {
  private static final String FILE = "bench.db";

  Site(StoreKind kind, Path folder) {
    this(kind, folder, null);
  }

  /** An engine on an empty database, with these workflows beside the usual ones. */
  TestBed open(Workflow<?, ?>... workflows) throws IOException, SQLException {
    var database = create();
    try {
      var steps = new NoOps();
      var reprise =
          Database.reprise(database.url())
              .workflow(new Workflows.Sequence(steps))
              .workflow(new Workflows.Parallel(steps));
      for (var workflow : workflows) reprise.workflow(workflow);
      return new TestBed(reprise.start(), steps, database);
    } catch (RuntimeException failure) {
      database.close();
      throw failure;
    }
  }

  /** An empty database. */
  Database create() throws IOException, SQLException {
    return switch (kind) {
      case MEMORY -> new Database(Database.MEMORY, null);
      case SQLITE -> new Database("jdbc:sqlite:" + newFolder().resolve(FILE), null);
      case POSTGRES -> {
        if (server == null) throw new IllegalStateException("there is no PostgreSQL server");
        yield server.create();
      }
    };
  }

  /** A folder for the files of a case. */
  Path newFolder() throws IOException {
    return Files.createTempDirectory(folder, kind.toString());
  }
}

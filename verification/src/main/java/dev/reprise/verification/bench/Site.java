package dev.reprise.verification.bench;

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
 * @param contestant whose engines
 */
record Site(
    StoreKind kind, Path folder, @Nullable PostgresDatabases server, Contestant contestant) {
  private static final String FILE = "bench.db";

  Site(StoreKind kind, Path folder) {
    this(kind, folder, null);
  }

  Site(StoreKind kind, Path folder, @Nullable PostgresDatabases server) {
    this(kind, folder, server, new Ours());
  }

  /** What distinguishes it from others in tables. */
  String label() {
    return isOurs() ? kind.toString() : contestant.name();
  }

  /** Whether the yardsticks fit: they are the rows of our engine. */
  boolean isOurs() {
    return contestant instanceof Ours;
  }

  /** An engine on an empty database. */
  TestBed open() throws IOException, SQLException {
    return open(new Probes());
  }

  /** An engine on an empty database, whose workflows call these. */
  TestBed open(Probes probes) throws IOException, SQLException {
    var database = create();
    try {
      return new TestBed(contestant.open(database.url(), probes), probes, database);
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

package dev.reprise.verification.bench;

import dev.reprise.engine.Reprise;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * An empty database, made for one case.
 *
 * @param url of JDBC, or {@link #MEMORY}; enough for another process to open it
 * @param server where it is dropped in the end; files go with their folder
 */
record Database(String url, @Nullable PostgresDatabases server) implements AutoCloseable {
  static final String MEMORY = "memory";

  /** What opens an engine on a database with that URL. */
  static Reprise reprise(String url) {
    return url.equals(MEMORY) ? Reprise.inMemory() : Reprise.open(url);
  }

  @Override
  public void close() throws SQLException {
    if (server != null) server.drop(url);
  }
}

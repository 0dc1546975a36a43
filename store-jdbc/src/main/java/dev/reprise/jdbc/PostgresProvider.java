package dev.reprise.jdbc;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Opens {@code jdbc:postgresql:} URLs, as the driver of PostgreSQL knows them, and pools of
 * connections to PostgreSQL.
 */
public final class PostgresProvider implements StoreProvider {
  private static final String PREFIX = "jdbc:postgresql:";

  @Override
  public Optional<Store> open(String url, Options options) {
    if (!url.startsWith(PREFIX)) return Optional.empty();
    var source = OwnConnections.to(url, options.readOnly());
    return Optional.of(PostgresStore.open(source, options));
  }

  /**
   * A connection is borrowed for each use and goes back as it was, but for one that is kept as long
   * as a node is there.
   */
  @Override
  public Optional<Store> open(DataSource connections, Options options) {
    var source = new BorrowedConnections(connections);
    if (!source.isPostgres()) return Optional.empty();
    if (!options.readOnly()) source.compare();
    return Optional.of(PostgresStore.open(source, options));
  }
}

package dev.reprise.jdbc;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import java.util.Optional;

/** Opens {@code jdbc:postgresql:} URLs, as the driver of PostgreSQL knows them. */
public final class PostgresProvider implements StoreProvider {
  private static final String PREFIX = "jdbc:postgresql:";

  @Override
  public Optional<Store> open(String url, Options options) {
    if (!url.startsWith(PREFIX)) return Optional.empty();
    var source = OwnConnections.to(url, options.readOnly());
    return Optional.of(PostgresStore.open(source, options));
  }
}

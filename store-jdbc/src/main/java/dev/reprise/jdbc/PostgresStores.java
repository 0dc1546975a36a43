package dev.reprise.jdbc;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import javax.sql.DataSource;

/** Opens PostgreSQL databases with connections that are the user's. */
public final class PostgresStores {
  private PostgresStores() {}

  /**
   * A store on a pool of connections, which must have at least two. The store borrows a connection
   * for each use and gives it back as it was, but for one that it keeps as long as a node is there.
   *
   * <p>The pool stays the user's: close it after the engine.
   */
  public static Store open(DataSource pool, Options options) {
    return PostgresStore.open(new BorrowedConnections(pool), options);
  }
}

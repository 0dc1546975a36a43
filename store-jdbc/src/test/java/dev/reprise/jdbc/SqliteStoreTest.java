package dev.reprise.jdbc;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testkit.contract.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest implements StoreContract {
  @TempDir private Path folder;
  private Store store;

  @BeforeEach
  void open() {
    store = SqliteStore.open(folder.resolve("orders.db"), new Options(true, false));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Override
  public Store store() {
    return store;
  }
}

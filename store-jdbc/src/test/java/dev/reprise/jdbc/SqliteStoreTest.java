package dev.reprise.jdbc;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testkit.contract.RateContract;
import dev.reprise.testkit.contract.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest implements StoreContract, RateContract.OfOneEngine {
  @TempDir private Path folder;
  private Store store;
  private String url;

  @BeforeEach
  void open() {
    var file = folder.resolve("orders.db");
    url = "jdbc:sqlite:" + file;
    store = SqliteStore.open(file, new Options(true, false));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public void damageEvent(long run, int index) {
    new Bits(url).ofEvent(run, index);
  }

  @Override
  public void damageInputs(long run) {
    new Bits(url).ofInputs(run);
  }

  @Override
  public void damageStart(long run) {
    new Bits(url).ofStart(run);
  }
}

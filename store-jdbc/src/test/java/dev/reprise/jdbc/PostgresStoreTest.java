package dev.reprise.jdbc;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testkit.contract.SharedStoreContract;
import dev.reprise.testpostgres.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class PostgresStoreTest implements SharedStoreContract {
  private Store store;
  private String url;

  @BeforeEach
  void open() {
    url = PostgresServer.shared().createDatabase();
    store = new PostgresProvider().open(url, new Options(true, false)).orElseThrow();
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

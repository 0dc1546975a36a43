package dev.reprise.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testkit.contract.SharedStoreContract;
import dev.reprise.testpostgres.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** On the connections of a user's pool, as few as there may be. */
class PostgresPoolTest implements SharedStoreContract {
  private HikariDataSource pool;
  private Store store;
  private String url;

  @BeforeEach
  void open() {
    var config = new HikariConfig();
    url = PostgresServer.shared().createDatabase();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(2);
    pool = new HikariDataSource(config);
    store = Reprise.open(pool, new Options(true, false));
  }

  @AfterEach
  void close() {
    store.close();
    pool.close();
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

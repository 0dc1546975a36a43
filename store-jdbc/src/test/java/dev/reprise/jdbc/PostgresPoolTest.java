package dev.reprise.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testkit.contract.SharedStoreContract;
import dev.reprise.testpostgres.PostgresServer;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * On the connections of a user's pool, as few as there may be. They find other tables of the same
 * names in their own search path; and the driver does not know the types of parameters, and so ends
 * many settings early that were sent ahead of a statement.
 */
class PostgresPoolTest implements SharedStoreContract {
  private static final List<String> NAMES =
      List.of("nodes", "workflows", "runs", "events", "inbox", "tasks", "queues", "workers");

  private HikariDataSource pool;
  private Store store;
  private String url;

  @BeforeEach
  void open() throws SQLException {
    var config = new HikariConfig();
    url = PostgresServer.shared().createDatabase();
    createDecoys();
    config.setJdbcUrl(
        url + "&options=-c%20search_path%3Dapp&stringtype=unspecified&prepareThreshold=1");
    config.setMaximumPoolSize(2);
    pool = new HikariDataSource(config);
    store = Reprise.open(pool, new Options(true, false));
  }

  private void createDecoys() throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA app");
      for (var name : NAMES) statement.execute("CREATE TABLE app.%s (it text)".formatted(name));
    }
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

package dev.reprise.verification.faults;

import dev.reprise.testpostgres.PostgresServer;
import dev.reprise.verification.chaos.Proxy;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Two PostgreSQL servers, of which one follows the other. The standby receives the log of the
 * primary through a proxy, which can hold back what was committed last.
 */
final class Replicas implements AutoCloseable {
  private Server primary;
  private Server standby;
  private final String database;

  /** A server, and the proxy by which the other one follows it. */
  private record Server(PostgresServer postgres, Proxy proxy) implements AutoCloseable {
    static Server of(PostgresServer postgres) {
      return new Server(postgres, Proxy.to(postgres.host(), postgres.port()));
    }

    @Override
    public void close() {
      proxy.close();
      postgres.close();
    }
  }

  Replicas() {
    primary = Server.of(PostgresServer.start());
    var url = primary.postgres.createDatabase();
    database = url.substring(url.lastIndexOf('/'));
    standby = Server.of(primary.postgres.standby(primary.proxy.port()));
  }

  /** Leads to whichever is the primary. */
  String url() {
    return "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d%s&targetServerType=primary"
        .formatted(primary.postgres.port(), standby.postgres.port(), database);
  }

  /** Commits wait for the standby from now on. */
  void beSynchronous() {
    primary.postgres.waitForStandby(true);
  }

  /** From now on the standby does not receive what is committed. */
  void holdBack() {
    primary.proxy.stall(true);
  }

  /** The primary is gone, and the standby becomes the primary with what it has. */
  void failOver() {
    primary.postgres.kill();
    primary.proxy.refuse(true); // what was held back is lost
    standby.postgres.promote();
    var lost = primary;
    primary = standby;
    standby = lost;
  }

  /** The server that was the primary follows the new one. */
  void followAgain() {
    standby.proxy.stall(false);
    standby.proxy.refuse(false);
    standby.postgres.follow(primary.postgres, primary.proxy.port());
  }

  void killStandby() {
    standby.postgres.kill();
  }

  void restartStandby() {
    standby.postgres.restart();
  }

  /** The first column, from the primary. */
  List<String> query(String sql) {
    var url = "jdbc:postgresql://127.0.0.1:%d%s".formatted(primary.postgres.port(), database);
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      var found = new ArrayList<String>();
      while (rows.next()) found.add(rows.getString(1));
      return found;
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  @Override
  public void close() {
    try (var one = primary;
        var other = standby) {
      one.proxy.stall(false);
      other.proxy.stall(false);
    }
  }
}

package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections that we open ourselves, by a URL. What the user has set in it stays. */
final class OwnConnections implements ConnectionSource {
  private static final String CONNECT_SECONDS = "5";

  // Longer than any statement may take: so long without an answer and the other side is gone.
  private static final String SOCKET_SECONDS = "15";

  /**
   * No sequential scans: every statement has its index, also when the table is still small. And no
   * bitmaps: by them PostgreSQL does not learn which rows are gone, and where rows come and go, as
   * in {@code inbox}, it would look at them again and again.
   */
  private static final String SETTINGS =
      """
      -c statement_timeout=10s -c lock_timeout=5s -c idle_in_transaction_session_timeout=2s \
      -c synchronous_commit=on -c default_transaction_isolation=read\\ committed \
      -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off -c plan_cache_mode=force_generic_plan\
      """;

  private final String url;
  private final Properties given;
  private final String settings;
  private final PostgresErrors errors;

  private OwnConnections(String url, Properties given, boolean readOnly) {
    this.url = url;
    this.given = given;
    this.settings = readOnly ? SETTINGS + " -c default_transaction_read_only=on" : SETTINGS;
    this.errors =
        new PostgresErrors(
            "database '%s' at %s:%s"
                .formatted(
                    PGProperty.PG_DBNAME.getOrDefault(given),
                    PGProperty.PG_HOST.getOrDefault(given),
                    PGProperty.PG_PORT.getOrDefault(given)));
  }

  static OwnConnections to(String url, boolean readOnly) {
    var given = Driver.parseURL(url, null);
    if (given == null) {
      throw new RepriseException(
          ErrorCode.R115,
          "not a PostgreSQL URL: write it as jdbc:postgresql://host:port/database?user=name");
    }
    return new OwnConnections(url, given, readOnly);
  }

  @Override
  public Session open(String role) {
    try {
      return new Session(source(role).getConnection(), errors, "", Connection::close);
    } catch (SQLException failure) {
      throw errors.meaningOf(failure);
    }
  }

  PGSimpleDataSource source(String role) throws SQLException {
    var source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setApplicationName(role);
    source.setProperty(PGProperty.OPTIONS, options());
    setUnlessGiven(source, PGProperty.CONNECT_TIMEOUT, CONNECT_SECONDS);
    setUnlessGiven(source, PGProperty.SOCKET_TIMEOUT, SOCKET_SECONDS);
    setUnlessGiven(source, PGProperty.TCP_KEEP_ALIVE, "true");
    var watchful = WatchfulSockets.name();
    if (role.equals(PostgresStore.WRITER) && watchful != null) {
      setUnlessGiven(source, PGProperty.SOCKET_FACTORY, watchful);
    }
    return source;
  }

  private String options() {
    var users = given.getProperty(PGProperty.OPTIONS.getName());
    return users == null ? settings : users + " " + settings;
  }

  private void setUnlessGiven(PGSimpleDataSource source, PGProperty property, String value)
      throws SQLException {
    if (given.getProperty(property.getName()) == null) source.setProperty(property, value);
  }

  @Override
  public boolean isKept() {
    return true;
  }

  @Override
  public String database() {
    return errors.database();
  }
}

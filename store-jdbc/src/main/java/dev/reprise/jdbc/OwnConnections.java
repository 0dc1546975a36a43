package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections that we open ourselves, by a URL. What the user has set in it stays. */
final class OwnConnections implements ConnectionSource {
  private static final String CONNECT_SECONDS = "5";

  // Longer than any statement may take: so long without an answer and the other side is gone.
  private static final String SOCKET_SECONDS = "15";

  private static final Set<String> WITH_LOCKS =
      Set.of(PostgresStore.WRITER, PostgresStore.PRESENCE);

  // One comparison counts for all other connections of a start or of a reconnect.
  private static final long COMPARED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Hosts, ports and the name of a database, and nothing that could be a password: these parts
   * appear in messages, of the driver as well.
   */
  private static final Pattern PLACE =
      Pattern.compile(
          "jdbc:postgresql:(//(HOST(:\\d+)?(,HOST(:\\d+)?)*)?/|/)?[^/?@:;&=\\s]*(\\?.*)?"
              .replace("HOST", "([\\w.%-]*|\\[[\\w.:%]*])"),
          Pattern.DOTALL);

  private final String url;
  private final Properties given;
  private final boolean readOnly;
  private final PostgresErrors errors;
  private final Abandoned abandoned = new Abandoned();
  private volatile @Nullable String schema; // else names are looked up as the user has set it
  private boolean compared;
  private long comparedAt;

  private OwnConnections(String url, Properties given, boolean readOnly) {
    this.url = url;
    this.given = given;
    this.readOnly = readOnly;
    this.errors =
        new PostgresErrors(
            "database '%s' at %s:%s"
                .formatted(
                    PGProperty.PG_DBNAME.getOrDefault(given),
                    PGProperty.PG_HOST.getOrDefault(given),
                    PGProperty.PG_PORT.getOrDefault(given)));
  }

  static OwnConnections to(String url, boolean readOnly) {
    var given = PLACE.matcher(url).matches() ? Driver.parseURL(url, null) : null;
    if (given == null) {
      throw new RepriseException(
          ErrorCode.R115,
          "not a PostgreSQL URL: write it as jdbc:postgresql://host:port/database?user=name, with"
              + " the password as another parameter or in a password file, not before the host");
    }
    return new OwnConnections(url, given, readOnly);
  }

  /** If it breaks, the next one ends its backend. */
  @Override
  public Session open(String role) {
    var backend = new AtomicReference<>(Optional.<Abandoned.Backend>empty());
    var session = connect(role, () -> backend.get().ifPresent(abandoned::add));
    try {
      compare(session, role);
      SessionSettings.of(role, readOnly, schema).apply(session, database());
      backend.set(Abandoned.of(session));
      abandoned.endAll(session);
      return session;
    } catch (RuntimeException | Error failure) {
      session.close();
      throw failure;
    }
  }

  private Session connect(String role, Runnable whenBroken) {
    try {
      return new Session(
          source(role).getConnection(),
          errors,
          "",
          (closing, isBroken) -> {
            if (isBroken) whenBroken.run();
            closing.close();
          });
    } catch (SQLException failure) {
      throw errors.meaningOf(failure);
    }
  }

  /**
   * Before anything is set: the settings of a connection that others have too would be theirs. A
   * proxy may have come since the last connection was opened, so those that are opened later are
   * compared again, and those that hold locks always are.
   */
  private synchronized void compare(Session session, String role) {
    boolean isFresh = compared && System.nanoTime() - comparedAt < COMPARED_NANOS;
    if (isFresh && !WITH_LOCKS.contains(role)) return;
    compared = false;
    PostgresOpening.checkKind(session.ask(PostgresOpening.KIND, PostgresOpening::kind), database());
    try (var second = connect("reprise-check", () -> {})) {
      Backend.compare(session, second, database());
    }
    compared = true;
    comparedAt = System.nanoTime();
  }

  PGSimpleDataSource source(String role) throws SQLException {
    var source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setApplicationName(role);
    setUnlessGiven(source, PGProperty.CONNECT_TIMEOUT, CONNECT_SECONDS);
    setUnlessGiven(source, PGProperty.SOCKET_TIMEOUT, SOCKET_SECONDS);
    setUnlessGiven(source, PGProperty.TCP_KEEP_ALIVE, "true");
    var watchful = WatchfulSockets.name();
    if (role.equals(PostgresStore.WRITER) && watchful != null) {
      setUnlessGiven(source, PGProperty.SOCKET_FACTORY, watchful);
    }
    return source;
  }

  private void setUnlessGiven(PGSimpleDataSource source, PGProperty property, String value)
      throws SQLException {
    if (given.getProperty(property.getName()) == null) source.setProperty(property, value);
  }

  @Override
  public @Nullable String searchPath() {
    var path = PGProperty.CURRENT_SCHEMA.getOrDefault(given);
    return path == null || path.isBlank() ? null : path;
  }

  @Override
  public void use(String schema) {
    this.schema = schema;
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

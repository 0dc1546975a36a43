package dev.reprise.verification.bench;

import dev.reprise.testpostgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server, and the databases that are made on it for a while.
 *
 * <p>Each case has a database of its own that is dropped after it, so that cleaning up behind one
 * case is not measured in the next.
 */
final class PostgresDatabases implements AutoCloseable {
  private static final Pattern URL = Pattern.compile("(jdbc:postgresql://[^/]*/)([^?]*)(.*)");
  private static final List<String> SETTINGS =
      List.of(
          "server_version", "fsync", "synchronous_commit", "full_page_writes", "shared_buffers");

  private final String url;
  private final @Nullable PostgresServer own;
  private final boolean ours;
  private final Set<String> created = new LinkedHashSet<>();

  private PostgresDatabases(String url, @Nullable PostgresServer own, boolean ours) {
    this.url = url;
    this.own = own;
    this.ours = ours;
  }

  /** On the server of that URL, or on one that is started for it with its files in that folder. */
  static PostgresDatabases on(@Nullable String url, Path folder) {
    if (url != null) return of(url, false);
    var server = PostgresServer.start(folder);
    return new PostgresDatabases(server.createDatabase(), server, true);
  }

  /** On a server that another process has started, perhaps for this one. */
  static PostgresDatabases of(String url, boolean ours) {
    return new PostgresDatabases(url, null, ours);
  }

  /** By which other processes come to the server. */
  String url() {
    return url;
  }

  /** Whether the server is there for the benchmark alone. */
  boolean isOurs() {
    return ours;
  }

  /** Whether databases can be made beside the one of that URL. */
  static boolean knows(String url) {
    return URL.matcher(url).matches();
  }

  Database create() throws SQLException {
    var name = "reprise_bench_" + UUID.randomUUID().toString().replace("-", "");
    execute("CREATE DATABASE " + name);
    created.add(name);
    // Statements of the benchmark name tables without their schema.
    execute("ALTER DATABASE " + name + " SET search_path = reprise, public");
    return new Database(withDatabase(name), this);
  }

  void drop(String databaseUrl) throws SQLException {
    dropByName(parts(databaseUrl).group(2));
  }

  private void dropByName(String name) throws SQLException {
    if (!created.remove(name)) return;
    execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    if (ours) execute("CHECKPOINT"); // what is left to write is not the next case's
  }

  /** The version and what it does for durability. */
  String facts() throws SQLException {
    try (var connection = connect()) {
      var values = SETTINGS.stream().map(name -> name + " " + setting(connection, name));
      return values.collect(Collectors.joining(", "));
    }
  }

  private static String setting(Connection connection, String name) {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("SHOW " + name)) {
      return rows.next() ? rows.getString(1) : "unknown";
    } catch (SQLException _) {
      return "unknown";
    }
  }

  private void execute(String sql) throws SQLException {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  private String withDatabase(String name) {
    var parts = parts(url);
    return parts.group(1) + name + parts.group(3);
  }

  private static Matcher parts(String url) {
    var parts = URL.matcher(url);
    if (parts.matches()) return parts;
    throw new IllegalArgumentException("not the URL of a PostgreSQL database: " + url);
  }

  @Override
  public void close() throws SQLException {
    if (own != null) {
      own.close();
      return;
    }
    for (var name : List.copyOf(created)) dropByName(name);
  }
}

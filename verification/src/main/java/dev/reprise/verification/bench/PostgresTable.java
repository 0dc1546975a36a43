package dev.reprise.verification.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table in a PostgreSQL database. */
final class PostgresTable implements BareTable {
  private static final String CREATE =
      """
      CREATE TABLE %s (
        run_key    bigint      NOT NULL,
        idx        int         NOT NULL,
        type       smallint    NOT NULL,
        at         timestamptz NOT NULL,
        site       text,
        attributes bytea       NOT NULL,
        value      bytea,
        PRIMARY KEY (run_key, idx)
      )
      """;

  private static final String INSERT =
      """
      INSERT INTO %s (run_key, idx, type, at, site, attributes, value)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String INSERT_ALL =
      """
      INSERT INTO %s (run_key, idx, type, at, site, attributes, value)
      SELECT run_key, idx, type, timestamptz 'epoch' + at * interval '1 microsecond',
             site, attributes, value
        FROM unnest(?::bigint[], ?::int[], ?::smallint[], ?::bigint[], ?::text[],
                    ?::bytea[], ?::bytea[])
          AS event (run_key, idx, type, at, site, attributes, value)
      """;

  private final Connection connection;
  private final boolean inOne;
  private final PreparedStatement insert;
  private final PreparedStatement insertAll;

  private PostgresTable(Connection connection, boolean inOne) throws SQLException {
    this.connection = connection;
    this.inOne = inOne;
    this.insert = connection.prepareStatement(INSERT.formatted(name(inOne)));
    this.insertAll = connection.prepareStatement(INSERT_ALL.formatted(name(inOne)));
  }

  /**
   * @param inOne whether a statement commits itself, in one round trip; else commit is another one
   */
  static PostgresTable in(String url, boolean inOne) throws SQLException {
    var connection = DriverManager.getConnection(url);
    try (var statement = connection.createStatement()) {
      statement.execute(CREATE.formatted(name(inOne)));
      connection.setAutoCommit(inOne);
      return new PostgresTable(connection, inOne);
    } catch (SQLException | RuntimeException failure) {
      connection.close();
      throw failure;
    }
  }

  private static String name(boolean inOne) {
    return inOne ? "bare_events" : "bare_events_in_two";
  }

  @Override
  public void insert(Row row) throws SQLException {
    var event = row.event();
    insert.setLong(1, row.run());
    insert.setInt(2, event.index());
    insert.setInt(3, event.type());
    insert.setObject(4, event.at().atOffset(ZoneOffset.UTC));
    insert.setString(5, event.site());
    insert.setBytes(6, event.attributes());
    insert.setBytes(7, event.value());
    insert.executeUpdate();
    if (!inOne) connection.commit();
  }

  @Override
  public void insertAll(List<Row> rows) throws SQLException {
    int count = rows.size();
    var runs = new long[count];
    var indexes = new int[count];
    var types = new short[count];
    var times = new long[count];
    @Nullable String[] sites = new String[count];
    var attributes = new byte[count][];
    byte[] @Nullable [] values = new byte[count][];
    for (int i = 0; i < count; i++) {
      var event = rows.get(i).event();
      runs[i] = rows.get(i).run();
      indexes[i] = event.index();
      types[i] = (short) event.type();
      times[i] = ChronoUnit.MICROS.between(Instant.EPOCH, event.at());
      sites[i] = event.site();
      attributes[i] = event.attributes();
      values[i] = event.value();
    }
    var columns = List.of(runs, indexes, types, times, sites, attributes, values);
    for (int i = 0; i < columns.size(); i++) insertAll.setObject(i + 1, columns.get(i));
    insertAll.executeUpdate();
    if (!inOne) connection.commit();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

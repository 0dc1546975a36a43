package dev.reprise.verification.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.engine.store.EventRow;
import dev.reprise.testpostgres.PostgresServer;
import dev.reprise.verification.bench.BareTable.Row;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The yardsticks write the rows they say, into real databases. */
class BenchTablesTest {
  private static final String STORED =
      """
      SELECT count(*), count(DISTINCT run_key), sum(idx), sum(type), count(DISTINCT at),
             sum(length(site)), sum(length(attributes)), sum(length(value))
        FROM bare_events
       WHERE run_key = %d
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "POSTGRES"})
  void a_batch_writes_the_same_as_its_rows_one_by_one(StoreKind kind) throws Exception {
    var history = history();

    try (var database = site(kind).create();
        var table = BareTable.in(database.url())) {
      for (var event : history) table.insert(new Row(1, event));
      table.insertAll(history.stream().map(event -> new Row(2, event)).toList());

      var one = query(database, STORED.formatted(1));
      assertThat(one).startsWith((long) history.size(), 1L, 12L * 13 / 2);
      assertThat(query(database, STORED.formatted(2))).isEqualTo(one);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "POSTGRES"})
  void bare_commits_write_the_rows_of_a_run_each_time(StoreKind kind) throws Exception {
    var history = history();

    try (var database = site(kind).create();
        var table = BareTable.in(database.url())) {
      var commits = new BareCommits(table, history.subList(0, 11));
      for (int i = 0; i < 3; i++) commits.run();

      assertThat(query(database, "SELECT count(*), count(DISTINCT run_key) FROM bare_events"))
          .containsExactly(33L, 3L);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "POSTGRES"})
  void the_raw_limit_writes_whole_histories_of_many_runs(StoreKind kind) throws Exception {
    var history = history();
    int batch = 20;
    int batches = 36;

    try (var database = site(kind).create();
        var table = BareTable.in(database.url())) {
      var limit = new RawLimit(table, history, batch);
      for (int i = 0; i < batches; i++) {
        assertThat(limit.measure(Duration.ZERO)).isPositive();
      }

      assertThat(query(database, "SELECT count(*) FROM bare_events"))
          .containsExactly((long) batch * batches);
      assertThat(query(database, RUNS_WITH_ALL.formatted(history.size())))
          .containsExactly(2L * batch + 2); // of three generations, the first began in the middle
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "POSTGRES"})
  void a_bare_group_commit_stores_what_its_threads_waited_for(StoreKind kind) throws Exception {
    var history = history();

    try (var database = site(kind).create();
        var table = BareTable.in(database.url())) {
      var bare = BareGroupCommit.start(table, history, 20);
      double steps = 0;
      while (steps < 20 * 10 * 3) steps += bare.measure(Duration.ofMillis(20)) * 0.02;
      bare.close();

      assertThat(query(database, GAPS)).containsExactly(0L);
      assertThat(query(database, RUNS_WITH_ALL.formatted(history.size())).getFirst())
          .isGreaterThanOrEqualTo(20L);
    }
  }

  private static final String GAPS =
      """
      SELECT count(*) FROM (
        SELECT run_key FROM bare_events GROUP BY run_key HAVING count(*) <> max(idx)) AS torn
      """;

  private static final String RUNS_WITH_ALL =
      """
      SELECT count(*) FROM (
        SELECT run_key FROM bare_events GROUP BY run_key HAVING count(*) = %d) AS whole
      """;

  @Test
  void a_database_is_dropped_after_its_case() throws Exception {
    var database = site(StoreKind.POSTGRES).create();
    assertThat(query(database, "SELECT 1")).containsExactly(1L);

    database.close();

    assertThatThrownBy(() -> query(database, "SELECT 1"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("does not exist");
  }

  private Site site(StoreKind kind) {
    var url = PostgresServer.shared().createDatabase();
    return new Site(kind, folder, PostgresDatabases.on(url, folder));
  }

  /** Of a workflow of ten steps, as a store has it. */
  private List<EventRow> history() throws Exception {
    try (var bed = new Site(StoreKind.MEMORY, folder).open()) {
      return bed.rows(bed.run(Job.SEQUENCE, 10));
    }
  }

  private static List<Long> query(Database database, String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(database.url());
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      var values = new ArrayList<Long>();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) values.add(rows.getLong(i));
      return values;
    }
  }
}

package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Check;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.doctor.Finding;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testpostgres.PostgresServer;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Damage to a database that an engine has worked on is found. Each test leaves it as it was. */
class PostgresDoctorTest {
  private static final Signal<String> GO = Signal.of("go", String.class);
  private static String url;

  /** One run that is done, one that sleeps, one that waits for a signal. */
  @BeforeAll
  static void work() {
    url = PostgresServer.shared().createDatabase();
    var engine =
        Reprise.open(url)
            .workflow("Order", String.class, String.class, PostgresDoctorTest::order)
            .start();
    try (engine) {
      engine.start("Order", "done", "").result();
      engine.start("Order", "asleep", "sleep");
      engine.start("Order", "waiting", "wait");
      TestDatabase.await(
          "it sleeps", () -> engine.history("asleep").getLast().type().equals("TimerScheduled"));
    }
  }

  private static String order(Context ctx, String wish) {
    ctx.run("charge", String.class, () -> "paid");
    if (wish.equals("sleep")) ctx.sleep(Duration.ofHours(1));
    return wish.equals("wait") ? ctx.receive(GO) : "done";
  }

  @Test
  void an_undamaged_database_is_sound() {
    try (var store = open()) {
      var examined = new Doctor(store).examine();

      assertThat(examined.findings()).isEmpty();
      assertThat(examined.runs()).isEqualTo(3);
    }
  }

  static List<Arguments> damages() {
    return List.of(
        damage(Check.INDEXES, "DELETE FROM events WHERE idx = 2 AND run_key = {done}"),
        damage(Check.ROW, "UPDATE runs SET closed_at = now() WHERE run_key = {done}"),
        damage(Check.TIMES, "UPDATE runs SET wake_at = NULL WHERE run_key = {asleep}"),
        damage(Check.UNSERVED, "UPDATE runs SET wake_at = 'epoch' WHERE run_key = {asleep}"),
        damage(Check.INPUTS, input("{done}", "Order")),
        damage(Check.UNSERVED, input("{waiting}", "Order")),
        damage(Check.ORPHANS, input("{waiting}", "Refund")),
        damage(Check.ORPHANS, input("4711", "Order")),
        damage(Check.ORPHANS, "DELETE FROM runs WHERE run_key = {done}"),
        damage(Check.ORPHANS, "DELETE FROM workflows WHERE workflow_id = 'done'"),
        damage(Check.ORPHANS, "INSERT INTO workflows VALUES ('nothing', 4711, false)"),
        damage(
            Check.ORPHANS,
            "INSERT INTO events VALUES (123456789012345, 1, 1, now(), NULL, '{}', NULL)"),
        damage(Check.ROW, "UPDATE workflows SET open = true WHERE workflow_id = 'done'"),
        damage(Check.ROW, "UPDATE workflows SET open = false WHERE workflow_id = 'asleep'"),
        damage(Check.ROW, "UPDATE runs SET status = 'CONTINUED' WHERE run_key = {done}"),
        damage(Check.ORPHANS, task("{waiting}", 4711, "READY")),
        damage(Check.ORPHANS, task("123456789012345", 2, "READY")),
        damage(Check.ROW, task("{done}", 0, "OPEN")),
        damage(Check.ROW, task("{waiting}", 0, "READY")),
        damage(Check.ROW, "UPDATE runs SET status = 'QUEUED' WHERE run_key = {waiting}"),
        damage(Check.ROW, "UPDATE runs SET placed = true WHERE run_key = {waiting}"),
        damage(Check.OWNERS, "UPDATE runs SET owner = 4711 WHERE run_key = {waiting}"),
        damage(
            Check.ONE_OPEN_RUN,
            "UPDATE runs SET workflow_id = 'asleep' WHERE run_key = {waiting}"));
  }

  private static Arguments damage(Check check, String sql) {
    return Arguments.argumentSet(check + " " + sql, check, sql);
  }

  private static String input(String run, String workflow) {
    return "INSERT INTO inbox (run_key, workflow, kind, name, message, value, accepted_at)"
        + " VALUES (%s, '%s', 'SIGNAL', 'go', 'message', '1', 'epoch')".formatted(run, workflow);
  }

  private static String task(String run, int index, String state) {
    return """
    INSERT INTO tasks (run_key, idx, queue, name, key, priority, state, scheduled_at, visible_at,
                       lease)
    VALUES (%s, %d, 'gpu', 'charge', '', 0, '%s', 'epoch', 'epoch', '30 s')
    """
        .formatted(run, index, state);
  }

  @ParameterizedTest
  @MethodSource("damages")
  void damage_is_found(Check check, String sql) throws SQLException {
    keepCopies();
    try {
      execute(sql);

      try (var store = open()) {
        assertThat(Doctor.examine(store)).extracting(Finding::check).contains(check);
      }
    } finally {
      restore();
    }
  }

  static List<Arguments> indexes() {
    return List.of(
        Arguments.of("schema_version", "schema_version_pkey", "VALUES (0)", "version + 0 = 0"),
        Arguments.of(
            "events",
            "events_pkey",
            "VALUES (4711, 1, 1, now(), NULL, '{}', NULL)",
            "run_key + 0 = 4711"),
        Arguments.of(
            "runs",
            "runs_pkey",
            """
            SELECT (jsonb_populate_record(
                     runs, jsonb_build_object('run_key', 4711, 'run_id', gen_random_uuid()))).*
              FROM runs
             LIMIT 1
            """,
            "run_key + 0 = 4711"));
  }

  /** A row that its index does not have, as after a crash of a disk that lies. */
  @ParameterizedTest
  @MethodSource("indexes")
  void a_damaged_index_is_found_by_postgresqls_own_check(
      String table, String index, String row, String isIt) throws SQLException {
    run("CREATE EXTENSION amcheck");
    try {
      switchIndex(index, false);
      run("INSERT INTO " + table + " " + row);
      switchIndex(index, true);

      try (var store = open()) {
        assertThat(Doctor.examine(store))
            .filteredOn(found -> found.check() == Check.STORAGE)
            .extracting(Finding::what)
            .singleElement()
            .asString()
            .contains("PostgreSQL's check", index)
            .doesNotContain("Hint");
      }
    } finally {
      run("DELETE FROM " + table + " WHERE " + isIt);
      run("REINDEX TABLE " + table);
      run("DROP EXTENSION amcheck");
    }
  }

  private static void switchIndex(String index, boolean on) throws SQLException {
    run(
        "UPDATE pg_index SET indisready = %s WHERE indexrelid = '%s'::regclass"
            .formatted(on, index));
  }

  private static Store open() {
    return new PostgresProvider().open(url, new Options(false, true)).orElseThrow();
  }

  private static void keepCopies() throws SQLException {
    for (var table : List.of("runs", "events", "workflows")) {
      run("CREATE TABLE IF NOT EXISTS copy_of_%s AS TABLE %s".formatted(table, table));
    }
  }

  private static void restore() throws SQLException {
    for (var table : List.of("runs", "events", "workflows")) {
      run("TRUNCATE %s; INSERT INTO %s TABLE copy_of_%s".formatted(table, table, table));
    }
    run("TRUNCATE inbox, tasks");
  }

  /** Names in braces become the keys of their runs. */
  private static void execute(String sql) throws SQLException {
    var damaging = sql;
    for (var id : List.of("done", "asleep", "waiting")) {
      var key = "(SELECT run_key FROM copy_of_workflows WHERE workflow_id = '%s')".formatted(id);
      damaging = damaging.replace("{" + id + "}", key);
    }
    assertThat(run(damaging)).as(damaging).isPositive();
  }

  private static int run(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }
}

package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.HistoryEvent;
import dev.reprise.Signal;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Check;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.doctor.Finding;
import dev.reprise.engine.store.StoreProvider.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Damage to a file that an engine has worked on is found, and only that. */
class SqliteDoctorTest {
  private static final Signal<String> GO = Signal.of("go", String.class);

  @TempDir private static Path healthyFolder;
  @TempDir private Path folder;
  private Path file;

  /** Two runs that are done, one that sleeps, one that waits for a signal. */
  @BeforeAll
  static void work() {
    try (var engine = engine(healthyFolder.resolve("healthy.db"))) {
      engine.start("Order", "done-1", "").result();
      engine.start("Order", "done-2", "").result();
      engine.start("Order", "asleep", "sleep");
      engine.start("Order", "waiting", "wait");
      TestDatabase.await("it sleeps", () -> timers(engine.history("asleep")) == 2);
    }
  }

  private static long timers(List<HistoryEvent> history) {
    return history.stream().filter(event -> event.type().equals("TimerScheduled")).count();
  }

  private static Engine engine(Path file) {
    return Reprise.open("jdbc:sqlite:" + file)
        .workflow("Order", String.class, String.class, SqliteDoctorTest::order)
        .start();
  }

  private static String order(Context ctx, String wish) {
    ctx.run("charge", String.class, () -> "paid");
    ctx.sleep(Duration.ofMillis(1));
    if (wish.equals("sleep")) ctx.sleep(Duration.ofHours(1));
    return wish.equals("wait") ? ctx.receive(GO) : "done";
  }

  @BeforeEach
  void copy() throws Exception {
    file = Files.copy(healthyFolder.resolve("healthy.db"), folder.resolve("orders.db"));
  }

  @Test
  void an_undamaged_file_is_sound() {
    assertThat(examine()).isEmpty();
  }

  static List<Arguments> damages() {
    return List.of(
        damage(Check.INDEXES, "DELETE FROM events WHERE idx = 2 AND run_key = {done-1}"),
        damage(Check.ROW, "DELETE FROM events WHERE run_key = {done-1}"),
        damage(Check.ROW, "UPDATE runs SET status = 'RUNNING' WHERE run_key = {done-1}"),
        damage(Check.ROW, "UPDATE runs SET closed_at = closed_at + 1 WHERE run_key = {done-1}"),
        damage(Check.ROW, "UPDATE runs SET started_at = 0 WHERE run_key = {done-1}"),
        damage(Check.ROW, "UPDATE runs SET workflow = 'Refund' WHERE run_key = {done-1}"),
        damage(Check.ROW, "UPDATE runs SET status = 'BLOCKED' WHERE run_key = {asleep}"),
        damage(Check.TIMES, "UPDATE runs SET wake_at = NULL WHERE run_key = {asleep}"),
        damage(Check.TIMES, "UPDATE events SET at = 0 WHERE idx = 3 AND run_key = {done-1}"),
        damage(Check.READABLE, "UPDATE events SET type = 77 WHERE idx = 2 AND run_key = {done-1}"),
        damage(
            Check.READABLE,
            "UPDATE events SET attributes = x'7b' WHERE idx = 2 AND run_key = {done-1}"),
        damage(
            Check.ACTIVITIES,
            """
            UPDATE events
               SET type = 2,
                   attributes = (SELECT attributes FROM events WHERE run_key = {done-1} AND idx = 2)
             WHERE run_key = {done-1} AND idx = 4
            """),
        damage(
            Check.ORDER,
            """
            INSERT INTO events (run_key, idx, type, at, site, attributes, value)
            SELECT run_key, idx + 1, type, at, site, attributes, value
              FROM events WHERE run_key = {done-1} ORDER BY idx DESC LIMIT 1
            """),
        damage(Check.INPUTS, input("{done-1}", "0")),
        damage(Check.UNSERVED, input("{waiting}", "0")),
        damage(Check.UNSERVED, "UPDATE runs SET wake_at = 1 WHERE run_key = {asleep}"),
        damage(Check.ROW, "UPDATE runs SET status = 'CONTINUED' WHERE run_key = {done-1}"),
        damage(Check.OWNERS, "UPDATE runs SET owner = 99 WHERE run_key = {waiting}"),
        damage(Check.ORPHANS, input("4711", "0")),
        damage(Check.ORPHANS, task("4711", 2, "READY")),
        damage(Check.ORPHANS, task("{waiting}", 77, "READY")),
        damage(Check.ROW, task("{done-1}", 0, "OPEN")),
        damage(Check.ROW, task("{waiting}", 0, "READY")),
        damage(
            Check.ROW,
            "UPDATE runs SET status = 'QUEUED', wake_at = NULL WHERE run_key = {waiting}"),
        damage(Check.ORPHANS, "INSERT INTO workflows VALUES ('nothing', 4711)"),
        damage(Check.ORPHANS, "DELETE FROM workflows WHERE workflow_id = 'done-2'"),
        damage(Check.ORPHANS, "UPDATE workflows SET run_key = {done-2} WHERE run_key = {done-1}"),
        damage(Check.ORPHANS, "DELETE FROM runs WHERE run_key = {done-1}"),
        damage(
            Check.ONE_OPEN_RUN,
            "UPDATE runs SET workflow_id = 'asleep' WHERE run_key = {waiting}"));
  }

  private static Arguments damage(Check check, String sql) {
    return Arguments.argumentSet(check + " " + sql.replaceAll("\\s+", " "), check, sql);
  }

  private static String input(String run, String acceptedAt) {
    return "INSERT INTO inbox (run_key, kind, name, message, value, accepted_at)"
        + " VALUES (%s, 'SIGNAL', 'go', 'message', x'31', %s)".formatted(run, acceptedAt);
  }

  private static String task(String run, int index, String state) {
    return "INSERT INTO tasks (run_key, idx, queue, name, key, priority, state, visible_at,"
        + " scheduled_at, lease) VALUES (%s, %d, 'gpu', 'charge', '', 0, '%s', 0, 0, 1)"
            .formatted(run, index, state);
  }

  @Test
  void a_run_that_waits_on_a_queue_is_sound() throws SQLException {
    execute(
        """
        INSERT INTO runs (run_key, run_id, workflow_id, workflow, status, started_at)
        SELECT 4711, '019a0000-0000-7000-8000-000000000000', 'queued', workflow, 'QUEUED', started_at
          FROM runs WHERE run_key = {waiting}
        """);
    execute("INSERT INTO workflows VALUES ('queued', 4711)");
    assertThat(examine()).extracting(Finding::check).containsExactly(Check.ROW);

    execute(task("4711", 0, "READY"));

    assertThat(examine()).extracting(Finding::check).containsOnly(Check.UNSERVED); // by no worker
  }

  @Test
  void activities_on_queues_and_places_of_runs_are_sound() throws SQLException {
    execute(task("{waiting}", 0, "OPEN"));
    execute(task("{waiting}", 1, "READY"));
    execute(task("{done-1}", 2, "LEASED"));

    assertThat(examine()).extracting(Finding::check).containsOnly(Check.UNSERVED); // by no worker
  }

  @ParameterizedTest
  @MethodSource("damages")
  void damage_is_found(Check check, String sql) throws SQLException {
    execute(sql);

    assertThat(examine()).extracting(Finding::check).contains(check);
  }

  @Test
  void a_finding_names_the_run() throws SQLException {
    execute("UPDATE runs SET wake_at = NULL WHERE run_key = {asleep}");

    assertThat(examine())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.isError()).isTrue();
              assertThat(found.workflowId()).isEqualTo("asleep");
              assertThat(found.toString()).startsWith("asleep (run ");
            });
  }

  @Test
  void what_is_damaged_many_times_is_listed_to_a_limit_and_counted() throws SQLException {
    execute(
        """
        WITH RECURSIVE n (i) AS (SELECT 10000 UNION ALL SELECT i + 1 FROM n WHERE i < 11199)
        INSERT INTO runs (run_key, run_id, workflow_id, workflow, status, started_at, closed_at)
        SELECT i, run_id, 'copy-' || i, workflow, status, started_at, closed_at
          FROM n, runs WHERE run_key = {done-1}
        """);

    try (var store = SqliteStore.open(file, new Options(false, true))) {
      var examined = new Doctor(store).examine();

      assertThat(examined.runs()).isEqualTo(1_204);
      assertThat(examined.findings()).hasSize(1_000);
      assertThat(examined.errors()).isEqualTo(1_200 + 200);
    }
  }

  private List<Finding> examine() {
    try (var store = SqliteStore.open(file, new Options(false, true))) {
      return Doctor.examine(store);
    }
  }

  /** Names in braces become the keys of their runs. */
  private void execute(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      for (var id : List.of("done-1", "done-2", "asleep", "waiting")) {
        var key = "(SELECT run_key FROM workflows WHERE workflow_id = '%s')".formatted(id);
        sql = sql.replace("{" + id + "}", key);
      }
      assertThat(statement.executeUpdate(sql)).as(sql).isPositive();
    }
  }
}

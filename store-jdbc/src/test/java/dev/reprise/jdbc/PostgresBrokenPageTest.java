package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.WorkflowBlocked;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Check;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.doctor.Examination;
import dev.reprise.engine.doctor.Finding;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testpostgres.PostgresServer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A bit flips on the disk below PostgreSQL, whose checksums of pages notice it: those runs stop
 * whose events lie there, and no others.
 */
class PostgresBrokenPageTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Signal<String> GO = Signal.of("go", String.class);
  private static final int PAGE = 8192;
  private static final int STEPS = 120; // more than a page of events
  private static final int MORE = 200; // runs, so that their rows are on several pages
  private static final List<String> NEIGHBOURS = List.of("a", "b", "c", "d", "e");

  private PostgresServer server;
  private TestDatabase database;

  /** Runs that wait; the last events of "long" share a page with the first of "longer". */
  @BeforeEach
  void work() {
    server = PostgresServer.start();
    database = new TestDatabase(server.createDatabase());
    try (var engine = engine()) {
      for (var id : NEIGHBOURS) begin(engine, id, 1);
      begin(engine, "long", STEPS);
      begin(engine, "longer", STEPS);
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void begin(Engine engine, String id, int steps) {
    engine.start("Order", id, steps);
    TestDatabase.await("it waits", () -> engine.history(id).size() == steps + 1);
  }

  private Engine engine() {
    return Reprise.open(database.url())
        .workflow("Order", Integer.class, String.class, PostgresBrokenPageTest::order)
        .start();
  }

  private static String order(Context ctx, int steps) {
    for (int i = 0; i < steps; i++) ctx.run("step", String.class, () -> "x".repeat(100));
    return ctx.receive(GO);
  }

  /** After a checkpoint, so that the server does not write the page once more when it starts. */
  private void flipBit(String table, String page) throws Exception {
    assertThat(database.query("SHOW data_checksums")).containsExactly("on");
    var offset = database.query(page);
    var file =
        database.query(
            "SELECT current_setting('data_directory') || '/' || pg_relation_filepath('%s')"
                .formatted(table));
    database.query("SELECT count(*) FROM " + table); // and what it remembers of rows
    database.execute("CHECKPOINT");
    server.kill();
    flipBit(file.getFirst(), Long.parseLong(offset.getFirst()) * PAGE + PAGE / 2);
    server.restart();
  }

  private static void flipBit(String file, long position) throws IOException {
    try (var data = new RandomAccessFile(file, "rw")) {
      data.seek(position);
      int before = data.read();
      data.seek(position);
      data.write(before ^ 1);
    }
  }

  private void breakLastEventOfLong() throws Exception {
    flipBit(
        "events",
        """
        SELECT (events.ctid::text::point)[0]::int
          FROM events JOIN runs USING (run_key)
         WHERE workflow_id = 'long'
         ORDER BY idx DESC
         LIMIT 1
        """);
  }

  @Test
  void the_runs_on_it_are_blocked_and_all_others_go_on() throws Exception {
    try (var client = Reprise.open(database.url()).visit()) {
      for (var id : NEIGHBOURS) client.signal(id, GO, "now");
      client.signal("long", GO, "now");
      client.signal("longer", GO, "now");
    }
    breakLastEventOfLong();

    try (var engine = engine()) {
      for (var id : NEIGHBOURS) {
        assertThat(engine.handle(id, String.class).result(LIMIT)).isEqualTo("now");
      }
      for (var id : List.of("long", "longer")) {
        assertThatThrownBy(() -> engine.handle(id, String.class).result(LIMIT))
            .isInstanceOf(WorkflowBlocked.class)
            .hasMessageContaining("R145")
            .hasMessageContaining("invalid page");
        assertThat(engine.describe(id).status()).isEqualTo(Status.BLOCKED);
      }
      assertThatThrownBy(() -> engine.history("long"))
          .isInstanceOfSatisfying(
              RepriseException.class,
              damaged -> {
                assertThat(damaged.code()).isEqualTo(ErrorCode.R145);
                assertThat(damaged.isRetryable()).isFalse();
              });
      assertThat(engine.start("Order", "new", 1)).isNotNull();
    }
  }

  @Test
  void the_doctor_names_the_runs_on_it_and_examines_all_others() throws Exception {
    breakLastEventOfLong();

    var examined = examine();

    assertThat(examined.runs()).isEqualTo(NEIGHBOURS.size());
    assertThat(examined.findings()).allMatch(found -> found.check() == Check.STORAGE);
    assertThat(examined.findings()).extracting(Finding::workflowId).contains("long", "longer");
    assertThat(examined.findings())
        .extracting(Finding::what)
        .anyMatch(what -> what.startsWith("PostgreSQL cannot read: ") && what.contains("page"));
  }

  @Test
  void the_doctor_finds_out_which_rows_of_runs_lie_on_it() throws Exception {
    try (var engine = engine()) {
      for (int i = 0; i < MORE; i++) engine.start("Order", "more-" + i, 0);
    }
    int all = NEIGHBOURS.size() + 2 + MORE;
    flipBit(
        "runs",
        """
        SELECT (ctid::text::point)[0]::int AS page
          FROM runs
         GROUP BY page
        HAVING max(run_key) < (SELECT max(run_key) FROM runs)
         LIMIT 1
        """);

    var examined = examine();

    var unread =
        examined.findings().stream()
            .filter(found -> found.what().matches("run \\d+ cannot be read: .*invalid page.*"))
            .count();
    assertThat(unread).isPositive();
    assertThat(examined.runs()).isEqualTo(all - unread).isPositive();
  }

  private Examination examine() {
    try (var store = Reprise.open(database.url(), new Options(false, true))) {
      return new Doctor(store).examine();
    }
  }
}

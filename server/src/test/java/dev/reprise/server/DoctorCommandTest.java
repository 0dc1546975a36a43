package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.doctor.Doctor.Progress;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class DoctorCommandTest {
  @TempDir Path folder;

  @Test
  void a_sound_database_ends_with_nothing_found() {
    var file = Databases.withTwoGreetings(folder);

    var doctor = ConsoleRun.of("doctor", "--db", file.toString());

    assertThat(doctor.exitCode()).isZero();
    assertThat(doctor.err()).isEmpty();
    assertThat(doctor.lines()).hasSize(2).last().isEqualTo("nothing found");
    assertThat(doctor.lines().getFirst())
        .matches("Looked at 2 runs, 1\\d events, 0 waiting inputs and 0 nodes in .*s\\.");
  }

  @Test
  void errors_are_listed_and_counted_and_the_exit_code_says_so() throws SQLException {
    var file = Databases.withTwoGreetings(folder);
    execute(file, "DELETE FROM events WHERE type = 2");
    execute(file, "UPDATE runs SET workflow_id = 'greet' || char(27) || '-ada' WHERE run_key = 1");

    var doctor = ConsoleRun.of("doctor", "--db", file.toString());

    assertThat(doctor.exitCode()).isEqualTo(1);
    assertThat(doctor.lines())
        .anyMatch(
            line ->
                line.matches("error    indexes +greet-nobody \\(run 2\\): event #3 follows #1"));
    assertThat(doctor.lines()).last().asString().matches("\\d findings");
    assertThat(doctor.out()).doesNotContain("\u001b");
  }

  @Test
  void a_warning_alone_is_no_failure() throws SQLException {
    var file = Databases.withTwoGreetings(folder);
    execute(file, "DELETE FROM events WHERE type = 11");
    execute(
        file,
        "UPDATE runs SET status = 'RUNNING', closed_at = NULL, wake_at = 1 WHERE run_key = 1");

    var doctor = ConsoleRun.of("doctor", "--db", file.toString());

    assertThat(doctor.exitCode()).isZero();
    assertThat(doctor.lines())
        .anyMatch(
            line -> line.matches("warning  unserved +1 run of Greeting .*no engine serves it.*"))
        .last()
        .isEqualTo("1 finding");
  }

  @Test
  void a_report_for_programs_is_json() throws SQLException {
    var file = Databases.withTwoGreetings(folder);
    execute(file, "UPDATE runs SET closed_at = 0 WHERE run_key = 1");

    var doctor = ConsoleRun.of("doctor", "--db", file.toString(), "--json");

    var report = JsonMapper.shared().readTree(doctor.out());
    assertThat(doctor.exitCode()).isEqualTo(1);
    assertThat(report.path("runs").asInt()).isEqualTo(2);
    assertThat(report.path("errors").asInt()).isEqualTo(1);
    assertThat(report.path("findings").get(0).path("check").asString()).isEqualTo("row");
    assertThat(report.path("findings").get(0).path("severity").asString()).isEqualTo("ERROR");
    assertThat(report.path("findings").get(0).path("workflowId").asString()).isEqualTo("greet-ada");
  }

  @Test
  void only_the_newest_runs_are_checked_if_wished() throws SQLException {
    var file = Databases.withTwoGreetings(folder);
    execute(file, "UPDATE runs SET closed_at = 0 WHERE run_key = 1");

    var doctor = ConsoleRun.of("doctor", "--db", file.toString(), "--runs", "1");

    assertThat(doctor.exitCode()).isZero();
    assertThat(doctor.lines().getFirst()).startsWith("Looked at 1 run, ");
  }

  @Test
  void a_database_can_be_checked_beside_a_running_engine() {
    var file = folder.resolve("busy.db");
    try (var engine = Databases.engine(file)) {
      engine.start(Greeting.class, "greet-grace", "Grace").result();

      var doctor = ConsoleRun.of("doctor", "--db", file.toString());

      assertThat(doctor.exitCode()).isZero();
      assertThat(doctor.lines().getFirst()).contains("1 run,", "and 1 node in");
    }
  }

  @Test
  void progress_is_told_in_one_line() {
    assertThat(ProgressLine.text(new Progress(1_200, 40_000, 13_000, 0)))
        .isEqualTo("looked at 1,200 of at most 40,000 runs, 13,000 events");
  }

  @Test
  void no_runs_at_all_are_an_error_of_use() {
    var doctor = ConsoleRun.of("doctor", "--db", "any.db", "--runs", "0");

    assertThat(doctor.exitCode()).isEqualTo(2);
    assertThat(doctor.err()).contains("--runs", "reprise doctor --help");
  }

  @Test
  void a_missing_file_is_an_error() {
    var doctor = ConsoleRun.of("doctor", "--db", folder.resolve("missing.db").toString());

    assertThat(doctor.exitCode()).isEqualTo(1);
    assertThat(doctor.err()).startsWith("reprise: R115");
  }

  private static void execute(Path file, String sql) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isPositive();
    }
  }
}

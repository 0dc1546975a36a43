package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Handle;
import dev.reprise.Status;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowCancelled;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.math.BigDecimal;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Commands that send something to a workflow in a file that no engine has, until one comes. */
class SendingTest {
  private static final String ALICE = "{\"by\":\"alice\",\"amount\":12345678901234567890.10}";

  @TempDir Path folder;
  private String database = "";

  @BeforeEach
  void start() {
    database = folder.resolve("approvals.db").toString();
    try (var engine = engine()) {
      engine.start(Approval.class, "trip-7", "trip");
    }
  }

  private Engine engine() {
    return engine(new Approval(true));
  }

  private Engine engine(Approval workflow) {
    return Reprise.open("jdbc:sqlite:" + database).workflow(workflow).start();
  }

  private ConsoleRun run(String command, String... arguments) {
    var all = new String[arguments.length + 3];
    all[0] = command;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--db";
    all[arguments.length + 2] = database;
    return ConsoleRun.of(all);
  }

  private static Handle<String> handle(Engine engine) {
    return engine.handle(Approval.class, "trip-7");
  }

  @Test
  void a_signal_arrives_as_it_was_typed() {
    var signal = run("signal", "trip-7", "decision", ALICE);

    assertThat(signal.err()).isEmpty();
    assertThat(signal.exitCode()).isZero();
    assertThat(signal.lines()).containsExactly("trip-7: has the signal 'decision'");
    try (var engine = engine()) {
      assertThat(handle(engine).result()).isEqualTo("trip by alice for 12345678901234567890.10");
    }
  }

  @Test
  void a_signal_with_an_id_arrives_once_however_often_it_is_sent() {
    run("signal", "trip-7", "decision", ALICE, "--id", "form-12");
    var again = run("signal", "trip-7", "decision", ALICE, "--id", "form-12");

    assertThat(again.exitCode()).isZero();
    try (var engine = engine()) {
      assertThat(handle(engine).result()).doesNotContain("twice");
    }
  }

  @Test
  void a_cancel_has_its_reason() {
    var cancel = run("cancel", "trip-7", "--reason", "not this year");

    assertThat(cancel.lines()).containsExactly("trip-7: asked to end");
    try (var engine = engine()) {
      assertThatThrownBy(() -> handle(engine).result())
          .isInstanceOf(WorkflowCancelled.class)
          .hasMessageContaining("not this year");
    }
  }

  @Test
  void a_blocked_workflow_goes_on_after_it_was_resumed() {
    try (var engine = engine(new Approval(false))) {
      var blocked = engine.start(Approval.class, "trip-8", "mistake");
      assertThatThrownBy(blocked::result).isInstanceOf(WorkflowBlocked.class);
    }

    var resume = run("resume", "trip-8", "--json");

    var json = JsonMapper.shared().readTree(resume.out());
    assertThat(json.path("status").asString()).isEqualTo("RUNNING");
    assertThat(json.path("blockedBy").isNull()).isTrue();
    try (var engine = engine()) {
      engine.signal("trip-8", Approval.DECISION, new Approval.Decision("bob", BigDecimal.ONE));
      assertThat(engine.handle(Approval.class, "trip-8").result())
          .isEqualTo("mistake by bob for 1");
    }
  }

  @Test
  void beside_an_engine_that_has_the_file_nothing_is_sent() {
    try (var engine = engine()) {
      var cancel = run("cancel", "trip-7", "--reason", "x");

      assertThat(cancel.exitCode()).isEqualTo(1);
      assertThat(cancel.err()).startsWith("reprise: R117 an engine has").contains("PostgreSQL");
      assertThat(handle(engine).status()).isEqualTo(Status.RUNNING);
    }
  }

  @Test
  void an_unknown_workflow_is_R113() {
    assertThat(run("signal", "trip-9", "decision").err()).startsWith("reprise: R113");
    assertThat(run("cancel", "trip-9", "--reason", "x").err()).startsWith("reprise: R113");
    assertThat(run("resume", "trip-9").exitCode()).isEqualTo(1);
    assertThat(run("describe", "trip-9").err()).startsWith("reprise: R113");
  }

  @Test
  void a_closed_workflow_takes_nothing() {
    run("signal", "trip-7", "decision", ALICE);
    try (var engine = engine()) {
      assertThat(handle(engine).result()).startsWith("trip by alice");
    }

    var late = run("signal", "trip-7", "decision", ALICE);

    assertThat(late.exitCode()).isEqualTo(1);
    assertThat(late.err()).startsWith("reprise: R114");
  }

  @Test
  void what_is_not_json_is_an_error_of_use_and_is_not_sent() {
    var signal = run("signal", "trip-7", "decision", "alice");

    assertThat(signal.exitCode()).isEqualTo(2);
    assertThat(signal.err()).contains("JSON", "'alice' is not JSON", "reprise signal --help");
    assertThat(run("signal", "trip-7", "decision", "{} {}").exitCode()).isEqualTo(2);
    assertThat(run("signal", "trip-7", "decision", " ").exitCode()).isEqualTo(2);
    assertThat(run("signal", "trip-7", " ").exitCode()).isEqualTo(2);
    try (var engine = engine()) {
      assertThat(engine.history("trip-7")).hasSize(1);
    }
  }

  @Test
  void a_reason_must_be_given() {
    assertThat(run("cancel", "trip-7").exitCode()).isEqualTo(2);
    assertThat(run("terminate", "trip-7").err()).contains("--reason");
  }

  @Test
  void a_fork_needs_an_event_to_fork_at() {
    assertThat(run("fork", "trip-7").err()).contains("--at");
    assertThat(run("fork", "trip-7", "--at", "0").err()).contains("not above 0");
    assertThat(run("fork", "trip-7", "--at", "1", "--result", "pay:1=x").err())
        .contains("'x' is not JSON");
  }

  @Test
  void nobody_would_answer_an_update_in_a_file() {
    var update = run("update", "trip-7", "limit", "7");

    assertThat(update.exitCode()).isEqualTo(1);
    assertThat(update.err()).startsWith("reprise: R120").contains("client of the engine");
  }

  @Test
  void a_missing_file_is_not_created() {
    database = folder.resolve("missing.db").toString();

    var cancel = run("cancel", "trip-7", "--reason", "x");

    assertThat(cancel.exitCode()).isEqualTo(1);
    assertThat(cancel.err()).startsWith("reprise: R115");
    assertThat(folder.resolve("missing.db")).doesNotExist();
  }

  @Test
  void a_visit_leaves_runs_to_the_engine_that_comes() {
    run("cancel", "trip-7", "--reason", "x");

    assertThat(run("nodes").lines()).containsExactly("There are no engines now.");
    assertThat(run("doctor").lines()).last().isEqualTo("nothing found");
  }
}

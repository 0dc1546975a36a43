package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.FailureInfo;
import dev.reprise.RunDescription;
import dev.reprise.Status;
import dev.reprise.Waiting;
import dev.reprise.engine.Reprise;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class DescribeCommandTest {
  @TempDir Path folder;

  @Test
  void a_workflow_that_sleeps_says_until_when_also_beside_its_engine() {
    var file = folder.resolve("busy.db");
    try (var engine = Databases.engine(file)) {
      engine.start(Greeting.class, "greet-late", "late");
      Await.until("it sleeps", () -> engine.history("greet-late").size() == 5);
      var host = engine.nodes().getFirst().host();

      var text = ConsoleRun.of("describe", "greet-late", "--db", file.toString());

      assertThat(text.exitCode()).isZero();
      assertThat(text.lines().getFirst()).startsWith("greet-late, a Greeting: RUNNING, started ");
      assertThat(text.lines().get(1)).matches("Run: +[0-9a-f-]{36}");
      assertThat(text.lines().get(2)).isEqualTo("Owner:      " + host + " (alive)");
      assertThat(text.lines()).contains("Waits for");
      assertThat(text.out()).containsPattern("  timer sleep:2, due .*, at Greeting.java:\\d+\\R");
      assertThat(text.lines().getLast()).matches("5 +.* TimerScheduled +sleep:2 .*");
    }
  }

  @Test
  void a_wait_for_a_signal_is_shown_and_found_without_an_engine() {
    var file = folder.resolve("approvals.db").toString();
    try (var engine =
        Reprise.open("jdbc:sqlite:" + file)
            .workflow(new Approval(true))
            .workflow(new Greeting())
            .start()) {
      engine.start(Approval.class, "order-7", "shoes");
      engine.start(Greeting.class, "greet-late", "late");
      Await.until("both wait", () -> engine.count("waitsFor in (signal, timer)") == 2);
    }

    var text = ConsoleRun.of("describe", "order-7", "--db", file);
    var list = ConsoleRun.of("list", "--where", "waitsFor = signal", "--db", file);

    assertThat(text.lines())
        .contains("Waits for")
        .anyMatch(line -> line.startsWith("  signal or an update, or a condition"));
    assertThat(list.lines()).hasSize(2).last().asString().startsWith("order-7 ");
    assertThat(ConsoleRun.of("list", "--where", "waitsFor = timer", "--db", file).lines())
        .hasSize(2)
        .last()
        .asString()
        .startsWith("greet-late ");
  }

  @Test
  void only_so_many_events_are_shown_as_are_wanted() {
    var file = Databases.withTwoGreetings(folder).toString();

    var one = ConsoleRun.of("describe", "greet-ada", "--events", "1", "--db", file);
    var none = ConsoleRun.of("describe", "greet-ada", "--events", "0", "--db", file);

    assertThat(one.lines()).hasSize(5).last().asString().contains("WorkflowCompleted");
    assertThat(none.lines()).hasSize(2);
    assertThat(ConsoleRun.of("describe", "greet-ada", "--events", "-1", "--db", file).exitCode())
        .isEqualTo(2);
  }

  @Test
  void a_description_for_programs_is_json() {
    var file = Databases.withTwoGreetings(folder).toString();

    var json =
        JsonMapper.shared()
            .readTree(ConsoleRun.of("describe", "greet-nobody", "--json", "--db", file).out());

    assertThat(json.path("workflowId").asString()).isEqualTo("greet-nobody");
    assertThat(json.path("status").asString()).isEqualTo("FAILED");
    assertThat(json.path("waitingFor").isEmpty()).isTrue();
    assertThat(json.path("lastEvents").size()).isEqualTo(7);
    assertThat(json.path("lastEvents").get(0).path("type").asString()).isEqualTo("WorkflowStarted");
    assertThat(json.path("lastEvents").get(0).path("arguments").isArray()).isTrue();
  }

  @Test
  void an_activity_on_a_queue_is_called_one_once_and_has_local_times() {
    var out = new StringWriter();
    var waiting =
        new Waiting(
                Waiting.Kind.ACTIVITY,
                "Labels.print:1",
                "activity Labels.print on queue 'warehouse'",
                null,
                Instant.parse("2026-03-01T12:00:09Z"),
                1,
                null)
            .withNote("with worker vm/16939, heartbeat 4 at 2026-03-01T12:00:07.670237Z");
    var run =
        new RunDescription(
            "order-7",
            UUID.fromString("019a8e2c-31f7-7c6e-8d1b-5f2a90c4e7aa"),
            "OrderProcess",
            Status.RUNNING,
            Instant.parse("2026-03-01T12:00:00Z"),
            null,
            null,
            null,
            null,
            Map.of(),
            List.of(waiting));

    new Description(run, List.of(), ZoneOffset.ofHours(2)).print(new PrintWriter(out, true), null);

    assertThat(out.toString().lines())
        .contains(
            "order-7, an OrderProcess: RUNNING, started 2026-03-01 14:00:00",
            "  activity Labels.print on queue 'warehouse', with worker vm/16939, heartbeat 4 at"
                + " 2026-03-01 14:00:07, due 2026-03-01 14:00:09");
  }

  @Test
  void everything_that_is_known_is_shown() {
    var out = new StringWriter();
    var waiting =
        new Waiting(
            Waiting.Kind.ACTIVITY,
            "charge:1",
            "charge:1",
            "Checkout.java:33",
            Instant.parse("2026-03-01T12:00:09Z"),
            3,
            new FailureInfo("java.io.IOException", "reset", null, null, null));
    var run =
        new RunDescription(
            "order-7",
            UUID.fromString("019a8e2c-31f7-7c6e-8d1b-5f2a90c4e7aa"),
            "Checkout",
            Status.BLOCKED,
            Instant.parse("2026-03-01T12:00:00Z"),
            null,
            "R101 another path",
            null,
            "basket-3",
            Map.of("total", 30L, "customer", "c-7"),
            List.of(waiting));

    new Description(run, List.of(), ZoneOffset.UTC).print(new PrintWriter(out, true), null);

    assertThat(out.toString().lines())
        .containsExactly(
            "order-7, a Checkout: BLOCKED, started 2026-03-01 12:00:00",
            "Run:        019a8e2c-31f7-7c6e-8d1b-5f2a90c4e7aa",
            "Parent:     basket-3",
            "Attributes: customer = c-7, total = 30",
            "",
            "Waits for",
            "  activity charge:1, attempt 3, due 2026-03-01 12:00:09, at Checkout.java:33, after"
                + " java.io.IOException: reset",
            "",
            "Blocked: R101 another path");
  }
}

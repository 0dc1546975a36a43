package dev.reprise.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ActivityFailed;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.WorkflowFailed;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the log says of runs that go wrong, and where their stack traces lead. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LogTest {
  private static final String RUNS = "dev.reprise.engine.node.RunLog";
  private static final String NODE = "dev.reprise.engine.node.Node";
  private static final String ENGINE = "dev.reprise.engine.node.Incarnations";
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final RetryPolicy THREE = RetryPolicy.fixed(Duration.ofMillis(1), 3);

  @RegisterExtension private final World world = new World(StoreKind.SQLITE).onSystemTime();

  private static void charge() {
    throw new IllegalStateException("card declined");
  }

  private void open(Workflow<String, String> code) {
    world.open(r -> r.retry(THREE).workflow("code", String.class, String.class, code));
  }

  @Test
  void an_activity_that_fails_is_mentioned_at_its_first_retry_and_at_its_end_and_the_run_once() {
    try (var log = new LogLines(RUNS)) {
      open(
          (ctx, _) -> {
            ctx.run("charge", LogTest::charge);
            return "";
          });
      var run = world.engine().start("code", "w", "secret input");
      assertThatThrownBy(() -> World.result(run)).isInstanceOf(WorkflowFailed.class);

      Await.until("the line of the run", () -> log.with("workflow 'w' (code) failed").size() == 1);
      assertThat(log.with("WARN"))
          .satisfiesExactly(
              line ->
                  assertThat(line)
                      .contains("attempt 1 of activity charge:1", "card declined", "run.id="),
              line ->
                  assertThat(line)
                      .contains(
                          "activity charge:1 of workflow 'w' failed for good, after 3 attempts",
                          "activity.id=charge:1",
                          "workflow.id=w"),
              line -> assertThat(line).contains("failed: dev.reprise.ActivityFailed"));
      assertThat(log.with("LogTest.java")).as("the user's line").isNotEmpty();
      assertThat(log.with("secret")).isEmpty();
    }
  }

  @Test
  void nothing_is_said_again_when_the_code_follows_its_history() {
    try (var log = new LogLines(RUNS)) {
      Workflow<String, String> code =
          (ctx, _) -> {
            try {
              ctx.run("charge", LogTest::charge);
            } catch (ActivityFailed failed) {
              return ctx.receive(WORD);
            }
            return "";
          };
      open(code);
      var run = world.engine().start("code", "w", "");
      world.settle(run);
      int before = log.all().size();
      assertThat(before).isPositive();
      world.crash();

      open(code);
      world.engine().signal("w", WORD, "done");

      assertThat(World.result(world.engine(), "w")).isEqualTo("done");
      assertThat(log.all()).hasSize(before);
    }
  }

  @Test
  void a_run_that_is_blocked_needs_a_person() {
    try (var log = new LogLines(RUNS)) {
      open(
          (ctx, _) -> {
            throw new AssertionError("odd");
          });
      world.engine().start("code", "w", "");
      World.awaitStatus(world.engine(), "w", Status.BLOCKED);

      assertThat(log.with("ERROR"))
          .singleElement()
          .asString()
          .contains("workflow 'w' (code) is blocked", "odd", "workflow.id=w", "run.id=");
    }
  }

  @Test
  void an_engine_says_that_it_has_started_and_with_what() {
    try (var log = new LogLines(ENGINE)) {
      world.open(
          r -> r.workflow("code", String.class, String.class, (_, _) -> "").worker("pdf", 1));

      assertThat(log.with("INFO"))
          .singleElement()
          .asString()
          .contains("engine started", "node=", "workflows [code]", "queues [pdf]");
    }
  }

  @Test
  void an_engine_that_a_test_crashes_is_no_news() {
    try (var log = new LogLines(NODE)) {
      open((ctx, _) -> ctx.receive(WORD));
      var run = world.engine().start("code", "w", "");
      world.settle(run);
      world.crash();
      var engine = world.engine();
      assertThatThrownBy(() -> engine.signal("w", WORD, "lost"))
          .isInstanceOf(RuntimeException.class);

      Await.until("the end of the node", () -> !log.with("this node has ended").isEmpty());
      assertThat(log.with("ERROR")).isEmpty();
    }
  }

  // ---- stack traces -----------------------------------------------------------------------------

  private static List<String> trace(Throwable thrown) {
    var text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text, true));
    return text.toString().lines().toList();
  }

  @Test
  void the_stack_of_a_failed_workflow_leads_to_the_lines_of_the_user() {
    open((ctx, _) -> ctx.run("charge", String.class, () -> broken("x")));
    var run = world.engine().start("code", "w", "");

    var failed = catchThrowableOfType(WorkflowFailed.class, () -> World.result(run));

    assertThat(trace(failed))
        .as("the line of the workflow, then that of the activity")
        .anyMatch(line -> line.contains("at dev.reprise.verification.behaviour.LogTest.broken("))
        .anyMatch(
            line ->
                line.matches(
                    "\\tat .*LogTest\\.lambda\\$the_stack_of_a_failed_workflow.*LogTest.java.*"));
    assertThat(failed.failure().stackTrace())
        .as("the call that threw, although it was the engine that did")
        .contains("LogTest.java");
  }

  private static String broken(String text) {
    throw new IllegalArgumentException(text);
  }

  @Test
  void what_workflow_code_catches_shows_the_activity_too() {
    var seen = new ArrayList<List<String>>();
    open(
        (ctx, _) -> {
          try {
            ctx.run("charge", LogTest::charge);
          } catch (ActivityFailed failed) {
            seen.add(trace(failed));
          }
          return "done";
        });
    var run = world.engine().start("code", "w", "");

    assertThat(World.result(run)).isEqualTo("done");
    assertThat(seen.getFirst()).anyMatch(line -> line.contains("LogTest.charge("));
  }
}

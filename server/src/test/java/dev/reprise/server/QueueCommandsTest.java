package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityContext;
import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.StartOptions;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Commands about queues, on a file with work on them. */
class QueueCommandsTest {
  @TempDir Path folder;
  private volatile String token = "";

  /** Asks somebody. */
  public interface People {
    Answer ask(String question);
  }

  /** What somebody says. */
  public record Answer(String text) {}

  /** Waits for an answer. */
  static final class Asking implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String question) {
      var options =
          ActivityOptions.onQueue("people").retry(RetryPolicy.fixed(Duration.ofMillis(1), 2));
      try {
        return ctx.activities(People.class, options).ask(question).text();
      } catch (ActivityFailed failed) {
        return failed.attempts() + " times: " + failed.failureMessage();
      }
    }
  }

  private Path file() {
    return folder.resolve("people.db");
  }

  private Engine engine(boolean serves) {
    People people =
        _ -> {
          token = ActivityContext.current().completeLater();
          return new Answer("ignored");
        };
    var reprise = Reprise.open("jdbc:sqlite:" + file()).workflow(new Asking()).activities(people);
    return (serves ? reprise.worker("people", 3) : reprise).start();
  }

  private ConsoleRun run(String... arguments) {
    var all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--db";
    all[arguments.length + 1] = file().toString();
    return ConsoleRun.of(all);
  }

  /** Starts a workflow and leaves its activity open. */
  private void ask() {
    try (var engine = engine(true)) {
      engine.start(Asking.class, "ask-7", "why");
      Await.until("the question", () -> engine.queue("people").external() == 1);
    }
  }

  private String result() {
    try (var engine = engine(true)) {
      return engine.handle(Asking.class, "ask-7").result();
    }
  }

  @Test
  void an_activity_is_completed_once_with_what_was_typed() {
    ask();

    var first = run("complete", token, "{\"text\":\"because\"}");
    var second = run("complete", token, "{\"text\":\"because\"}");

    assertThat(first.err()).isEmpty();
    assertThat(first.lines()).containsExactly("completed");
    assertThat(second.exitCode()).isZero();
    assertThat(second.lines()).containsExactly("has ended before: nothing has changed");
    assertThat(result()).isEqualTo("because");
  }

  @Test
  void a_completion_for_programs_is_json() {
    ask();

    var json = run("complete", token, "{\"text\":\"because\"}", "--json").out();

    assertThat(JsonMapper.shared().readTree(json).path("completion").asString())
        .isEqualTo("ACCEPTED");
  }

  @Test
  void an_activity_is_failed_for_good_or_tried_again() {
    ask();

    assertThat(run("fail", token, "no idea").lines()).containsExactly("failed");
    var first = token;
    try (var engine = engine(true)) {
      Await.until(
          "the second attempt",
          () -> !token.equals(first) && engine.queue("people").external() == 1);
    }
    assertThat(run("complete", first).err()).startsWith("reprise: R134");
    assertThat(run("fail", token, "never", "--terminal").lines()).containsExactly("failed");

    assertThat(result()).isEqualTo("2 times: never");
  }

  @Test
  void a_wrong_token_or_value_changes_nothing() {
    ask();

    assertThat(run("complete", "task-7").err()).startsWith("reprise: R133");
    assertThat(run("complete", token, "because").err()).contains("'because' is not JSON");
    assertThat(run("complete", token, "[7]").err()).startsWith("reprise: R136");
    assertThat(run("fail", token).exitCode()).isEqualTo(2);

    assertThat(run("queue", "people").lines()).contains("External:   1");
  }

  @Test
  void a_queue_has_its_workers_as_long_as_they_are_there() {
    try (var engine = engine(true)) {
      engine.start(Asking.class, "ask-7", "why");
      Await.until("the question", () -> engine.queue("people").external() == 1);

      assertThat(run("queues").lines().getLast()).matches("people +0 +0 +0 +1 +none +1, 3 at once");
      assertThat(run("queue", "people").lines().getLast()).matches("\\S+/\\d+ +3 +.* ago");
      assertThat(run("describe", "ask-7").lines())
          .anySatisfy(line -> assertThat(line).contains("waits to be completed from outside"));
    }

    assertThat(run("queues").lines().getLast()).endsWith("nobody serves it");
  }

  @Test
  void an_activity_that_nobody_takes_says_so() {
    try (var engine = engine(false)) {
      engine.start(Asking.class, "ask-7", "why");
      Await.until("the task", () -> engine.queue("people").ready() == 1);
    }

    assertThat(run("describe", "ask-7").lines())
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("People.ask", "waits on queue 'people', which nobody serves"));
    var waiting =
        JsonMapper.shared().readTree(run("describe", "ask-7", "--json").out()).path("waitingFor");
    assertThat(waiting.get(0).path("note").asString()).contains("nobody serves");
  }

  @Test
  void a_workflow_that_waits_on_a_queue_is_found_and_described() {
    try (var engine = engine(false)) {
      engine.start(Asking.class, "ask-7", "why", StartOptions.onQueue("desk"));
    }

    assertThat(run("list", "--where", "status = QUEUED").lines().getLast())
        .matches("ask-7 +.*QUEUED .*");
    assertThat(run("list", "--status", "queued").lines()).hasSize(2);
    assertThat(run("describe", "ask-7").lines())
        .anySatisfy(
            line -> assertThat(line).contains("its turn on queue 'desk'", "nobody serves it"));
    assertThat(run("queues").lines().getLast()).matches("desk +1 +0 .*nobody serves it");
    assertThat(run("doctor").lines().getLast()).isEqualTo("nothing found");
  }
}

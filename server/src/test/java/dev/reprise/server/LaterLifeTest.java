package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Context;
import dev.reprise.Key;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.WorkflowTerminated;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Commands that end, look into and repeat a workflow, in a file that no engine has. */
class LaterLifeTest {

  /** Publishes how far it is, and goes on as new after each round. */
  static final class Rounds implements Workflow<Integer, String> {
    static final Key<Integer> ROUND = Key.of("round", Integer.class);
    static final Signal<String> NEXT = Signal.of("next", String.class);

    @Override
    public String run(Context ctx, Integer round) {
      ctx.publish(ROUND, round);
      var greeting = ctx.run("greet", String.class, () -> "hello");
      var next = ctx.receive(NEXT);
      return next.equals("on") ? ctx.continueAsNew(round + 1) : greeting + " " + next + " " + round;
    }
  }

  @TempDir Path folder;
  private String database = "";

  @BeforeEach
  void start() {
    database = folder.resolve("rounds.db").toString();
    try (var engine = engine()) {
      engine.start(Rounds.class, "walk", 1);
      Await.until("it is published", () -> engine.published("walk", Rounds.ROUND).isPresent());
    }
  }

  private Engine engine() {
    return Reprise.open("jdbc:sqlite:" + database).workflow(new Rounds()).start();
  }

  @Test
  void a_terminated_workflow_ends_without_its_code() {
    var terminate = ConsoleRun.of("terminate", "walk", "--reason", "enough", "--db", database);

    assertThat(terminate.lines()).containsExactly("walk: terminated");
    try (var engine = engine()) {
      assertThatThrownBy(() -> engine.handle(Rounds.class, "walk").result())
          .isInstanceOf(WorkflowTerminated.class)
          .hasMessageContaining("enough");
    }
  }

  @Test
  void what_was_published_is_printed_as_json() {
    var round = ConsoleRun.of("published", "walk", "round", "--db", database);
    var other = ConsoleRun.of("published", "walk", "distance", "--db", database);

    assertThat(round.lines()).containsExactly("1");
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.err()).contains("'walk' has published nothing under 'distance'.");
  }

  @Test
  void the_runs_of_a_workflow_are_listed_the_newest_first() {
    try (var engine = engine()) {
      engine.signal("walk", Rounds.NEXT, "on");
      Await.until("it goes on", () -> engine.runs("walk").size() == 2);
    }

    var runs = ConsoleRun.of("runs", "walk", "--db", database);

    assertThat(runs.lines()).hasSize(3);
    assertThat(runs.lines().get(0)).matches("RUN +WORKFLOW +STATUS +STARTED +TOOK");
    assertThat(runs.lines().get(1)).matches("[0-9a-f-]{36} +Rounds +RUNNING .* still open");
    assertThat(runs.lines().get(2)).matches("[0-9a-f-]{36} +Rounds +CONTINUED .* m?s");
    assertThat(ConsoleRun.of("runs", "run", "--db", database).err()).startsWith("reprise: R113");
  }

  @Test
  void a_fork_goes_on_with_what_was_changed() {
    try (var engine = engine()) {
      engine.signal("walk", Rounds.NEXT, "home");
      assertThat(engine.handle(Rounds.class, "walk").result()).isEqualTo("hello home 1");
    }

    var fork =
        ConsoleRun.of(
            "fork",
            "walk",
            "--at",
            "3",
            "--as",
            "walk-2",
            "--result",
            "greet:1=\"bye\"",
            "--json",
            "--db",
            database);

    assertThat(fork.err()).isEmpty();
    assertThat(JsonMapper.shared().readTree(fork.out()).path("workflowId").asString())
        .isEqualTo("walk-2");
    try (var engine = engine()) {
      engine.signal("walk-2", Rounds.NEXT, "home");
      assertThat(engine.handle(Rounds.class, "walk-2").result()).isEqualTo("bye home 1");
    }
  }

  @Test
  void a_fork_at_an_event_that_is_not_there_is_R130() {
    var fork = ConsoleRun.of("fork", "walk", "--at", "99", "--db", database);

    assertThat(fork.exitCode()).isEqualTo(1);
    assertThat(fork.err()).startsWith("reprise: R130");
  }
}

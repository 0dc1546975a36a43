package dev.reprise.verification.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.WorkflowCancelled;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.testpostgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands in processes of their own, beside an engine on PostgreSQL. */
class SendingTest {
  private static final Duration LIMIT = Commands.LIMIT;

  @TempDir private Path folder;
  private Commands commands;
  private Engine engine;

  @BeforeEach
  void start() {
    var url = PostgresServer.shared().createDatabase();
    commands = new Commands(url, folder);
    engine = Reprise.open(url).workflow(new Painting()).start();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void a_signal_reaches_a_workflow_that_runs() throws Exception {
    var wall = engine.start(Painting.class, "wall", "a wall");

    var output = commands.run(0, "signal", "wall", "colour", "\"blue\"");

    assertThat(output).isEqualTo("wall: has the signal 'colour'\n");
    assertThat(wall.result(LIMIT)).isEqualTo("a wall in blue");
  }

  @Test
  void a_cancel_reaches_a_workflow_that_runs() throws Exception {
    var wall = engine.start(Painting.class, "wall", "a wall");

    commands.run(0, "cancel", "wall", "--reason", "no paint left");

    assertThatThrownBy(() -> wall.result(LIMIT))
        .isInstanceOf(WorkflowCancelled.class)
        .hasMessageContaining("no paint left");
  }

  @Test
  void what_cannot_be_done_is_told_and_ends_with_1() throws Exception {
    assertThat(commands.run(1, "signal", "roof", "colour", "\"red\"")).startsWith("reprise: R113");
    assertThat(commands.run(2, "signal", "roof", "colour", "red")).contains("'red' is not JSON");
  }

  @Test
  void an_update_is_answered_by_a_workflow_that_runs() throws Exception {
    engine.start(Painting.class, "wall", "a wall");

    assertThat(commands.run(0, "update", "wall", "size", "7")).isEqualTo("7\n");
    assertThat(commands.run(1, "update", "wall", "size", "-1")).startsWith("reprise: R126");
    assertThat(commands.run(1, "update", "wall", "size", "101"))
        .startsWith("reprise: update 'size' failed")
        .contains("too large");
    assertThat(commands.run(1, "update", "wall", "height", "1")).startsWith("reprise: R127");
  }
}

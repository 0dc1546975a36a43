package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.NodeDescription;
import dev.reprise.NodeDescription.State;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class NodesCommandTest {
  private static final String UUID_TEXT = "[0-9a-f-]{36}";

  @TempDir Path folder;

  @Test
  void a_running_engine_is_alive_and_has_runs() {
    var file = folder.resolve("busy.db");
    try (var engine = Databases.engine(file)) {
      engine.start(Greeting.class, "greet-late", "late");

      var nodes = ConsoleRun.of("nodes", "--db", file.toString());

      assertThat(nodes.exitCode()).isZero();
      assertThat(nodes.lines()).hasSize(2);
      assertThat(nodes.lines().get(0)).matches("NODE +HOST +STATE +SINCE +LEASE +RUNS");
      assertThat(nodes.lines().get(1)).matches(UUID_TEXT + " +\\S+/\\d+ +alive +.* none +1");
    }
  }

  @Test
  void a_list_names_the_host_that_has_a_run() {
    var file = folder.resolve("busy.db");
    try (var engine = Databases.engine(file)) {
      engine.start(Greeting.class, "greet-late", "late");
      var host = engine.nodes().getFirst().host();

      var list = ConsoleRun.of("list", "--db", file.toString());

      assertThat(list.lines().get(0)).endsWith("TOOK        OWNER");
      assertThat(list.lines().get(1)).endsWith("still open  " + host);
    }
  }

  @Test
  void an_engine_that_was_killed_is_gone() throws SQLException {
    var file = Databases.empty(folder);
    execute(file, "INSERT INTO nodes (node, host, joined_at) VALUES ('%s', 'web-1/7', 0)");

    var nodes = ConsoleRun.of("nodes", "--db", file.toString());

    assertThat(nodes.lines()).last().asString().matches(UUID_TEXT + " +web-1/7 +gone +.* 0");
  }

  @Test
  void each_state_has_its_word() {
    var now = Instant.parse("2026-03-01T12:00:00Z");
    var out = new StringWriter();

    new NodeTable(
            List.of(
                node(false, State.ALIVE, now.plusSeconds(9)),
                node(true, State.ALIVE, now.plusSeconds(9)),
                node(false, State.SILENT, now.minusSeconds(75)),
                node(false, State.FENCED, now.minusSeconds(75))),
            now,
            ZoneOffset.UTC)
        .print(new PrintWriter(out, true));

    assertThat(out.toString().lines().skip(1))
        .satisfiesExactly(
            line -> assertThat(line).contains(" alive ", " 9.0 s "),
            line -> assertThat(line).contains(" client "),
            line -> assertThat(line).contains(" silent ", " over for 1 min 15 s "),
            line -> assertThat(line).contains(" fenced "));
  }

  private static NodeDescription node(boolean client, State state, Instant leaseUntil) {
    return new NodeDescription(
        UUID.randomUUID(), "web-1/7", client, state, Instant.EPOCH, leaseUntil, 3);
  }

  @Test
  void without_engines_there_is_nothing_to_list() {
    var file = Databases.empty(folder).toString();

    assertThat(ConsoleRun.of("nodes", "--db", file).lines())
        .containsExactly("There are no engines now.");
    assertThat(JsonMapper.shared().readTree(ConsoleRun.of("nodes", "--db", file, "--json").out()))
        .isEmpty();
  }

  @Test
  void nodes_for_programs_are_json() {
    var file = folder.resolve("busy.db");
    try (var _ = Databases.engine(file)) {
      var nodes = ConsoleRun.of("nodes", "--db", file.toString(), "--json");

      var node = JsonMapper.shared().readTree(nodes.out()).get(0);
      assertThat(node.path("state").asString()).isEqualTo("ALIVE");
      assertThat(node.path("leaseUntil").isNull()).isTrue();
      assertThat(node.path("runs").asInt()).isZero();
    }
  }

  private static void execute(Path file, String sql) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      statement.executeUpdate(sql.formatted(UUID.randomUUID()));
    }
  }
}

package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Limits are changed one at a time, and people see what they have changed. */
class LimitCommandTest {
  @TempDir Path folder;
  private String database = "";

  @BeforeEach
  void create() {
    database = Databases.empty(folder).toString();
  }

  private ConsoleRun limit(String... options) {
    var all = new String[options.length + 4];
    all[0] = "limit";
    all[1] = "gpu";
    all[2] = "--db";
    all[3] = database;
    System.arraycopy(options, 0, all, 4, options.length);
    return ConsoleRun.of(all);
  }

  @Test
  void only_what_is_given_changes() {
    var first = limit("--concurrency", "20", "--rate", "100/1s");
    var second = limit("--per-key", "2", "--per-worker", "4", "--rate", "none");

    assertThat(first.err()).isEmpty();
    assertThat(first.lines())
        .containsExactly("gpu", "  before: none", "  after:  20 at once, 100/1s");
    assertThat(second.lines())
        .containsExactly(
            "gpu", "  before: 20 at once, 100/1s", "  after:  20 at once, 4 per worker, 2 per key");
  }

  @Test
  void weights_let_keys_take_turns_until_they_do_not() {
    assertThat(limit("--weight", "gold=3", "--weight", "silver=2").lines().getLast())
        .isEqualTo("  after:  fair, gold=3, silver=2");
    assertThat(limit("--weight", "silver=1").lines().getLast()).isEqualTo("  after:  fair, gold=3");
    assertThat(limit("--no-fair").lines().getLast()).isEqualTo("  after:  none");
    assertThat(limit("--fair").lines().getLast()).isEqualTo("  after:  fair");
  }

  @Test
  void a_pause_ends_without_a_limit() {
    limit("--concurrency", "3");

    assertThat(limit("--pause").lines())
        .containsExactly("gpu", "  before: 3 at once", "  after:  paused");
    assertThat(limit("--resume").lines().getLast()).isEqualTo("  after:  none");
    assertThat(limit("--concurrency", "3").lines().getLast()).isEqualTo("  after:  3 at once");
    assertThat(limit("--resume").lines().getLast()).isEqualTo("  after:  3 at once");
  }

  @Test
  void a_change_for_programs_is_json() {
    var json = JsonMapper.shared().readTree(limit("--concurrency", "3", "--json").out());

    assertThat(json.path("queue").asString()).isEqualTo("gpu");
    assertThat(json.path("before").path("concurrency").isNull()).isTrue();
    assertThat(json.path("after").path("concurrency").asInt()).isEqualTo(3);
  }

  @Test
  void what_is_limited_is_listed_and_nobody_serves_it() {
    limit("--concurrency", "3");

    assertThat(ConsoleRun.of("queues", "--db", database).lines().getLast())
        .matches("gpu +0 +0 +0 +0 +3 at once +nobody serves it");
    assertThat(ConsoleRun.of("queue", "gpu", "--db", database).lines())
        .contains("Limits:     3 at once", "Workers:    nobody serves it");
  }

  @Test
  void a_queue_that_was_never_used_is_empty_and_not_listed() {
    assertThat(ConsoleRun.of("queues", "--db", database).lines())
        .containsExactly("There is nothing on queues now.");
    assertThat(ConsoleRun.of("queue", "nowhere", "--db", database).lines())
        .contains("Ready:      0", "Workers:    nobody serves it");
    assertThat(ConsoleRun.of("queues", "--db", database, "--json").out().strip()).isEqualTo("[ ]");
  }

  @Test
  void what_makes_no_sense_is_an_error_of_use_and_changes_nothing() {
    assertMisuse("What is to be changed?");
    assertMisuse("Only one of", "--pause", "--resume");
    assertMisuse("Only one of", "--pause", "--concurrency", "3");
    assertMisuse("--weight or --no-fair", "--no-fair", "--weight", "gold=3");
    assertMisuse("the concurrency must be at least 0: -1", "--concurrency", "-1");
    assertMisuse("the concurrency per key must be at least 1", "--per-key", "0");
    assertMisuse("the weight of gold must be at least 1", "--weight", "gold=0");
    assertMisuse("neither a number nor none", "--concurrency", "many");
    assertMisuse("neither a rate such as", "--rate", "fast");
    assertMisuse("the rate must be at least 1", "--rate", "0/s");
    assertMisuse("--weight", "--weight", "gold");
    assertThat(ConsoleRun.of("limit", " ", "--pause", "--db", database).exitCode()).isEqualTo(2);
    assertThat(ConsoleRun.of("queue", " ", "--db", database).exitCode()).isEqualTo(2);

    assertThat(ConsoleRun.of("queues", "--db", database).lines())
        .containsExactly("There is nothing on queues now.");
  }

  private void assertMisuse(String why, String... options) {
    var run = limit(options);

    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(why, "reprise limit --help");
  }
}

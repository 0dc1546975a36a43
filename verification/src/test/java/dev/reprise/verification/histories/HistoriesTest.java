package dev.reprise.verification.histories;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.event.EventType;
import dev.reprise.testkit.ReplayCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command that adds a version. */
class HistoriesTest {
  @TempDir Path root;
  private final StringWriter errors = new StringWriter();

  private int run(String... arguments) {
    var out = new PrintStream(new ByteArrayOutputStream());
    return new CommandLine(new Histories(out))
        .setErr(new PrintWriter(errors, true))
        .execute(
            Stream.concat(Stream.of("--root", root.toString()), Stream.of(arguments))
                .toArray(String[]::new));
  }

  @Test
  void the_version_of_today_is_recorded_and_followed() throws IOException {
    assertThat(run("9.9")).isZero();

    var folder = new VersionFolder(root.resolve("9.9"));
    var scenarios = Scenarios.with(Desk.inOrder());
    assertThat(folder.histories()).hasSizeGreaterThan(scenarios.size()); // children, earlier runs
    assertThat(folder.types()).hasSize(EventType.values().length).isEqualTo(folder.covered());
    assertThat(Checksums.listed(root)).isEqualTo(Checksums.actual(root)).isNotEmpty();
    var check = new ReplayCheck();
    for (var scenario : scenarios) {
      check.workflow(scenario.name(), String.class, String.class, scenario.code());
    }
    for (var file : folder.histories()) check.replay(file);
  }

  @Test
  void a_database_of_another_version_is_taken_as_it_is() throws IOException {
    var first = Kept.versions().getFirst();
    var types = String.join(",", first.types());

    assertThat(run("0.1", "--from", first.database().toString(), "--types", types)).isZero();

    var taken = new VersionFolder(root.resolve("0.1"));
    assertThat(taken.database()).hasSameBinaryContentAs(first.database());
    assertThat(taken.histories()).hasSameSizeAs(first.histories());
  }

  @Test
  void a_type_of_events_that_no_history_has_is_an_error_and_leaves_nothing() throws IOException {
    var first = Kept.versions().getFirst();

    assertThat(run("0.1", "--from", first.database().toString())).isNotZero();

    assertThat(errors.toString()).contains("no scenario records [", "WorkflowCancelled");
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void what_is_kept_is_neither_overwritten_nor_added_to_when_it_has_changed() throws IOException {
    Files.createDirectories(root.resolve("0.1"));
    assertThat(run("0.1")).isNotZero();
    assertThat(errors.toString()).contains("kept as it is");

    Files.writeString(root.resolve("0.1/x.json"), "{}");
    assertThat(run("0.2")).isNotZero();
    assertThat(errors.toString()).contains("have changed");
  }
}

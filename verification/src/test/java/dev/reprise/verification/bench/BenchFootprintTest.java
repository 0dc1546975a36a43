package dev.reprise.verification.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workload that starts an application and then leaves it alone. */
class BenchFootprintTest {
  @TempDir Path folder;

  private final Report report =
      new Report(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

  @Test
  void an_application_is_started_and_watched_with_and_without_an_aot_cache() throws Exception {
    var workload = new Footprint(2, Duration.ofMillis(10), Duration.ofMillis(200));

    workload.measure(new Site(StoreKind.SQLITE, folder), report);

    assertThat(report.results())
        .extracting(Result::setting)
        .containsExactly("plain java", "java with an AOT cache");
    assertThat(report.results())
        .allSatisfy(
            result -> {
              var figures = result.figures();
              assertThat(figures.get("ms").rounds()).isEqualTo(2);
              assertThat(figures.get("ms").median())
                  .isGreaterThan(figures.get("ms until up").median());
              assertThat(figures.get("CPU ms").min()).isPositive();
              assertThat(figures.get("% of a core").median()).isNotNegative();
              assertThat(figures.get("heap MB").median()).isPositive();
            });
  }

  @Test
  void what_comes_with_the_store_is_no_more_than_ten_jars() throws Exception {
    var application = EmbeddedApplication.in(folder);

    assertThat(application.libraries()).hasSizeLessThanOrEqualTo(10).doesNotHaveDuplicates();
    assertThat(application.own()).hasSize(2);
    assertThat(application.libraries()).allMatch(Files::isRegularFile);
  }

  @Test
  void an_application_that_does_not_start_is_an_error() throws Exception {
    var application = EmbeddedApplication.in(folder);
    var nowhere = "jdbc:sqlite:" + folder.resolve("missing").resolve("bench.db");
    var command = application.command(nowhere).redirectErrorStream(true);

    try (var process = new IdleProcess(command)) {
      assertThatThrownBy(() -> process.await(FootprintProcess.UP))
          .hasMessage("the application ended before it was up");
    }
  }
}

package dev.reprise.verification.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The workload whose activities are on a queue. */
class BenchQueuedTest {
  @TempDir Path folder;

  private final Report report =
      new Report(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "MEMORY"})
  void queues_are_measured_joined_in_a_loop_and_idle(StoreKind kind) throws Exception {
    new QueuedWork(20, 2, 100, 5).measure(new Site(kind, folder), report);

    assertThat(report.results()).hasSize(3);
    var alone = report.results().getFirst().figures();
    assertThat(alone.get("hand-out p50 ms").median())
        .isLessThanOrEqualTo(alone.get("asked p50 ms").median());
    assertThat(report.results().get(1).figures().get("seconds").median()).isPositive();
    assertThat(report.results().get(2).figures().get("activities/s").median()).isPositive();
    assertThat(report.isSound()).isTrue();
  }
}

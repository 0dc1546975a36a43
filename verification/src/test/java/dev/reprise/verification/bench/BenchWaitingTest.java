package dev.reprise.verification.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The workloads whose workflows wait: for time and for signals. */
class BenchWaitingTest {
  @TempDir Path folder;

  private final Report report =
      new Report(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "MEMORY"})
  void sleepers_wake_up_and_tell_how_late(StoreKind kind) throws Exception {
    var workload = new Sleepers(50, Duration.ofMillis(300), Duration.ofMillis(200));

    workload.measure(new Site(kind, folder), report);

    assertThat(report.results())
        .extracting(Result::setting)
        .containsExactly(
            "50 sleeps of 0.3 s, started over 0.2 s", "50 sleeps of 0.3 s, started at once");
    assertThat(report.results())
        .allSatisfy(
            result -> {
              var figures = result.figures();
              assertThat(figures.get("late p50 ms").median())
                  .isLessThanOrEqualTo(figures.get("late p99 ms").median());
              assertThat(figures.get("late p99 ms").median())
                  .isLessThanOrEqualTo(figures.get("late max ms").median());
              assertThat(figures.get("seconds in all").median()).isGreaterThan(0.298);
            });
    assertThat(report.results().getFirst().figures().get("seconds to start").median())
        .isGreaterThan(0.19);
  }

  @Test
  void who_never_woke_up_or_too_early_is_an_error() {
    var alarms = new Alarms();
    alarms.ask("a");

    assertThatThrownBy(() -> alarms.lateness(Duration.ofSeconds(1)))
        .hasMessage("a did not wake up");

    alarms.wake("a");
    assertThatThrownBy(() -> alarms.lateness(Duration.ofHours(1)))
        .hasMessage("a woke up too early");
    assertThat(alarms.lateness(Duration.ZERO).count()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "MEMORY"})
  void every_waiting_workflow_gets_its_signal_and_completes(StoreKind kind) throws Exception {
    new Signals(40, 3, 1, 2).measure(new Site(kind, folder), report);

    assertThat(report.results())
        .extracting(Result::setting)
        .containsExactly("40 signals by 3 clients");
    var figures = report.results().getFirst().figures();
    assertThat(figures.get("seconds").rounds()).isEqualTo(2);
    assertThat(figures.get("seconds").max())
        .isGreaterThanOrEqualTo(figures.get("seconds to send").max());
  }
}

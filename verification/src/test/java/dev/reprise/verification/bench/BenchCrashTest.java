package dev.reprise.verification.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.reprise.verification.bench.CrashAudit.Found;
import dev.reprise.verification.bench.StepLedger.Entry;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workload that kills a process, and that it would see what went wrong. */
class BenchCrashTest {
  @TempDir Path folder;

  private final Report report =
      new Report(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

  @Test
  void a_killed_process_loses_and_repeats_nothing() throws Exception {
    new CrashRecovery(100, 20, 1).measure(new Site(StoreKind.SQLITE, folder), report);

    assertThat(report.results())
        .extracting(Result::setting)
        .containsExactly(
            "100 workflows of 20 steps", "100 workflows of 20 steps, with an AOT cache");
    for (var result : report.results()) {
      var figures = result.figures();
      assertThat(figures.get("lost").median()).isZero();
      assertThat(figures.get("duplicated").median()).isZero();
      assertThat(figures.get("steps at the kill").median()).isBetween(1_000.0, 2_000.0);
      assertThat(figures.get("seconds").median())
          .isGreaterThan(figures.get("seconds until up").median());
    }
    assertThat(report.isSound()).isTrue();
  }

  @Test
  void a_store_that_ends_with_its_process_has_no_figures() throws Exception {
    new CrashRecovery(100, 20, 1).measure(new Site(StoreKind.MEMORY, folder), report);

    assertThat(report.results()).isEmpty();
  }

  @Test
  void the_audit_sees_what_is_missing_in_a_database() throws Exception {
    var path = folder.resolve("ledger.txt");
    try (var ledger = new StepLedger(path, 1)) {
      ledger.open();
      var site = new Site(StoreKind.SQLITE, folder);
      try (var bed = site.open(new Probes(ledger));
          var records = site.contestant().read(bed.url())) {
        bed.subject().start(Job.LOGGED, StepLedger.id(0), 3).result();

        var entries = StepLedger.read(path);
        var now = Instant.now();
        assertThat(entries)
            .extracting(Entry::step, Entry::workflowId)
            .containsExactly(
                tuple(0, StepLedger.id(0)), tuple(1, StepLedger.id(0)), tuple(2, StepLedger.id(0)));
        assertThat(new CrashAudit(1, 3).check(records, entries, now)).isEqualTo(new Found(0, 0, 0));
        assertThat(new CrashAudit(2, 3).check(records, entries, now)).isEqualTo(new Found(0, 1, 0));
        assertThat(new CrashAudit(1, 4).check(records, entries, now)).isEqualTo(new Found(0, 1, 0));
        var earlier = now.minusSeconds(60);
        var again = new ArrayList<>(entries);
        again.add(new Entry(2, StepLedger.id(0), 1));
        assertThat(new CrashAudit(1, 3).check(records, again, now)).isEqualTo(new Found(0, 0, 1));
        assertThat(new CrashAudit(1, 3).check(records, again, earlier))
            .as("the next step had begun")
            .isEqualTo(new Found(0, 0, 1));
      }
    }
  }

  @Test
  void a_step_runs_again_only_if_its_end_was_not_durable() {
    assertThat(CrashAudit.check(1, true, 1, 0)).isEqualTo(new Found(0, 0, 0));
    assertThat(CrashAudit.check(1, false, 0, 1)).isEqualTo(new Found(0, 0, 0));
    assertThat(CrashAudit.check(1, false, 1, 1)).isEqualTo(new Found(1, 0, 0));
    assertThat(CrashAudit.check(1, true, 1, 1)).isEqualTo(new Found(0, 0, 1));
    assertThat(CrashAudit.check(1, true, 2, 0)).isEqualTo(new Found(0, 0, 1));
    assertThat(CrashAudit.check(1, false, 0, 2)).isEqualTo(new Found(0, 0, 1));
    assertThat(CrashAudit.check(2, true, 1, 1)).isEqualTo(new Found(0, 0, 2));
    assertThat(CrashAudit.check(0, false, 1, 1)).isEqualTo(new Found(0, 1, 0));
    assertThat(CrashAudit.check(1, false, 0, 0)).isEqualTo(new Found(0, 1, 0));
  }
}

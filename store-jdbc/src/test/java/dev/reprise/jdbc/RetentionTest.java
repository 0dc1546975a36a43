package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ListQuery;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closed runs are deleted in the end, and nothing else. */
class RetentionTest {
  private static final Signal<String> GO = Signal.of("go", String.class);
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final int CLOSED = 230; // more than two batches

  private static final Workflow<String, String> FLOW =
      (ctx, order) -> order.equals("short") ? order : ctx.receive(GO);

  @TempDir Path folder;

  enum Kind {
    MEMORY,
    SQLITE,
    POSTGRES
  }

  @ParameterizedTest
  @EnumSource
  void closed_runs_are_deleted_and_open_ones_stay(Kind kind) {
    try (var engine = open(kind).retention(SHORT).start()) {
      var open = engine.start("Flow", "open", "long");
      for (int i = 0; i < CLOSED; i++) engine.start("Flow", "closed-" + i, "short");

      TestDatabase.await("all closed runs are deleted", () -> runs(engine) == 1);

      assertThat(open.status()).isEqualTo(Status.RUNNING);
      open.signal(GO, "gone");
      assertThat(open.result()).isEqualTo("gone");
      TestDatabase.await("the last one is deleted too", () -> runs(engine) == 0);
      assertThat(engine.start("Flow", "closed-0", "short").result()).isEqualTo("short");
    }
  }

  @ParameterizedTest
  @EnumSource
  void without_a_period_everything_is_kept(Kind kind) {
    try (var engine = open(kind).start()) {
      engine.start("Flow", "closed", "short").result();

      assertThat(runs(engine)).isEqualTo(1);
    }
  }

  private static int runs(Engine engine) {
    return engine.list(ListQuery.all().limit(1_000)).size();
  }

  private Reprise open(Kind kind) {
    var reprise =
        switch (kind) {
          case MEMORY -> Reprise.inMemory();
          case SQLITE -> Reprise.open("jdbc:sqlite:" + folder.resolve("runs.db"));
          case POSTGRES -> Reprise.open(TestDatabase.create().url());
        };
    return reprise.workflow("Flow", String.class, String.class, FLOW);
  }
}

package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.QueueDescription;
import dev.reprise.QueueDescription.Worker;
import dev.reprise.QueueLimits;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class QueueTableTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final QueueDescription GPU =
      new QueueDescription(
          "gpu",
          12,
          3,
          8,
          1,
          NOW.minusSeconds(75),
          QueueLimits.none().concurrency(8),
          List.of(
              new Worker("web-1/7", 4, NOW.minusSeconds(2)),
              new Worker("web-2/9", 4, NOW.minusSeconds(11))));
  private static final QueueDescription LOST =
      new QueueDescription("lost", 5, 0, 0, 0, NOW.plusSeconds(1), QueueLimits.none(), List.of());

  private static List<String> printed(Consumer<PrintWriter> printing) {
    var out = new StringWriter();
    printing.accept(new PrintWriter(out, true));
    return out.toString().lines().toList();
  }

  @Test
  void each_queue_has_a_line_and_one_that_nobody_serves_says_so() {
    assertThat(printed(out -> new QueueTable(NOW).print(List.of(GPU, LOST), out)))
        .containsExactly(
            "QUEUE  READY  DELAYED  RUNNING  EXTERNAL  OLDEST      LIMITS     WORKERS",
            "gpu    12     3        8        1         1 min 15 s  8 at once  2, 8 at once",
            "lost   5      0        0        0         0 ms        none       nobody serves it");
  }

  @Test
  void all_about_one_queue_has_its_workers() {
    assertThat(printed(out -> new QueueTable(NOW).print(GPU, ZoneOffset.UTC, out)))
        .containsExactly(
            "Queue:      gpu",
            "Ready:      12, the oldest since 2026-03-01 11:58:45 (1 min 15 s)",
            "Delayed:    3",
            "Running:    8",
            "External:   1",
            "Limits:     8 at once",
            "Workers:    2, 8 at once",
            "",
            "WORKER   AT ONCE  LAST HEARD OF",
            "web-1/7  4        2.0 s ago",
            "web-2/9  4        11.0 s ago");
  }

  @Test
  void all_about_a_queue_that_nobody_serves_says_so() {
    assertThat(printed(out -> new QueueTable(NOW).print(LOST, ZoneOffset.UTC, out)))
        .last()
        .isEqualTo("Workers:    nobody serves it");
  }

  @Test
  void queues_for_programs_are_json() {
    var queues = JsonMapper.shared().readTree(QueueJson.queues(List.of(GPU, LOST)));

    assertThat(queues.get(0).path("limits").path("concurrency").asInt()).isEqualTo(8);
    assertThat(queues.get(0).path("limits").path("rate").isNull()).isTrue();
    assertThat(queues.get(0).path("workers").get(1).path("host").asString()).isEqualTo("web-2/9");
    assertThat(queues.get(0).path("oldest").asString()).isEqualTo("2026-03-01T11:58:45Z");
    assertThat(queues.get(1).path("served").asBoolean()).isFalse();
  }
}

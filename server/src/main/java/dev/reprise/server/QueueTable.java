package dev.reprise.server;

import dev.reprise.QueueDescription;
import dev.reprise.QueueDescription.Worker;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queues for people. */
final class QueueTable {
  private static final String UNSERVED = "nobody serves it";

  private final Instant now;

  QueueTable(Instant now) {
    this.now = now;
  }

  /** One line each. */
  void print(List<QueueDescription> queues, PrintWriter out) {
    var table =
        new Table(
            "QUEUE", "READY", "DELAYED", "RUNNING", "EXTERNAL", "OLDEST", "LIMITS", "WORKERS");
    for (var queue : queues) {
      table.add(
          queue.queue(),
          String.valueOf(queue.ready()),
          String.valueOf(queue.delayed()),
          String.valueOf(queue.running()),
          String.valueOf(queue.external()),
          age(queue.oldest()),
          LimitsText.of(queue.limits()),
          workers(queue));
    }
    table.print(out);
  }

  private String age(@Nullable Instant oldest) {
    if (oldest == null) return "";
    var waited = Duration.between(oldest, now);
    return Moments.text(waited.isNegative() ? Duration.ZERO : waited);
  }

  private static String workers(QueueDescription queue) {
    if (!queue.isServed()) return UNSERVED;
    int places = queue.workers().stream().mapToInt(Worker::concurrency).sum();
    return "%d, %d at once".formatted(queue.workers().size(), places);
  }

  /** All about one. */
  void print(QueueDescription queue, ZoneId zone, PrintWriter out) {
    line(out, "Queue", queue.queue());
    line(out, "Ready", count(queue.ready(), queue.oldest(), zone));
    line(out, "Delayed", String.valueOf(queue.delayed()));
    line(out, "Running", String.valueOf(queue.running()));
    line(out, "External", String.valueOf(queue.external()));
    line(out, "Limits", LimitsText.of(queue.limits()));
    line(out, "Workers", workers(queue));
    if (!queue.isServed()) return;
    out.println();
    var table = new Table("WORKER", "AT ONCE", "LAST HEARD OF");
    for (var worker : queue.workers()) {
      table.add(
          worker.host(),
          String.valueOf(worker.concurrency()),
          "%s ago".formatted(age(worker.seenAt())));
    }
    table.print(out);
  }

  private String count(long ready, @Nullable Instant oldest, ZoneId zone) {
    if (oldest == null) return String.valueOf(ready);
    return "%d, the oldest since %s (%s)".formatted(ready, Moments.full(oldest, zone), age(oldest));
  }

  private static void line(PrintWriter out, String name, String value) {
    out.printf("%-12s%s%n", name + ":", Table.printable(value));
  }
}

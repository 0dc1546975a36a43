package dev.reprise.server;

import dev.reprise.Completion;
import dev.reprise.QueueDescription;
import dev.reprise.QueueDescription.Worker;
import dev.reprise.QueueLimits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the commands print about queues for programs. */
final class QueueJson {
  private QueueJson() {}

  static String queues(List<QueueDescription> queues) {
    return Json.text(queues.stream().map(QueueJson::fields).toList());
  }

  static String queue(QueueDescription queue) {
    return Json.text(fields(queue));
  }

  private static Map<String, @Nullable Object> fields(QueueDescription queue) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("queue", queue.queue());
    fields.put("ready", queue.ready());
    fields.put("delayed", queue.delayed());
    fields.put("running", queue.running());
    fields.put("external", queue.external());
    fields.put("oldest", queue.oldest());
    fields.put("limits", fields(queue.limits()));
    fields.put("served", queue.isServed());
    fields.put("workers", queue.workers().stream().map(QueueJson::fields).toList());
    return fields;
  }

  private static Map<String, @Nullable Object> fields(QueueLimits limits) {
    var rate = limits.rate();
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("concurrency", limits.concurrency());
    fields.put("perWorker", limits.perWorker());
    fields.put("perKey", limits.perKey());
    fields.put(
        "rate", rate == null ? null : Map.of("count", rate.count(), "per", rate.per().toString()));
    fields.put("fair", limits.turns());
    fields.put("weights", new TreeMap<>(limits.weights()));
    return fields;
  }

  private static Map<String, @Nullable Object> fields(Worker worker) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("host", worker.host());
    fields.put("concurrency", worker.concurrency());
    fields.put("seenAt", worker.seenAt());
    return fields;
  }

  static String change(String queue, QueueLimits before, QueueLimits after) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("queue", queue);
    fields.put("before", fields(before));
    fields.put("after", fields(after));
    return Json.text(fields);
  }

  static String completion(Completion completion) {
    return Json.text(Map.of("completion", completion));
  }
}

package dev.reprise.engine.event;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** How an activity is put on a queue, as part of an event. What says nothing is left out. */
final class QueueingJson {
  private QueueingJson() {}

  static void write(Queueing queueing, JsonGenerator json) {
    json.writeStringProperty("queue", queueing.queue());
    if (queueing.priority() != 0) json.writeNumberProperty("priority", queueing.priority());
    if (!queueing.key().isEmpty()) json.writeStringProperty("key", queueing.key());
    if (queueing.retry() != null) RetryJson.write(queueing.retry(), json);
    write("timeout", queueing.timeout(), json);
    write("visibility", queueing.visibility(), json);
    write("heartbeat", queueing.heartbeat(), json);
    write("wait", queueing.patience(), json);
    write("total", queueing.total(), json);
  }

  private static void write(String name, @Nullable Duration duration, JsonGenerator json) {
    if (duration != null) json.writeStringProperty(name, duration.toString());
  }

  static Queueing read(JsonNode json) {
    return new Queueing(
        EventJson.text(json, "queue"),
        json.path("priority").asInt(0),
        json.path("key").asString(""),
        RetryJson.read(json),
        duration(json, "timeout"),
        duration(json, "visibility"),
        duration(json, "heartbeat"),
        duration(json, "wait"),
        duration(json, "total"));
  }

  private static @Nullable Duration duration(JsonNode json, String name) {
    var text = EventJson.optional(json, name);
    return text == null ? null : Duration.parse(text);
  }
}

package dev.reprise.engine.event;

import dev.reprise.engine.event.Origin.How;
import dev.reprise.engine.event.Origin.Lineage;
import dev.reprise.engine.event.Origin.Parent;
import dev.reprise.engine.event.Origin.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** The part of a run's first event that says where it comes from. What says nothing is left out. */
final class OriginJson {
  private static final String SIGNAL = "signal "; // before the name, in "takenBy"
  private static final String UPDATE = "update ";

  private OriginJson() {}

  static void write(Origin origin, JsonGenerator json) {
    if (origin.hash() != null) json.writeStringProperty("hash", origin.hash());
    if (origin.timeout() != null) json.writeStringProperty("timeout", origin.timeout().toString());
    if (!origin.attributes().isEmpty()) {
      json.writeObjectPropertyStart("attributes");
      new TreeMap<>(origin.attributes()).forEach(json::writePOJOProperty);
      json.writeEndObject();
    }
    if (origin.parent() != null) write(origin.parent(), json);
    if (origin.lineage() != null) write(origin.lineage(), json);
  }

  private static void write(Parent parent, JsonGenerator json) {
    json.writeObjectPropertyStart("parent");
    json.writeStringProperty("workflowId", parent.workflowId());
    json.writeStringProperty("runId", parent.runId().toString());
    json.writeStringProperty("childId", parent.childId());
    json.writeEndObject();
  }

  private static void write(Lineage lineage, JsonGenerator json) {
    json.writeObjectPropertyStart("lineage");
    json.writeStringProperty("how", lineage.how().name());
    json.writeStringProperty("from", lineage.from().toString());
    if (!lineage.seeds().isEmpty()) {
      json.writeArrayPropertyStart("seeds");
      for (var seed : lineage.seeds()) {
        json.writeStartObject();
        json.writeStringProperty("runId", seed.runId().toString());
        json.writeNumberProperty("upTo", seed.upTo());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    if (lineage.copied() > 0) json.writeNumberProperty("copied", lineage.copied());
    if (!lineage.taken().isEmpty()) writeTaken(lineage.taken(), json);
    if (lineage.unreceived() > 0) json.writeNumberProperty("unreceived", lineage.unreceived());
    json.writeEndObject();
  }

  /**
   * The ids, and beside them what each is an id of. Releases that had one space for all ids wrote
   * the first list only, and read it only.
   */
  private static void writeTaken(List<MessageKey> taken, JsonGenerator json) {
    json.writeArrayPropertyStart("taken");
    for (var key : taken) json.writeString(key.message());
    json.writeEndArray();
    if (taken.stream().allMatch(key -> key.kind() == MessageKey.Kind.ANY)) return;
    json.writeArrayPropertyStart("takenBy");
    for (var key : taken) json.writeString(source(key));
    json.writeEndArray();
  }

  private static String source(MessageKey key) {
    return switch (key.kind()) {
      case SIGNAL -> SIGNAL + key.name();
      case UPDATE -> UPDATE + key.name();
      case ANY -> "";
    };
  }

  private static MessageKey key(String source, String message) {
    if (source.startsWith(SIGNAL)) {
      return MessageKey.signal(source.substring(SIGNAL.length()), message);
    }
    if (source.startsWith(UPDATE)) {
      return MessageKey.update(source.substring(UPDATE.length()), message);
    }
    return MessageKey.any(message);
  }

  static Origin read(JsonNode json) {
    var hash = EventJson.optional(json, "hash");
    var timeout = EventJson.optional(json, "timeout");
    if (hash == null && timeout == null && json.size() <= 3) return Origin.PLAIN;
    return new Origin(
        hash,
        timeout == null ? null : Duration.parse(timeout),
        attributes(json.path("attributes")),
        json.has("parent") ? parent(json.path("parent")) : null,
        json.has("lineage") ? lineage(json.path("lineage")) : null);
  }

  private static Map<String, Object> attributes(JsonNode json) {
    var attributes = new LinkedHashMap<String, Object>();
    for (var entry : json.properties()) {
      var value = attribute(entry.getValue());
      if (value != null) attributes.put(entry.getKey(), value);
    }
    return attributes;
  }

  /** A text, a number or a truth value; null for none. */
  static @Nullable Object attribute(@Nullable JsonNode json) {
    if (json == null || json.isNull()) return null;
    if (json.isString()) return json.stringValue();
    if (json.isBoolean()) return json.booleanValue();
    if (json.isIntegralNumber()) return json.longValue();
    return json.doubleValue();
  }

  private static Parent parent(JsonNode json) {
    return new Parent(
        EventJson.text(json, "workflowId"),
        UUID.fromString(EventJson.text(json, "runId")),
        EventJson.text(json, "childId"));
  }

  private static Lineage lineage(JsonNode json) {
    var taken = new ArrayList<MessageKey>();
    var sources = json.path("takenBy");
    for (var message : json.path("taken")) {
      taken.add(key(sources.path(taken.size()).asString(""), message.asString()));
    }
    var seeds = new ArrayList<Seed>();
    for (var seed : json.path("seeds")) {
      seeds.add(
          new Seed(UUID.fromString(EventJson.text(seed, "runId")), seed.path("upTo").asInt(0)));
    }
    return new Lineage(
        How.valueOf(EventJson.text(json, "how")),
        UUID.fromString(EventJson.text(json, "from")),
        seeds,
        json.path("copied").asInt(0),
        taken,
        json.path("unreceived").asInt(0));
  }
}

package dev.reprise.engine.event;

import dev.reprise.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.ByteArrayBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A retry policy that must outlive the code that chose it. */
public final class RetryJson {
  private static final JsonMapper JSON = JsonMapper.shared();

  private RetryJson() {}

  /** The policy as a text of its own. */
  public static String text(RetryPolicy policy) {
    var out = new ByteArrayBuilder(128);
    try (var json = JSON.createGenerator(out)) {
      json.writeStartObject();
      write(policy, json);
      json.writeEndObject();
    }
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }

  /** The policy of such a text. */
  public static RetryPolicy parse(String text) {
    return Objects.requireNonNull(read(JSON.readTree(text)));
  }

  static void write(RetryPolicy policy, JsonGenerator json) {
    json.writeObjectPropertyStart("retry");
    json.writeStringProperty("initial", policy.initial().toString());
    json.writeNumberProperty("factor", policy.factor());
    json.writeStringProperty("cap", policy.cap().toString());
    json.writeNumberProperty("attempts", policy.maxAttempts());
    if (policy.jitter() > 0) json.writeNumberProperty("jitter", policy.jitter());
    if (policy.maxDuration() != null) {
      json.writeStringProperty("maxDuration", policy.maxDuration().toString());
    }
    if (!policy.nonRetryable().isEmpty()) {
      json.writeArrayPropertyStart("nonRetryable");
      for (var type : new TreeSet<>(policy.nonRetryable())) json.writeString(type);
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  static @Nullable RetryPolicy read(JsonNode event) {
    if (!event.has("retry")) return null;
    var json = event.path("retry");
    var maxDuration = EventJson.optional(json, "maxDuration");
    var types = new HashSet<String>();
    for (var type : json.path("nonRetryable")) types.add(type.asString());
    return new RetryPolicy(
        Duration.parse(EventJson.text(json, "initial")),
        json.path("factor").asDouble(),
        Duration.parse(EventJson.text(json, "cap")),
        json.path("attempts").asInt(),
        json.path("jitter").asDouble(0),
        maxDuration == null ? null : Duration.parse(maxDuration),
        types);
  }
}

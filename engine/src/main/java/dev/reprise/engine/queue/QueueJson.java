package dev.reprise.engine.queue;

import dev.reprise.QueueLimits;
import dev.reprise.QueueLimits.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Limits of a queue and what they go by, as stores keep them. */
public final class QueueJson {
  private static final JsonMapper JSON = JsonMapper.shared();

  private QueueJson() {}

  public static String write(QueueLimits limits) {
    var json = JSON.createObjectNode();
    put(json, "perWorker", limits.perWorker());
    put(json, "concurrency", limits.concurrency());
    put(json, "perKey", limits.perKey());
    if (limits.rate() != null) {
      json.putObject("rate")
          .put("count", limits.rate().count())
          .put("per", limits.rate().per().toString());
    }
    if (limits.turns()) json.put("turns", true);
    if (!limits.weights().isEmpty()) {
      var weights = json.putObject("weights");
      new TreeMap<>(limits.weights()).forEach(weights::put);
    }
    return json.toString();
  }

  private static void put(ObjectNode json, String name, @Nullable Integer value) {
    if (value != null) json.put(name, value);
  }

  public static QueueLimits limits(String text) {
    var json = JSON.readTree(text);
    var weights = new HashMap<String, Integer>();
    for (var entry : json.path("weights").properties()) {
      weights.put(entry.getKey(), entry.getValue().asInt());
    }
    return new QueueLimits(
        number(json, "perWorker"),
        number(json, "concurrency"),
        number(json, "perKey"),
        json.has("rate") ? rate(json.path("rate")) : null,
        json.path("turns").asBoolean(false),
        weights);
  }

  private static Rate rate(JsonNode json) {
    return new Rate(json.path("count").asInt(), Duration.parse(json.path("per").asString()));
  }

  private static @Nullable Integer number(JsonNode json, String name) {
    return json.has(name) ? json.path(name).asInt() : null;
  }

  public static String write(Flow flow) {
    var json = JSON.createObjectNode();
    if (flow.at() != null) json.put("tokens", flow.tokens()).put("at", flow.at().toString());
    if (flow.turn() > 0) json.put("turn", flow.turn());
    if (!flow.ahead().isEmpty()) {
      var ahead = json.putObject("ahead");
      new TreeMap<>(flow.ahead()).forEach(ahead::put);
    }
    return json.toString();
  }

  public static Flow flow(@Nullable String text) {
    if (text == null) return Flow.NEW;
    var json = JSON.readTree(text);
    Map<String, Double> ahead = new HashMap<>();
    for (var entry : json.path("ahead").properties()) {
      ahead.put(entry.getKey(), entry.getValue().asDouble());
    }
    return new Flow(
        json.path("tokens").asDouble(0),
        json.has("at") ? Instant.parse(json.path("at").asString()) : null,
        json.path("turn").asDouble(0),
        ahead);
  }
}

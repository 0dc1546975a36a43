package dev.reprise.server;

import dev.reprise.HistoryEvent;
import dev.reprise.RunDescription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What the commands print for programs: an array of objects, complete and in the same order. */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Json() {}

  static String runs(List<RunDescription> runs) {
    return MAPPER.writeValueAsString(runs.stream().map(Json::run).toList());
  }

  private static Map<String, @Nullable Object> run(RunDescription run) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("workflowId", run.workflowId());
    fields.put("runId", run.runId());
    fields.put("workflow", run.workflow());
    fields.put("status", run.status());
    fields.put("startedAt", run.startedAt());
    fields.put("closedAt", run.closedAt());
    fields.put("blockedBy", run.blockedBy());
    return fields;
  }

  static String history(List<HistoryEvent> events) {
    return MAPPER.writeValueAsString(events.stream().map(Json::event).toList());
  }

  private static Map<String, @Nullable Object> event(HistoryEvent event) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("index", event.index());
    fields.put("recordedAt", event.recordedAt());
    fields.put("type", event.type());
    fields.put("subject", event.subject());
    fields.put("callSite", event.callSite());
    fields.put("attributes", attributes(event));
    fields.put("value", event.value() == null ? null : value(event.value()));
    return fields;
  }

  /** What was recorded beside the value. */
  static JsonNode attributes(HistoryEvent event) {
    return MAPPER.readTree(event.attributes());
  }

  /** A codec may write something else than JSON: then it is text. */
  private static Object value(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JacksonException foreign) {
      return text;
    }
  }
}

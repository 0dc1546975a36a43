package dev.reprise.engine.archive;

import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes a history as a JSON document, and reads it back, with nothing lost.
 *
 * <p>{@code docs/reference/history-json.md} describes the format.
 */
public final class HistoryJson {
  static final String FORMAT = "reprise-history";
  static final int VERSION = 1;

  /** Numbers keep their digits. */
  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final JsonMapper PRETTY =
      MAPPER.rebuild().enable(SerializationFeature.INDENT_OUTPUT).build();

  private HistoryJson() {}

  /** The document of a history. */
  public static String write(History history) {
    var document = MAPPER.createObjectNode();
    document.put("format", FORMAT);
    document.put("formatVersion", VERSION);
    document.put("exportedBy", EngineVersion.number());
    describe(history.run(), document);
    var events = document.putArray("events");
    for (var event : history.events()) write(event, events.addObject());
    return PRETTY.writeValueAsString(document);
  }

  private static void describe(RunRow run, ObjectNode document) {
    document.put("workflow", run.workflow());
    document.put("workflowId", run.workflowId());
    document.put("runId", run.runId().toString());
    document.put("status", run.status().name());
    document.put("startedAt", run.startedAt().toString());
    document.put("closedAt", text(run.closedAt()));
    document.put("blockedBy", run.blockedBy());
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static void write(EventRow row, ObjectNode event) {
    event.put("index", row.index());
    event.put("recordedAt", row.at().toString());
    event.put("type", EventType.of(row.type()).label());
    event.put("subject", row.recorded().event().subject());
    event.put("callSite", row.site());
    event.set("attributes", MAPPER.readTree(row.attributes()));
    if (row.value() != null) ValueField.write(row.value(), event);
  }

  /**
   * The history of a document.
   *
   * @throws UnreadableHistory if it is none, with the place where it is wrong
   */
  public static History read(String json) {
    return new HistoryReader(json).read();
  }
}

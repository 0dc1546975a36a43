package dev.reprise.engine.event;

import dev.reprise.engine.event.Event.Call;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** The call of an activity among the attributes of an event. */
final class CallJson {
  private static final String ARGUMENTS = "arguments";

  private CallJson() {}

  /** The name of a call with an automatic id is the part ahead of the counter. */
  static void write(Call call, JsonGenerator json) {
    json.writeStringProperty("id", call.id());
    if (!call.name().equals(nameIn(call.id()))) json.writeStringProperty("name", call.name());
    if (!call.digest().isEmpty()) json.writeStringProperty("digest", call.digest());
  }

  /** What it was called with: always the last attribute, so that {@link PlainJson} can tell. */
  static void writeArguments(Event event, JsonGenerator json) {
    var call = event.call();
    if (call == null || call.arguments() == null) return;
    json.writeName(ARGUMENTS);
    json.writeRawValue(new String(call.arguments().json(), StandardCharsets.UTF_8));
  }

  private static String nameIn(String id) {
    int colon = id.lastIndexOf(':');
    return colon < 0 ? id : id.substring(0, colon);
  }

  /**
   * The call of these attributes.
   *
   * @param json the same, parsed
   */
  static Call read(byte[] attributes, JsonNode json) {
    var id = EventJson.text(json, "id");
    return new Call(
        id,
        json.path("name").asString(nameIn(id)),
        json.path("digest").asString(""),
        json.has(ARGUMENTS) ? KeptArguments.recorded(attributes, ARGUMENTS) : null);
  }

  /** How long each argument in the value is. */
  static void lengths(List<Integer> lengths, JsonGenerator json) {
    json.writeArrayPropertyStart("lengths");
    for (int length : lengths) json.writeNumber(length);
    json.writeEndArray();
  }

  static List<Integer> lengths(JsonNode json) {
    var lengths = new ArrayList<Integer>();
    for (var length : json.path("lengths")) lengths.add(length.asInt());
    return List.copyOf(lengths);
  }
}

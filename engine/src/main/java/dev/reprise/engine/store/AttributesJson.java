package dev.reprise.engine.store;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Attributes of a run as a JSON object: texts, numbers and truth values, sorted by name. */
public final class AttributesJson {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

  private AttributesJson() {}

  /** The attributes of a row. */
  public static Map<String, Object> read(@Nullable String json) {
    return json == null ? Map.of() : JSON.readValue(json, MAP);
  }

  /** As a row has them; null if there are none. */
  public static @Nullable String write(Map<String, Object> attributes) {
    return attributes.isEmpty() ? null : JSON.writeValueAsString(new TreeMap<>(attributes));
  }
}

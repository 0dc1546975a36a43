package dev.reprise.engine.filter;

import dev.reprise.engine.filter.Field.Column;
import dev.reprise.engine.filter.Field.InJson;
import dev.reprise.engine.filter.Field.Index;
import dev.reprise.engine.filter.Field.Key;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Whether a filter is true of one run. What is not JSON has nothing in it. */
final class Matching {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final Subject run;
  private @Nullable JsonNode attributes;
  private @Nullable JsonNode input;

  Matching(Subject run) {
    this.run = run;
  }

  boolean holds(Filter filter) {
    return switch (filter) {
      case Filter.And(var parts) -> parts.stream().allMatch(this::holds);
      case Filter.Or(var parts) -> parts.stream().anyMatch(this::holds);
      case Filter.Not(var part) -> !holds(part);
      case Filter.InStatus(var statuses) -> statuses.contains(run.status());
      case Filter.WaitsFor(var kinds, var now) ->
          kinds.stream().anyMatch(kind -> kind.holds(run, now));
      case Filter.Compare(var field, var relation, var value) -> holds(field, relation, value);
      case Filter.AnyOf(var field, var values) ->
          values.stream().anyMatch(value -> holds(field, Relation.EQUAL, value));
      case Filter.Like(var field, var pattern) -> isText(field, pattern::matches);
      case Filter.Missing(var field) -> isMissing(field);
    };
  }

  private boolean holds(Field field, Relation relation, Value value) {
    if (isMissing(field)) return false;
    if (relation == Relation.NOT_EQUAL) return !holds(field, Relation.EQUAL, value);
    return switch (value) {
      case Value.Text(var text) -> isText(field, found -> relation.holds(compare(found, text)));
      case Value.Time(var time) ->
          field instanceof Column column
              && run.time(column) instanceof java.time.Instant found
              && relation.holds(found.compareTo(time));
      case Value.Numeric(var number) ->
          field instanceof InJson inJson
              && find(inJson).isNumber()
              && relation.holds(numberOf(find(inJson)).compareTo(number));
      case Value.Truth(var truth) ->
          field instanceof InJson inJson
              && find(inJson).isBoolean()
              && relation.holds(Boolean.compare(find(inJson).booleanValue(), truth));
    };
  }

  private boolean isMissing(Field field) {
    return switch (field) {
      case Column column -> (column.isTime() ? run.time(column) : run.text(column)) == null;
      case InJson inJson -> find(inJson).isMissingNode() || find(inJson).isNull();
    };
  }

  private boolean isText(Field field, Predicate<String> test) {
    return switch (field) {
      case Column column -> run.text(column) instanceof String found && test.test(found);
      case InJson inJson -> find(inJson).isString() && test.test(find(inJson).stringValue());
    };
  }

  private static BigDecimal numberOf(JsonNode node) {
    return node.decimalValue();
  }

  /** By code points: {@link String#compareTo} has another order above U+FFFF. */
  private static int compare(String one, String other) {
    return Arrays.compareUnsigned(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  private JsonNode find(InJson field) {
    var node = document(field);
    for (var step : field.path()) {
      node =
          switch (step) {
            case Key(var name) -> node.isObject() ? node.path(name) : MissingNode.getInstance();
            case Index(var number) ->
                node.isArray() ? node.path(number) : MissingNode.getInstance();
          };
    }
    return node;
  }

  private JsonNode document(InJson field) {
    switch (field) {
      case Field.Attribute _ -> {
        if (attributes == null) attributes = read(bytes(run.attributes()));
        return attributes;
      }
      case Field.Input _ -> {
        if (input == null) input = read(run.input().get());
        return input;
      }
    }
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  private static JsonNode read(byte @Nullable [] json) {
    if (json == null) return MissingNode.getInstance();
    try {
      return JSON.readTree(json);
    } catch (JacksonException notJson) {
      return MissingNode.getInstance();
    }
  }
}

package dev.reprise.engine.codec;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.type.MapType;
import tools.jackson.databind.util.TokenBuffer;

/**
 * Lets sets and maps without an order of their own be written in a fixed one. Those that have an
 * order are written in that.
 */
final class InOrder extends ValueSerializerModifier {
  private static final long serialVersionUID = 1L;

  @Override
  public ValueSerializer<?> modifyCollectionSerializer(
      SerializationConfig config,
      CollectionType type,
      BeanDescription.Supplier description,
      ValueSerializer<?> serializer) {
    return Set.class.isAssignableFrom(type.getRawClass())
        ? new Ordering(serializer, (value, context) -> inOrder((Set<?>) value, context))
        : serializer;
  }

  @Override
  public ValueSerializer<?> modifyMapSerializer(
      SerializationConfig config,
      MapType type,
      BeanDescription.Supplier description,
      ValueSerializer<?> serializer) {
    return new Ordering(serializer, (value, _) -> inOrder((Map<?, ?>) value));
  }

  /** By the JSON of the elements. */
  private static Set<?> inOrder(Set<?> set, SerializationContext context) {
    if (set.size() < 2 || hasOrder(set)) return set;
    var keyed = new ArrayList<Keyed>(set.size());
    for (var element : set) keyed.add(new Keyed(json(element, context), element));
    keyed.sort(Comparator.comparing(Keyed::json));
    var ordered = new LinkedHashSet<@Nullable Object>();
    for (var entry : keyed) ordered.add(entry.element);
    return ordered;
  }

  /** Views of sets and maps are not sequenced themselves, but their spliterators know. */
  private static boolean hasOrder(Set<?> set) {
    return set instanceof SequencedCollection
        || set instanceof EnumSet
        || set instanceof CopyOnWriteArraySet
        || set.spliterator().hasCharacteristics(Spliterator.ORDERED);
  }

  /** Whether its entries come in an order that means something. */
  static boolean hasOrder(Map<?, ?> map) {
    return map instanceof SequencedMap
        || map.entrySet().spliterator().hasCharacteristics(Spliterator.ORDERED);
  }

  private record Keyed(String json, @Nullable Object element) {}

  private static String json(@Nullable Object element, SerializationContext context) {
    if (element == null) return "null";
    try (var buffer = TokenBuffer.forGeneration()) {
      context.writeValue(buffer, element);
      var text = new StringBuilder();
      try (var parser = buffer.asParser()) {
        for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
          text.append(token.asString()).append(parser.getString()).append('\n');
        }
      }
      return text.toString();
    }
  }

  /** By the keys, or by their text where they do not compare. */
  private static Map<?, ?> inOrder(Map<?, ?> map) {
    if (map.size() < 2 || hasOrder(map)) return map;
    var entries = new ArrayList<Map.Entry<?, ?>>(map.entrySet());
    entries.sort(
        map.keySet().stream().allMatch(Comparable.class::isInstance)
            ? (a, b) -> compare(a.getKey(), b.getKey())
            : Comparator.comparing(entry -> String.valueOf(entry.getKey())));
    var ordered = new LinkedHashMap<@Nullable Object, @Nullable Object>();
    for (var entry : entries) ordered.put(entry.getKey(), entry.getValue());
    return ordered;
  }

  @SuppressWarnings("unchecked") // all keys of one map, which are of one kind
  private static int compare(Object a, Object b) {
    return ((Comparable<Object>) a).compareTo(b);
  }

  /** A serializer that is given the elements in order. */
  private static final class Ordering extends ValueSerializer<Object> {
    private final ValueSerializer<Object> elements;
    private final Order order;

    private interface Order {
      Object of(Object value, SerializationContext context);
    }

    @SuppressWarnings("unchecked") // what serializes this type is given only such values
    Ordering(ValueSerializer<?> elements, Order order) {
      this.elements = (ValueSerializer<Object>) elements;
      this.order = order;
    }

    @Override
    public ValueSerializer<?> createContextual(
        SerializationContext context, @Nullable BeanProperty property) {
      return new Ordering(context.handlePrimaryContextualization(elements, property), order);
    }

    @Override
    public void serialize(Object value, JsonGenerator out, SerializationContext context) {
      elements.serialize(order.of(value, context), out, context);
    }

    @Override
    public void serializeWithType(
        Object value, JsonGenerator out, SerializationContext context, TypeSerializer type) {
      elements.serializeWithType(order.of(value, context), out, context, type);
    }

    @Override
    public boolean isEmpty(SerializationContext context, Object value) {
      return elements.isEmpty(context, value);
    }
  }
}

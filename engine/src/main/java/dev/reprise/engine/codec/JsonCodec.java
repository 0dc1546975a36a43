package dev.reprise.engine.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * JSON by Jackson, with what plain Java types need to survive the way there and back: sealed types
 * carry the name of the subtype, zones stay as they are, and sets and maps without an order of
 * their own are written in a fixed one, because their own differs from process to process.
 */
public final class JsonCodec implements Codec {
  // What could be written must be readable again: only the size of the whole is limited.
  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder().maxNumberLength(Values.MAX_PAYLOAD).build();

  private final JsonMapper mapper;
  private final boolean isPlain; // whether nobody has set it up otherwise
  private final Map<Type, Function<@Nullable Object, byte[]>> writers = new ConcurrentHashMap<>();
  private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

  public JsonCodec() {
    this(JsonMapper.builder(JsonFactory.builder().streamReadConstraints(LIMITS).build()), true);
  }

  /** With a mapper set up by the user: modules, mix-ins, naming. */
  public JsonCodec(JsonMapper.Builder builder) {
    this(builder, false);
  }

  private JsonCodec(JsonMapper.Builder builder, boolean isPlain) {
    this.isPlain = isPlain;
    this.mapper =
        builder
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
            .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING) // what people read may change
            .disable(EnumFeature.READ_ENUMS_USING_TO_STRING)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .annotationIntrospector(new SealedTypes())
            .addModule(new SimpleModule("reprise").setSerializerModifier(new InOrder()))
            .build();
  }

  @Override
  public byte[] encode(@Nullable Object value, Type type) {
    var scalar = isPlain ? Scalars.encode(value, type) : null;
    return scalar == null ? writerOf(type).apply(value) : scalar;
  }

  private Function<@Nullable Object, byte[]> writerOf(Type type) {
    var known = writers.get(type);
    return known == null ? writers.computeIfAbsent(type, this::writer) : known;
  }

  /**
   * A value of a generic sealed type is written as the one element of a list: at the root it would
   * lose its type arguments, and with them the types of what is inside.
   */
  private Function<@Nullable Object, byte[]> writer(Type type) {
    var declared = mapper.constructType(type);
    if (!declared.hasGenericTypes() || !declared.getRawClass().isSealed()) {
      return mapper.writerFor(declared)::writeValueAsBytes;
    }
    var list = mapper.getTypeFactory().constructCollectionType(List.class, declared);
    var writer = mapper.writerFor(list);
    return value -> {
      var json = writer.writeValueAsBytes(Collections.singletonList(value));
      return Arrays.copyOfRange(json, 1, json.length - 1);
    };
  }

  @Override
  public @Nullable Object decode(byte[] bytes, Type type) {
    return readers
        .computeIfAbsent(type, t -> mapper.readerFor(mapper.constructType(t)))
        .readValue(bytes);
  }

  /**
   * A sealed type without annotations of its own is written with the name of its subtype, and so is
   * a subtype, so that it makes no difference by which of the two a value is declared.
   */
  private static final class SealedTypes extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;
    private static final JsonTypeInfo.Value BY_NAME =
        JsonTypeInfo.Value.construct(
            JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, "@type", null, false, null, null);

    @Override
    public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
        MapperConfig<?> config, Annotated annotated) {
      var declared = super.findPolymorphicTypeInfo(config, annotated);
      if (declared != null || !(annotated instanceof AnnotatedClass)) return declared;
      return isSealed(annotated.getRawType()) ? BY_NAME : null;
    }

    /** Enums whose constants have bodies are sealed too, but written by name all the same. */
    private static boolean isSealed(@Nullable Class<?> type) {
      if (type == null || type.getName().startsWith("java.")) return false;
      if (type.isSealed() && !type.isEnum()) return true;
      for (var parent : type.getInterfaces()) if (isSealed(parent)) return true;
      return isSealed(type.getSuperclass());
    }
  }
}

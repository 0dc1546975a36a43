package dev.reprise.engine.codec;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * JSON by Jackson, by one law: a value that is written comes back equal, in the same order, or it
 * is refused with the path of the member that would not.
 *
 * <p>What is written are the fields of objects and the components of records, never what getters
 * compute. Sealed types carry the name of the subtype, zones stay as they are, and sets and maps
 * without an order of their own are written in a fixed one, because their own differs from process
 * to process.
 */
public final class JsonCodec implements Codec {
  // What could be written must be readable again: only the size of the whole is limited.
  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder()
          .maxNumberLength(Values.MAX_PAYLOAD)
          .maxNameLength(Values.MAX_PAYLOAD)
          .build();

  private final CodecMapper mapper;
  private final boolean isPlain; // whether nobody has set it up otherwise
  private final boolean isLenient; // about members that people write and that do not exist
  private final Map<Type, Function<@Nullable Object, byte[]>> writers = new ConcurrentHashMap<>();
  private final Map<Type, ValueCheck> checks = new ConcurrentHashMap<>();
  private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();
  private final Map<Type, ObjectReader> receivers = new ConcurrentHashMap<>();

  public JsonCodec() {
    this(
        mapper(JsonMapper.builder(JsonFactory.builder().streamReadConstraints(LIMITS).build())),
        true,
        false);
  }

  /**
   * With a mapper set up by the user: modules, mix-ins, naming. Which members are written is
   * decided by this class; annotations may say otherwise for a class.
   */
  public JsonCodec(JsonMapper.Builder builder) {
    this(mapper(builder), false, false);
  }

  private JsonCodec(CodecMapper mapper, boolean isPlain, boolean isLenient) {
    this.mapper = mapper;
    this.isPlain = isPlain;
    this.isLenient = isLenient;
  }

  /**
   * The same codec, but members that a signal, an update, a query or an input has and its type does
   * not are ignored. Else they are refused, because they are likely to be typing errors.
   */
  public JsonCodec lenient() {
    return new JsonCodec(mapper, isPlain, true);
  }

  private static CodecMapper mapper(JsonMapper.Builder builder) {
    var ours = new SimpleModule("reprise").setSerializerModifier(new InOrder());
    var members = new SimpleModule("reprise members").setSerializerModifier(new MembersOnly());
    members.setValueInstantiators(Making.inOrder());
    members.addAbstractTypeMapping(Set.class, LinkedHashSet.class); // of enums too
    members.addAbstractTypeMapping(Map.class, LinkedHashMap.class);
    return new CodecMapper(
        builder
            .changeDefaultVisibility(
                visible ->
                    visible
                        .withVisibility(PropertyAccessor.FIELD, Visibility.ANY)
                        .withVisibility(PropertyAccessor.GETTER, Visibility.NONE)
                        .withVisibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
                        .withVisibility(PropertyAccessor.SETTER, Visibility.NONE))
            .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .disable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS) // InOrder knows which have one
            .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .disable(DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
            .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
            .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING) // what people read may change
            .disable(EnumFeature.READ_ENUMS_USING_TO_STRING)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .annotationIntrospector(new SealedTypes())
            .addModule(ours)
            .addModule(members));
  }

  @Override
  public void check(Type type) {
    if (type != void.class && type != Void.class) checkOf(type);
  }

  private ValueCheck checkOf(Type type) {
    var known = checks.get(type);
    if (known != null) return known;
    var check = TypeCheck.of(mapper.constructType(type), mapper);
    checks.put(type, check);
    return check;
  }

  @Override
  public byte[] encode(@Nullable Object value, Type type) {
    var scalar = isPlain ? Scalars.encode(value, type) : null;
    if (scalar != null) return scalar;
    var check = checkOf(type);
    var bytes = written(value, type); // first: a value that holds itself is found there
    check.check(value);
    return bytes;
  }

  @Override
  public byte[] write(@Nullable Object value) {
    Type type = value == null ? Object.class : value.getClass();
    var scalar = isPlain ? Scalars.encode(value, type) : null;
    return scalar == null ? written(value, type) : scalar;
  }

  private byte[] written(@Nullable Object value, Type type) {
    try {
      return writerOf(type).apply(value);
    } catch (RuntimeException refused) {
      throw Reasons.of(refused);
    }
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
    return read(readers.computeIfAbsent(type, this::reader), bytes, type);
  }

  @Override
  public @Nullable Object receive(byte[] bytes, Type type) {
    if (isLenient) return decode(bytes, type);
    return read(receivers.computeIfAbsent(type, this::receiver), bytes, type);
  }

  private ObjectReader reader(Type type) {
    return mapper.readerFor(mapper.constructType(type));
  }

  private ObjectReader receiver(Type type) {
    return reader(type)
        .with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .withHandler(new FormerGetters());
  }

  /** A type that cannot be read at all says so better than what went wrong with these bytes. */
  private @Nullable Object read(ObjectReader reader, byte[] bytes, Type type) {
    try {
      return reader.readValue(bytes);
    } catch (RuntimeException refused) {
      check(type);
      throw Reasons.of(refused);
    }
  }
}

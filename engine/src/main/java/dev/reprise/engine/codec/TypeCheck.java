package dev.reprise.engine.codec;

import dev.reprise.engine.codec.ValueCheck.Deferred;
import dev.reprise.engine.codec.ValueCheck.Members;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.bean.BeanSerializerBase;

/**
 * Walks a declared type, down to the last member, and finds out whether its values come back from
 * JSON as they were. What never does is refused with the path of the member; what does depending on
 * the value is left to a {@link ValueCheck}.
 *
 * <p>It asks the mapper how it writes and reads each type, so that annotations, mix-ins and modules
 * count. What the user writes and reads by code of his own is trusted.
 */
final class TypeCheck {
  private final CodecMapper mapper;
  private final Map<JavaType, Deferred> under = new HashMap<>(); // the types that are being walked

  private TypeCheck(CodecMapper mapper) {
    this.mapper = mapper;
  }

  /**
   * What there is to check of the values of a type.
   *
   * @throws Misfit if none of them, or not all that it has in mind, comes back
   */
  static ValueCheck of(JavaType type, CodecMapper mapper) {
    return new TypeCheck(mapper).walk(type);
  }

  private ValueCheck walk(JavaType type) {
    var known = under.get(type);
    if (known != null) return known;
    if (Platform.isValue(type.getRawClass())) return ValueCheck.NONE;
    var deferred = new Deferred();
    under.put(type, deferred);
    try {
      return deferred.is(open(type));
    } finally {
      under.remove(type);
    }
  }

  private ValueCheck walk(JavaType type, String member) {
    try {
      return walk(type);
    } catch (Misfit misfit) {
      throw misfit.in(member);
    }
  }

  private ValueCheck open(JavaType type) {
    var raw = type.getRawClass();
    if (mapper.serializationConfig().getDefaultTyper(type) != null) return named(type);
    if (raw == Object.class || raw == Serializable.class || raw == Number.class) {
      return new ValueCheck.Anything(raw);
    }
    if (type.isArrayType()) return array(type);
    if (type.isCollectionLikeType()) return collection(type);
    if (type.isMapLikeType()) return map(type);
    if (type.isReferenceType() && isOptional(raw)) return optional(type);
    if (raw.isEnum()) return ValueCheck.NONE;
    if (raw.isSealed() && mapper.isNamed(type)) return permitted(type);
    if (mapper.isNamed(type) && !Members.isFixed(raw)) return named(type);
    return object(type);
  }

  // ---- containers -------------------------------------------------------------------------------

  private ValueCheck array(JavaType type) {
    if (type.getContentType().isPrimitive()) return ValueCheck.NONE;
    var each = walk(type.getContentType(), "[]");
    return each.isOpen() ? new ValueCheck.Components(each) : each;
  }

  private ValueCheck collection(JavaType type) {
    var raw = type.getRawClass();
    if (!isUsual(type)) return ValueCheck.NONE;
    checkContainer(type);
    var each = walk(type.getContentType(), "[]");
    boolean nothing = !each.isOpen() && !ValueCheck.Elements.isKindOpen(raw);
    return nothing ? each : new ValueCheck.Elements(raw, each);
  }

  private ValueCheck map(JavaType type) {
    var raw = type.getRawClass();
    if (!isUsual(type)) return ValueCheck.NONE;
    checkContainer(type);
    var keys = keys(type.getKeyType());
    var each = walk(type.getContentType(), "[]");
    boolean nothing = !keys.isOpen() && !each.isOpen();
    return nothing && !ValueCheck.Entries.isKindOpen(raw)
        ? each
        : new ValueCheck.Entries(raw, keys, each);
  }

  /** Whether Jackson itself reads it, and not a module of the user. */
  private boolean isUsual(JavaType type) {
    return Platform.has(type.getRawClass()) || isJacksons(reading(type));
  }

  private static boolean isJacksons(Object means) {
    return means.getClass().getName().startsWith("tools.jackson.databind.");
  }

  private void checkContainer(JavaType type) {
    var raw = type.getRawClass();
    if (Platform.isContainer(raw)) return;
    if (Platform.has(raw)) {
      if (!Modifier.isPublic(raw.getModifiers()) && comesBackEmpty(type)) return; // as of List.of
      throw new Misfit(
          "is declared as %s, whose values do not come back as they were: declare it as List, Set,"
                  .formatted(raw.getName())
              + " Map or one of their classes");
    }
    for (Class<?> part = raw; part != null && !Platform.has(part); part = part.getSuperclass()) {
      for (var field : part.getDeclaredFields()) {
        if (Platform.isMember(field)) {
          throw new Misfit(
              field.getName(),
              "is a member of the collection %s, and of a collection only the elements are written"
                  .formatted(part.getName()),
              null);
        }
      }
    }
  }

  private boolean comesBackEmpty(JavaType type) {
    try {
      return mapper.readerFor(type).readValue(type.isMapLikeType() ? "{}" : "[]") != null;
    } catch (JacksonException unreadable) {
      return false;
    }
  }

  /** Keys are texts in JSON. */
  private ValueCheck keys(JavaType type) {
    var raw = type.getRawClass();
    if (raw == Object.class) return new ValueCheck.Anything(String.class);
    if (Platform.isValue(raw) || raw.isEnum()) return ValueCheck.NONE;
    try {
      var _ = mapper.keyDeserializerOf(type);
    } catch (JacksonException unreadable) {
      throw new Misfit(
          "[key]",
          "is a %s, which cannot be read from the text that keys are in JSON: use a text, a number,"
                  .formatted(raw.getName())
              + " an enum or the like, or a list of pairs",
          unreadable);
    }
    var map =
        mapper
            .getTypeFactory()
            .constructMapType(Map.class, type, mapper.constructType(Boolean.class));
    var writer = mapper.writerFor(map);
    var reader = mapper.readerFor(map);
    return new ValueCheck.ThereAndBack(
        key -> {
          Map<?, ?> back = reader.readValue(writer.writeValueAsBytes(Map.of(key, true)));
          return back.keySet().iterator().next();
        });
  }

  private static boolean isOptional(Class<?> raw) {
    return raw == Optional.class
        || raw == OptionalInt.class
        || raw == OptionalLong.class
        || raw == OptionalDouble.class;
  }

  private ValueCheck optional(JavaType type) {
    var inner = type.getContentType();
    if (inner.isReferenceType() && isOptional(inner.getRawClass())) {
      throw new Misfit("is an Optional in an Optional, of which JSON knows one");
    }
    return new ValueCheck.Present(walk(inner));
  }

  // ---- one of several classes -------------------------------------------------------------------

  private ValueCheck permitted(JavaType type) {
    var checks = new LinkedHashMap<Class<?>, ValueCheck>();
    collect(type, type, checks);
    boolean nothing =
        checks.values().stream().noneMatch(ValueCheck::isOpen)
            && checks.keySet().stream().allMatch(Members::isFixed);
    return nothing ? ValueCheck.NONE : new ValueCheck.Permitted(type.getRawClass(), checks);
  }

  private void collect(JavaType type, JavaType root, Map<Class<?>, ValueCheck> checks) {
    var raw = type.getRawClass();
    if (!raw.isSealed() || raw.isEnum()) {
      if (!checks.containsKey(raw)) checks.put(raw, object(type));
      return;
    }
    for (var subtype : raw.getPermittedSubclasses()) {
      collect(mapper.getTypeFactory().constructSpecializedType(root, subtype), root, checks);
    }
    if (!Modifier.isAbstract(raw.getModifiers())) checks.put(raw, object(type));
  }

  /** The name of the class is written; which ones there are is the user's affair. */
  private ValueCheck named(JavaType type) {
    var types = mapper.getTypeFactory();
    return new ValueCheck.Named(
        runtime -> new TypeCheck(mapper).object(types.constructSpecializedType(type, runtime)));
  }

  // ---- objects ----------------------------------------------------------------------------------

  private ValueCheck object(JavaType type) {
    var raw = type.getRawClass();
    if (raw.isEnum() || Platform.isValue(raw)) return ValueCheck.NONE;
    if (type.isContainerType()) return open(type);
    if (!Platform.has(raw) && isAbstract(type)) throw abstractType(raw);
    var writer = writing(type);
    if (writer instanceof MembersOnly.Refusing refusing) throw new Misfit(refusing.why());
    if (!(writer instanceof BeanSerializerBase members)) return special(type, writer);
    if (!(reading(type) instanceof BeanDeserializerBase reader)) return ValueCheck.NONE;
    checkShadows(raw);
    checkCreation(raw, reader);
    var open = new ArrayList<Members.Member>();
    for (var written = members.properties(); written.hasNext(); ) {
      if (!(written.next() instanceof BeanPropertyWriter member)) continue;
      checkRead(raw, member, reader);
      var check = walk(member.getType(), member.getName());
      if (check.isOpen()) open.add(new Members.Member(member, check));
    }
    return open.isEmpty() && Members.isFixed(raw)
        ? ValueCheck.NONE
        : new Members(raw, List.copyOf(open));
  }

  /** Written by other means than by its members. */
  private ValueCheck special(JavaType type, ValueSerializer<?> writer) {
    var raw = type.getRawClass();
    if (!Platform.has(raw) || !isJacksons(writer)) return ValueCheck.NONE;
    if (isAbstract(type)) throw abstractType(raw);
    if (hasNoEquality(raw)) {
      throw new Misfit(
          "is a %s, which is no value: objects of that class are never equal"
              .formatted(raw.getName()));
    }
    var there = mapper.writerFor(type);
    var back = mapper.readerFor(type);
    return new ValueCheck.ThereAndBack(value -> back.readValue(there.writeValueAsBytes(value)));
  }

  private boolean isAbstract(JavaType type) {
    return Modifier.isAbstract(type.getRawClass().getModifiers())
        && reading(type) instanceof AbstractDeserializer;
  }

  private static boolean hasNoEquality(Class<?> raw) {
    try {
      var equals = raw.getMethod("equals", Object.class);
      return !raw.isInterface() && equals.getDeclaringClass() == Object.class;
    } catch (NoSuchMethodException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Misfit abstractType(Class<?> raw) {
    return new Misfit(
        "is declared as %s, of which there may be any classes: make it sealed, or say with"
                .formatted(raw.getName())
            + " @JsonTypeInfo which there are");
  }

  /** Jackson knows one of two fields of the same name, of a class and its superclass. */
  private static void checkShadows(Class<?> raw) {
    var names = new HashSet<String>();
    for (Class<?> part = raw; part != null && !Platform.has(part); part = part.getSuperclass()) {
      for (var field : part.getDeclaredFields()) {
        if (Platform.isMember(field) && !names.add(field.getName())) {
          throw new Misfit(
              field.getName(),
              "is there twice, in %s and in a class below: rename one of the two"
                  .formatted(part.getName()),
              null);
        }
      }
    }
  }

  private static void checkCreation(Class<?> raw, BeanDeserializerBase reader) {
    if (isInner(raw)) {
      throw new Misfit(
          "is a %s, which cannot be made without the object around it: make the class static"
              .formatted(raw.getName()));
    }
    var instances = reader.getValueInstantiator();
    if (instances.canCreateUsingDefault()
        || instances.canCreateFromObjectWith()
        || instances.canCreateUsingDelegate()) {
      return;
    }
    throw new Misfit(
        "is a %s, which can be written but not made again: make it a record, give it a constructor"
                .formatted(raw.getName())
            + " without parameters (a private one will do), or mark a constructor with"
            + " @JsonCreator");
  }

  private static boolean isInner(Class<?> raw) {
    return raw.isAnonymousClass()
        || (raw.isLocalClass() && !raw.isRecord())
        || (raw.isMemberClass() && !Modifier.isStatic(raw.getModifiers()));
  }

  private static void checkRead(
      Class<?> raw, BeanPropertyWriter member, BeanDeserializerBase reader) {
    if (reader.hasProperty(member.getName()) || !isOwnField(member)) return;
    for (var made = reader.creatorProperties(); made.hasNext(); ) {
      if (made.next().getName().equals(member.getName())) return;
    }
    if (reader.getValueInstantiator().canCreateUsingDelegate()) return;
    throw new Misfit(
        member.getName(),
        "is a final field of %s that no constructor is given: make the class a record, let a"
                .formatted(raw.getName())
            + " @JsonCreator have it, or take away 'final'",
        null);
  }

  /** A method is written only if the user has said so, as something derived from the members. */
  private static boolean isOwnField(BeanPropertyWriter member) {
    return member.getMember() instanceof AnnotatedField;
  }

  // ---- the mapper -------------------------------------------------------------------------------

  private ValueSerializer<?> writing(JavaType type) {
    return asked(() -> mapper.serializerOf(type));
  }

  private ValueDeserializer<?> reading(JavaType type) {
    return asked(() -> mapper.deserializerOf(type));
  }

  private static <T> T asked(Supplier<T> question) {
    try {
      return question.get();
    } catch (JacksonException refused) {
      throw Reasons.of(refused);
    }
  }
}

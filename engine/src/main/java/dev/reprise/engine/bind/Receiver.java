package dev.reprise.engine.bind;

import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * To what the method references of one class are bound. A lambda keeps that in its only field,
 * which is read in some nanoseconds; to write the lambda out takes a thousand times longer.
 */
final class Receiver {
  private final @Nullable Field field; // null for a static method, which is bound to nothing

  private Receiver(@Nullable Field field) {
    this.field = field;
  }

  static Receiver of(Class<?> lambda) {
    var fields =
        Stream.of(lambda.getDeclaredFields())
            .filter(field -> !Modifier.isStatic(field.getModifiers()))
            .toList();
    if (fields.size() != 1) return new Receiver(null);
    return new Receiver(fields.getFirst().trySetAccessible() ? fields.getFirst() : null);
  }

  /** As it is declared where the reference stands; {@link Object} if that is not known. */
  Class<?> declared() {
    return field == null ? Object.class : field.getType();
  }

  /** The object itself; null if there is none. */
  @Nullable Object get(Serializable reference) {
    if (field == null) return null;
    try {
      return field.get(reference);
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}

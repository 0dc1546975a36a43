package dev.reprise;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * A generic type that survives erasure: {@code new TypeRef<List<Item>>() {}}.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T extends @Nullable Object> {
  private final Type type;

  /** Reads the type parameter of the subclass. */
  protected TypeRef() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parameterized)) {
      throw new IllegalArgumentException("write new TypeRef<List<Item>>() {}, with a type");
    }
    this.type = parameterized.getActualTypeArguments()[0];
  }

  private TypeRef(Type type) {
    this.type = type;
  }

  /** A plain class. */
  public static <T> TypeRef<T> of(Class<T> type) {
    return new TypeRef<>(type) {};
  }

  /** A type that is known only when the program runs. */
  public static TypeRef<?> of(Type type) {
    return new TypeRef<>(type) {};
  }

  /** The type. */
  public final Type type() {
    return type;
  }

  @Override
  public final String toString() {
    return type.getTypeName();
  }
}

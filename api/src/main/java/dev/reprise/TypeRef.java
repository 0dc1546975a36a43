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

  /** The type. */
  public final Type type() {
    return type;
  }

  @Override
  public final String toString() {
    return type.getTypeName();
  }
}

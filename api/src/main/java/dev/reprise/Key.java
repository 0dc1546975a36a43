package dev.reprise;

import java.lang.reflect.Type;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name and type of a value that a workflow publishes. Declare it as a constant of the workflow,
 * so that writer and readers share it.
 */
public record Key<T extends @Nullable Object>(String name, Type type) {

  public Key {
    Objects.requireNonNull(type, "type");
    Texts.checked(name, "key name");
  }

  /** A key of a value of a plain class. */
  public static <T> Key<T> of(String name, Class<T> type) {
    return new Key<>(name, type);
  }

  /** A key of a value of a generic type. */
  public static <T extends @Nullable Object> Key<T> of(String name, TypeRef<T> type) {
    return new Key<>(name, type.type());
  }
}

package dev.reprise;

import java.lang.reflect.Type;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name and type of a message that can be sent to a running workflow. Declare it as a constant
 * of the workflow, so that sender and receiver share it.
 */
public record Signal<T extends @Nullable Object>(String name, Type type) {

  public Signal {
    Objects.requireNonNull(type, "type");
    Texts.checked(name, "signal name");
  }

  /** A signal without a value: all that it says is that it came. */
  public static Signal<@Nullable Void> of(String name) {
    return new Signal<>(name, void.class);
  }

  /** A signal with a value of a plain class. */
  public static <T> Signal<T> of(String name, Class<T> type) {
    return new Signal<>(name, type);
  }

  /** A signal with a value of a generic type. */
  public static <T extends @Nullable Object> Signal<T> of(String name, TypeRef<T> type) {
    return new Signal<>(name, type.type());
  }

  /** Whether it says more than that it came. */
  public boolean hasValue() {
    return type != void.class && type != Void.class;
  }
}

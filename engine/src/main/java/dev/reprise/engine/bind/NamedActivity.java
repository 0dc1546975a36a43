package dev.reprise.engine.bind;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An activity that can be called by its name alone, when the code that asked for it is gone.
 *
 * @param name as it is recorded
 * @param parameters the types of its arguments
 * @param result the type of what it returns
 */
public record NamedActivity(String name, List<Type> parameters, Type result, Body body) {

  /** What it does. */
  @FunctionalInterface
  public interface Body {
    @Nullable Object call(@Nullable Object[] arguments) throws Exception;
  }

  /** A method of a registered object. */
  static NamedActivity of(String name, Object target, Method method) {
    return new NamedActivity(
        name,
        List.of(method.getGenericParameterTypes()),
        method.getGenericReturnType(),
        arguments -> invoke(target, method, arguments));
  }

  /** Calls a method as if it were called in code. */
  public static @Nullable Object invoke(Object target, Method method, @Nullable Object[] arguments)
      throws Exception {
    try {
      method.trySetAccessible(); // its class or interface need not be public
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) throw cause;
      if (e.getCause() instanceof Error error) throw error;
      throw e;
    }
  }
}

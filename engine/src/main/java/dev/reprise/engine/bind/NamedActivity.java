package dev.reprise.engine.bind;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.List;
import java.util.Map;
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

  /**
   * A method of a registered object.
   *
   * @param known what the variables of its types stand for
   */
  static NamedActivity of(
      String name, Object target, Method method, Map<TypeVariable<?>, Type> known) {
    return new NamedActivity(
        name,
        ActivityMethods.types(method, known).stream().map(Resolved::closed).toList(),
        Resolved.closed(Resolved.of(method.getGenericReturnType(), known)),
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

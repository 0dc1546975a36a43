package dev.reprise.engine.replay;

import dev.reprise.engine.bind.MethodRef;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** An activity interface whose calls are steps. */
final class ActivityProxy {
  private static final Object[] NO_ARGUMENTS = {};

  private ActivityProxy() {}

  static <T> T of(Class<T> type, T target, RunSteps steps) {
    var proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              var given = arguments == null ? NO_ARGUMENTS : arguments;
              if (method.getDeclaringClass() == Object.class) {
                return ofObject(type, self, method, given);
              }
              return steps.call(
                  MethodRef.nameOf(type, method),
                  method.getGenericReturnType(),
                  () -> call(target, method, given),
                  given);
            });
    return type.cast(proxy);
  }

  private static @Nullable Object call(Object target, Method method, @Nullable Object[] arguments)
      throws Exception {
    try {
      method.trySetAccessible(); // the interface need not be public
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) throw cause;
      if (e.getCause() instanceof Error error) throw error;
      throw e;
    }
  }

  @SuppressWarnings("ReferenceEquality") // a proxy equals itself only
  private static Object ofObject(
      Class<?> type, Object self, Method method, @Nullable Object[] arguments) {
    return switch (method.getName()) {
      case "equals" -> self == arguments[0];
      case "hashCode" -> System.identityHashCode(self);
      default -> "activities of " + type.getName();
    };
  }
}

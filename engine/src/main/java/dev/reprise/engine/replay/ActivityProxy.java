package dev.reprise.engine.replay;

import dev.reprise.engine.bind.MethodRef;
import dev.reprise.engine.bind.NamedActivity;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An activity interface whose calls are steps. */
final class ActivityProxy {
  private static final Object[] NO_ARGUMENTS = {};

  private ActivityProxy() {}

  static <T> T of(Class<T> type, T target, LiveRun run, RunSteps steps) {
    var proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              var given = arguments == null ? NO_ARGUMENTS : arguments;
              if (method.getDeclaringClass() == Object.class) {
                return ofObject(type, self, method, given);
              }
              var name = MethodRef.nameOf(type, method);
              run.stage().renames().add(MethodRef.formerNamesOf(type, method), name);
              return steps.call(
                  name,
                  method.getGenericReturnType(),
                  () -> NamedActivity.invoke(target, method, given),
                  given);
            });
    return type.cast(proxy);
  }

  /** An activity interface whose calls go to a queue. */
  static <T> T queued(Class<T> type, LiveRun run, RunSteps steps) {
    var proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              var given = arguments == null ? NO_ARGUMENTS : arguments;
              if (method.getDeclaringClass() == Object.class) {
                return ofObject(type, self, method, given);
              }
              var name = MethodRef.nameOf(type, method);
              run.stage().renames().add(MethodRef.formerNamesOf(type, method), name);
              var types = List.of(method.getGenericParameterTypes());
              return steps.queued(name, method.getGenericReturnType(), types, given).await();
            });
    return type.cast(proxy);
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

package dev.reprise.engine.replay;

import dev.reprise.engine.bind.MethodRef;
import dev.reprise.engine.bind.NamedActivity;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An activity interface whose calls are steps, or go to a queue. */
final class ActivityProxy {
  private static final Object[] NO_ARGUMENTS = {};

  private ActivityProxy() {}

  /** One call of the interface, by the name under which it is recorded. */
  private interface Call {
    @Nullable Object make(String name, Method method, @Nullable Object[] arguments);
  }

  /** Each call is a step that calls the target. */
  static <T> T of(Class<T> type, T target, LiveRun run, RunSteps steps) {
    return calling(
        type,
        run,
        (name, method, arguments) ->
            steps.callAnywhere(
                name,
                method.getGenericReturnType(),
                () -> NamedActivity.invoke(target, method, arguments),
                arguments));
  }

  /** Each call goes to the queue of the options. */
  static <T> T queued(Class<T> type, LiveRun run, RunSteps steps) {
    return calling(
        type,
        run,
        (name, method, arguments) -> {
          var types = List.of(method.getGenericParameterTypes());
          return steps.queued(name, method.getGenericReturnType(), types, arguments).await();
        });
  }

  private static <T> T calling(Class<T> type, LiveRun run, Call call) {
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
              return call.make(name, method, given);
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

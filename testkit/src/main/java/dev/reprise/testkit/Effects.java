package dev.reprise.testkit;

import dev.reprise.ActivityContext;
import dev.reprise.Context;
import dev.reprise.engine.bind.NamedActivity;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Fakes of activities that notice a call by workflow code, which no history has. */
final class Effects {
  private static final Object[] NO_ARGUMENTS = {};

  private final AtomicReference<@Nullable AssertionError> first = new AtomicReference<>();

  <T> T of(Class<T> type, T fake) {
    if (!type.isInterface()) {
      throw new IllegalArgumentException(
          type.getName() + " is no interface: effects(…) can watch calls of an interface only");
    }
    var watched =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              if (method.getDeclaringClass() != Object.class) check(type, method);
              return NamedActivity.invoke(
                  fake, method, arguments == null ? NO_ARGUMENTS : arguments);
            });
    return type.cast(watched);
  }

  /** The test itself may call it, and so may an attempt of an activity. */
  private void check(Class<?> type, Method method) {
    if (!Context.CURRENT.isBound() || ActivityContext.CURRENT.isBound()) return;
    var direct =
        new AssertionError(
            """
            workflow code called %s.%s directly, so it is called again after each crash: make it an \
            activity, ctx.run(object::%s, …)\
            """
                .formatted(type.getSimpleName(), method.getName(), method.getName()));
    first.compareAndSet(null, direct);
    throw direct;
  }

  /** The first call by workflow code: the test fails with it, whatever became of the run. */
  Optional<AssertionError> complaint() {
    return Optional.ofNullable(first.get());
  }
}

package dev.reprise.engine.replay;

import dev.reprise.ActivityOptions;
import dev.reprise.engine.bind.MethodRef;
import dev.reprise.engine.bind.NamedActivity;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * An activity interface whose calls are steps, or go to a queue. A reference to a method of it is
 * one more way to make the same call: see {@link #behind}.
 */
final class ActivityProxy implements InvocationHandler {
  private static final Object[] NO_ARGUMENTS = {};

  private final Class<?> type;
  private final @Nullable Object target; // null if the calls go to a queue
  private final RunSteps steps;

  private ActivityProxy(Class<?> type, @Nullable Object target, RunSteps steps) {
    this.type = type;
    this.target = target;
    this.steps = steps;
  }

  /** Each call is a step that calls the target, or goes to the queue of the options. */
  static <T> T of(Class<T> type, @Nullable T target, RunSteps steps) {
    var handler = new ActivityProxy(type, target, steps);
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** The proxy to whose method the reference is bound; null if it is bound to another object. */
  static @Nullable ActivityProxy behind(MethodRef ref, Serializable reference) {
    return ref.receiver(reference) instanceof Proxy proxy
            && Proxy.getInvocationHandler(proxy) instanceof ActivityProxy own
        ? own
        : null;
  }

  ActivityOptions options() {
    return steps.options();
  }

  @Override
  public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] given) {
    var arguments = given == null ? NO_ARGUMENTS : given;
    if (method.getDeclaringClass() == Object.class) return ofObject(self, method, arguments);
    var ref = steps.renamed(MethodRef.of(type, method, target == null ? type : target.getClass()));
    return make(ref, ref.result(), steps, arguments);
  }

  /**
   * Makes a call of a method of the interface.
   *
   * @param type of what the caller wants to get
   * @param by with the options of the call
   */
  <R extends @Nullable Object> R make(
      MethodRef ref, Type type, RunSteps by, @Nullable Object... arguments) {
    if (by.options().queue().isPresent()) return by.<R>queued(ref, type, arguments).await();
    Callable<@Nullable Object> body =
        () -> {
          var result = called(ref.method(), arguments);
          return type == void.class ? null : result;
        };
    return by.call(ref.place(), ref.name(), type, body, arguments);
  }

  private @Nullable Object called(Method method, @Nullable Object[] arguments) throws Exception {
    return NamedActivity.invoke(Objects.requireNonNull(target), method, arguments);
  }

  @SuppressWarnings("ReferenceEquality") // a proxy equals itself only
  private Object ofObject(Object self, Method method, @Nullable Object[] arguments) {
    return switch (method.getName()) {
      case "equals" -> self == arguments[0];
      case "hashCode" -> System.identityHashCode(self);
      default -> "activities of " + type.getName();
    };
  }
}

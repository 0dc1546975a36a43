package dev.reprise.engine.bind;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Workflow;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Objects in place of those that a workflow is made of, where none of them is ever called. */
public final class StandIns {
  private static final Map<Class<?>, Object> VALUES =
      Map.of(
          String.class, "",
          Duration.class, Duration.ZERO,
          Optional.class, Optional.empty(),
          Iterable.class, List.of(),
          Collection.class, List.of(),
          List.class, List.of(),
          Set.class, Set.of(),
          Map.class, Map.of());

  private final List<Class<?>> making = new ArrayList<>(); // the outermost first

  private StandIns() {}

  /**
   * A workflow of that class, made by its constructor with the most parameters that can be stood in
   * for.
   */
  public static Workflow<?, ?> workflow(Class<?> type) {
    if (!Workflow.class.isAssignableFrom(type)) {
      throw new RepriseException(ErrorCode.R120, type.getName() + " is no Workflow");
    }
    var made = new StandIns().made(type);
    if (made.isPresent()) return (Workflow<?, ?>) made.get();
    throw new RepriseException(
        ErrorCode.R120,
        "no constructor of %s can be called with stand-ins for its parameters: implement"
                .formatted(type.getName())
            + " dev.reprise.engine.Workflows, which makes it as the application does");
  }

  /** An object of an interface that fails when it is called. */
  static <T> T of(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer(type, proxy, method, arguments)));
  }

  @SuppressWarnings("ReferenceEquality") // a stand-in has nothing but its identity
  private static Object answer(
      Class<?> type, Object proxy, Method method, Object @Nullable [] arguments) {
    if (method.getDeclaringClass() == Object.class) {
      return switch (method.getName()) {
        case "equals" -> arguments != null && proxy == arguments[0];
        case "hashCode" -> System.identityHashCode(proxy);
        default -> "a stand-in for " + type.getName();
      };
    }
    throw new IllegalStateException("nothing may be called here: " + method);
  }

  private Optional<Object> made(Class<?> type) {
    if (making.contains(type) || Modifier.isAbstract(type.getModifiers())) return Optional.empty();
    making.add(type);
    try {
      return Stream.of(type.getDeclaredConstructors())
          .sorted(Comparator.comparing((Constructor<?> each) -> -each.getParameterCount()))
          .flatMap(constructor -> call(constructor).stream())
          .findFirst();
    } finally {
      making.removeLast();
    }
  }

  private Optional<Object> call(Constructor<?> constructor) {
    var arguments = new ArrayList<Object>();
    for (var type : constructor.getParameterTypes()) {
      var argument = argument(type);
      if (argument.isEmpty()) return Optional.empty();
      arguments.add(argument.get());
    }
    try {
      constructor.setAccessible(true);
      return Optional.of(constructor.newInstance(arguments.toArray()));
    } catch (InvocationTargetException | InstantiationException | IllegalAccessException e) {
      return Optional.empty();
    }
  }

  private Optional<Object> argument(Class<?> type) {
    if (type.isPrimitive()) return Optional.of(Array.get(Array.newInstance(type, 1), 0));
    var value = VALUES.get(type);
    if (value != null) return Optional.of(value);
    if (type.isArray()) return Optional.of(Array.newInstance(type.getComponentType(), 0));
    if (type.isEnum()) return Stream.<Object>of(type.getEnumConstants()).findFirst();
    if (type.isInterface()) return type.isSealed() ? Optional.empty() : Optional.of(of(type));
    if (type.getClassLoader() == null) return Optional.empty(); // the JDK's
    return made(type);
  }
}

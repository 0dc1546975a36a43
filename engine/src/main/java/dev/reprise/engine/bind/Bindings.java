package dev.reprise.engine.bind;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the type variables of classes and interfaces stand for, seen from a type that extends or
 * implements them: in {@code interface Orders extends Repo<Order>} the {@code T} of {@code Repo<T>}
 * is {@code Order}.
 */
final class Bindings {
  private final Map<TypeVariable<?>, Type> known = new HashMap<>();
  private final Set<Class<?>> seen = new HashSet<>();

  private Bindings() {}

  /** Those of all supertypes of a type, at any depth. */
  static Map<TypeVariable<?>, Type> of(Type type) {
    var bindings = new Bindings();
    bindings.follow(type);
    return Map.copyOf(bindings.known);
  }

  private void follow(@Nullable Type type) {
    var raw = raw(type);
    if (raw == null) return;
    if (type instanceof ParameterizedType parameterized) bind(raw, parameterized);
    if (!seen.add(raw)) return;
    follow(raw.getGenericSuperclass());
    for (var parent : raw.getGenericInterfaces()) follow(parent);
  }

  private void bind(Class<?> raw, ParameterizedType type) {
    var variables = raw.getTypeParameters();
    var arguments = type.getActualTypeArguments();
    for (int i = 0; i < arguments.length; i++) {
      var argument = Resolved.of(arguments[i], known);
      if (!argument.equals(variables[i])) known.putIfAbsent(variables[i], argument);
    }
    if (type.getOwnerType() instanceof ParameterizedType owner) {
      bind((Class<?>) owner.getRawType(), owner);
    }
  }

  private static @Nullable Class<?> raw(@Nullable Type type) {
    return switch (type) {
      case Class<?> c -> c;
      case ParameterizedType p -> (Class<?>) p.getRawType();
      case null, default -> null;
    };
  }
}

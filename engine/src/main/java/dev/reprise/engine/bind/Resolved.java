package dev.reprise.engine.bind;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A generic type whose variables were replaced by what they stand for. */
record Resolved(Type raw, @Nullable Type owner, List<Type> arguments) implements ParameterizedType {

  /** The type with what is known of its variables, at any depth. */
  static Type of(Type type, Map<TypeVariable<?>, Type> known) {
    return replaced(type, variable -> known.getOrDefault(variable, variable));
  }

  /** The type without variables: one of which nothing is known can be read as its bound. */
  static Type closed(Type type) {
    return replaced(type, Resolved::bound);
  }

  private static Type bound(TypeVariable<?> variable) {
    var bound = variable.getBounds()[0];
    if (!isOpen(bound)) return bound;
    return switch (bound) {
      case ParameterizedType p -> p.getRawType(); // T extends Comparable<T>
      case TypeVariable<?> other -> bound(other);
      default -> Object.class;
    };
  }

  /** A wildcard with a variable in it is read as its bound, with which it is written. */
  private static Type replaced(Type type, Function<TypeVariable<?>, Type> variables) {
    return switch (type) {
      case TypeVariable<?> variable -> variables.apply(variable);
      case ParameterizedType p -> {
        var before = List.of(p.getActualTypeArguments());
        var after = before.stream().map(argument -> replaced(argument, variables)).toList();
        yield after.equals(before) ? p : new Resolved(p.getRawType(), p.getOwnerType(), after);
      }
      case GenericArrayType array -> {
        var part = array.getGenericComponentType();
        var after = replaced(part, variables);
        if (after instanceof Class<?> component) yield component.arrayType();
        yield after.equals(part) ? array : new ArrayOf(after);
      }
      case WildcardType wildcard -> {
        var lower = wildcard.getLowerBounds();
        var before = lower.length > 0 ? lower[0] : wildcard.getUpperBounds()[0];
        var after = replaced(before, variables);
        yield after.equals(before) ? wildcard : after;
      }
      default -> type;
    };
  }

  /** Whether a variable is left in it. */
  static boolean isOpen(Type type) {
    return switch (type) {
      case TypeVariable<?> _ -> true;
      case ParameterizedType p -> areOpen(p.getActualTypeArguments());
      case GenericArrayType array -> isOpen(array.getGenericComponentType());
      case WildcardType w -> areOpen(w.getUpperBounds()) || areOpen(w.getLowerBounds());
      default -> false;
    };
  }

  private static boolean areOpen(Type[] types) {
    return Stream.of(types).anyMatch(Resolved::isOpen);
  }

  /** An array of a generic type. */
  private record ArrayOf(Type component) implements GenericArrayType {
    @Override
    public Type getGenericComponentType() {
      return component;
    }

    @Override
    public String toString() {
      return component.getTypeName() + "[]";
    }
  }

  @Override
  public Type getRawType() {
    return raw;
  }

  @Override
  public @Nullable Type getOwnerType() {
    return owner;
  }

  @Override
  public Type[] getActualTypeArguments() {
    return arguments.toArray(Type[]::new);
  }

  @Override
  public String toString() {
    return arguments.stream()
        .map(Type::getTypeName)
        .collect(Collectors.joining(", ", raw.getTypeName() + "<", ">"));
  }
}

package dev.reprise.engine.bind;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A generic type whose variables were replaced by what they stand for. */
record Resolved(Type raw, @Nullable Type owner, List<Type> arguments) implements ParameterizedType {

  /** The type with what is known of its variables, at any depth. */
  static Type of(Type type, Map<TypeVariable<?>, Type> known) {
    return switch (type) {
      case TypeVariable<?> variable -> known.getOrDefault(variable, variable);
      case ParameterizedType p -> {
        var before = List.of(p.getActualTypeArguments());
        var after = before.stream().map(argument -> of(argument, known)).toList();
        yield after.equals(before) ? p : new Resolved(p.getRawType(), p.getOwnerType(), after);
      }
      default -> type;
    };
  }

  /** Whether a variable is left in it. */
  static boolean isOpen(Type type) {
    return switch (type) {
      case TypeVariable<?> _ -> true;
      case ParameterizedType p -> Stream.of(p.getActualTypeArguments()).anyMatch(Resolved::isOpen);
      default -> false;
    };
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

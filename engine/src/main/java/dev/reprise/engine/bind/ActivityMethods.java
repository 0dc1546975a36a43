package dev.reprise.engine.bind;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The methods of a type that can be called as activities, and the names that they have there. */
final class ActivityMethods {
  private ActivityMethods() {}

  /**
   * What tells a method from others of a type, and from none that it overrides: there the types of
   * its parameters are the same, seen from the type that has both.
   */
  record Signature(String method, List<Type> parameters) {}

  static Signature signature(Method method, Map<TypeVariable<?>, Type> known) {
    return new Signature(method.getName(), types(method, known));
  }

  /** The types of the parameters of a method, as far as they are known. */
  static List<Type> types(Method method, Map<TypeVariable<?>, Type> known) {
    return Stream.of(method.getGenericParameterTypes())
        .map(type -> Resolved.of(type, known))
        .toList();
  }

  /** A class and all that it extends and implements, the nearest first. */
  static Set<Class<?>> typesOf(Class<?> type) {
    var types = new LinkedHashSet<Class<?>>();
    for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
      types.add(c);
      addInterfaces(c, types);
    }
    return types;
  }

  private static void addInterfaces(Class<?> type, Set<Class<?>> types) {
    for (var parent : type.getInterfaces()) {
      if (types.add(parent)) addInterfaces(parent, types);
    }
  }

  /**
   * The methods that are called by a name of this type. A reference has the name of the type that
   * declares the method, a proxy that of its interface, also where a method is inherited.
   */
  static List<Method> of(Class<?> type) {
    var methods = new ArrayList<>(Arrays.asList(type.getDeclaredMethods()));
    if (type.isInterface()) methods.addAll(Arrays.asList(type.getMethods()));
    return methods.stream()
        .distinct()
        .filter(method -> !method.isSynthetic() && !Modifier.isStatic(method.getModifiers()))
        .toList();
  }

  /** Whether other methods of a type have the name of this one, so that it does not say which. */
  static boolean isOverloaded(Class<?> type, Method method) {
    var name = MethodRef.nameOf(type, method);
    var known = Bindings.of(type);
    return of(type).stream()
            .filter(other -> MethodRef.nameOf(type, other).equals(name))
            .map(other -> signature(other, known))
            .distinct()
            .count()
        > 1;
  }
}

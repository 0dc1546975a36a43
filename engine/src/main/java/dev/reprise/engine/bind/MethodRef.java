package dev.reprise.engine.bind;

import dev.reprise.ErrorCode;
import dev.reprise.Name;
import dev.reprise.RepriseException;
import dev.reprise.Was;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a bound method reference refers to.
 *
 * <p>The compiler makes one class for each method reference in the source, so this is worked out
 * once for each place in the code and then looked up by class.
 *
 * @param name {@code Payments.charge}
 * @param method as its type declares it
 * @param result the declared result type
 * @param parameters the declared types of its parameters
 * @param formerNames names that histories may have for it
 * @param overloaded whether other methods of its type have that name too
 * @param place where the calls with it stand
 */
public record MethodRef(
    String name,
    Method method,
    Type result,
    List<Type> parameters,
    List<String> formerNames,
    boolean overloaded,
    CallPlace place) {
  private static final ClassValue<ReferenceSite> SITES =
      new ClassValue<>() {
        @Override
        protected ReferenceSite computeValue(Class<?> type) {
          return new ReferenceSite(type);
        }
      };

  private static final ClassValue<Map<Called, MethodRef>> CALLED =
      new ClassValue<>() {
        @Override
        protected Map<Called, MethodRef> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  /** A method and the interface by which it is called. */
  private record Called(Class<?> type, Method method) {}

  /** Names the method. */
  public static MethodRef of(Serializable reference) {
    return SITES.get(reference.getClass()).ref(reference);
  }

  /**
   * The same for a method that is called through a proxy.
   *
   * @param type the interface that the proxy has, which may inherit the method
   * @param target the class of the object behind it, or the interface if there is none
   */
  public static MethodRef of(Class<?> type, Method method, Class<?> target) {
    return CALLED
        .get(target)
        .computeIfAbsent(new Called(type, method), _ -> of(type, method, Bindings.of(target)));
  }

  private static MethodRef of(Class<?> type, Method method, Map<TypeVariable<?>, Type> known) {
    return new MethodRef(
        nameOf(type, method),
        method,
        Resolved.closed(Resolved.of(method.getGenericReturnType(), known)),
        ActivityMethods.types(method, known),
        formerNamesOf(type, method),
        ActivityMethods.isOverloaded(type, method),
        CallPlace.ANYWHERE);
  }

  /**
   * The object that a reference to a method of an interface is bound to; null for others, and if
   * there is none.
   */
  public @Nullable Object receiver(Serializable reference) {
    if (!method.getDeclaringClass().isInterface()) return null;
    return SITES.get(reference.getClass()).receiver(reference);
  }

  /**
   * Refuses a method that a worker could not tell from another one of its type.
   *
   * @throws RepriseException {@code R103} if its name is not its own
   */
  public MethodRef checked() {
    if (!overloaded) return this;
    throw new RepriseException(
        ErrorCode.R103,
        "%s has several methods that are recorded as '%s', and a worker could not tell which of them"
                .formatted(method.getDeclaringClass().getName(), name)
            + " is meant: give each a name of its own with @Name");
  }

  /** The recorded name of a method of an activity type. */
  public static String nameOf(Class<?> type, Method method) {
    var ofMethod = method.getAnnotation(Name.class);
    if (ofMethod != null) return ofMethod.value();
    var ofType = type.getAnnotation(Name.class);
    if (ofType == null && type.isAnonymousClass()) throw anonymous(type, method);
    return (ofType != null ? ofType.value() : type.getSimpleName()) + "." + method.getName();
  }

  /** The names that it had before, by its own {@link Was} and by that of its type. */
  public static List<String> formerNamesOf(Class<?> type, Method method) {
    var names = new ArrayList<String>();
    var ofMethod = method.getAnnotation(Was.class);
    if (ofMethod != null) names.addAll(List.of(ofMethod.value()));
    var ofType = type.getAnnotation(Was.class);
    if (ofType == null) return List.copyOf(names);
    for (var former : ofType.value()) names.add(former + "." + method.getName());
    return List.copyOf(names);
  }

  private static RepriseException anonymous(Class<?> type, Method method) {
    return new RepriseException(
        ErrorCode.R109,
        "the anonymous class %s has no name by which its method %s could be recorded: give it a"
                .formatted(type.getName(), method.getName())
            + " name, call it through an interface, or put @Name on the method");
  }

  /** Whether the methods of a type have recorded names. */
  static boolean isNamed(Class<?> type, Method method) {
    return !type.isAnonymousClass()
        || method.isAnnotationPresent(Name.class)
        || type.isAnnotationPresent(Name.class);
  }
}

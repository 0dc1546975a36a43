package dev.reprise.engine.bind;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The activity objects that were registered, found by the type a workflow asks for. */
public final class ActivityRegistry {
  private final List<Object> objects;
  private final Map<String, List<NamedActivity>> named;
  private final Map<String, RetryPolicy> retries;
  private final boolean standIns;

  public ActivityRegistry(List<?> objects) {
    this(objects, List.of());
  }

  /**
   * @param labelled activities that are functions with a label
   */
  public ActivityRegistry(List<?> objects, List<NamedActivity> labelled) {
    this(objects, labelled, Map.of(), false);
  }

  /**
   * @param retries what counts for activities of these names, unless a call says something else
   */
  public ActivityRegistry(
      List<?> objects, List<NamedActivity> labelled, Map<String, RetryPolicy> retries) {
    this(objects, labelled, retries, false);
  }

  private ActivityRegistry(
      List<?> objects,
      List<NamedActivity> labelled,
      Map<String, RetryPolicy> retries,
      boolean standIns) {
    this.objects = List.copyOf(objects);
    this.retries = Map.copyOf(retries);
    this.standIns = standIns;
    this.named = new HashMap<>();
    for (var object : this.objects) methodsOf(object);
    for (var activity : labelled) add(activity);
  }

  /** A method has a name for each type that has it: its class, and interfaces of that. */
  private void methodsOf(Object object) {
    var seen = new HashSet<String>();
    for (var type : typesOf(object.getClass())) {
      for (var method : type.getDeclaredMethods()) {
        if (method.isSynthetic() || Modifier.isStatic(method.getModifiers())) continue;
        var names = new ArrayList<>(MethodRef.formerNamesOf(type, method));
        names.add(MethodRef.nameOf(type, method));
        for (var name : names) if (seen.add(name)) add(NamedActivity.of(name, object, method));
      }
    }
  }

  private static Set<Class<?>> typesOf(Class<?> type) {
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

  private void add(NamedActivity activity) {
    named.computeIfAbsent(activity.name(), _ -> new ArrayList<>(1)).add(activity);
  }

  /** One that has something for every interface, where nothing is ever called. */
  public static ActivityRegistry ofStandIns() {
    return new ActivityRegistry(List.of(), List.of(), Map.of(), true);
  }

  /** Only an interface can be called through a proxy. */
  public static void checkInterface(Class<?> type) {
    if (type.isInterface()) return;
    throw new RepriseException(
        ErrorCode.R103,
        "%s is not an interface: only interfaces can be called through a proxy, a class by"
                .formatted(type.getName())
            + " ctx.run(object::method, …)");
  }

  /** What an activity itself says about retries, or null. */
  public @Nullable RetryPolicy retry(String name) {
    return retries.get(name);
  }

  /** The names of all activities that can be called by their names. */
  public Set<String> names() {
    return named.entrySet().stream()
        .filter(entry -> entry.getValue().size() == 1)
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The one object that implements the type. */
  public <T> T implementing(Class<T> type) {
    checkInterface(type);
    if (standIns) return StandIns.of(type);
    var found = new ArrayList<T>();
    for (var object : objects) if (type.isInstance(object)) found.add(type.cast(object));
    if (found.size() == 1) return found.getFirst();
    throw new RepriseException(
        ErrorCode.R103,
        found.isEmpty()
            ? "no registered object implements %s: add it with activities(…) when the engine is"
                    .formatted(type.getName())
                + " opened"
            : "%d registered objects implement %s: register one"
                .formatted(found.size(), type.getName()));
  }

  /**
   * The activity of that name, for one that is called when the code that asked for it is gone.
   *
   * @throws RepriseException {@code R103} if there is none, or more than one
   */
  public NamedActivity named(String name) {
    var found = named.getOrDefault(name, List.of());
    if (found.size() == 1) return found.getFirst();
    if (standIns) return new NamedActivity(name, List.of(), void.class, _ -> null);
    throw new RepriseException(
        ErrorCode.R103,
        found.isEmpty()
            ? "no activity '%s' is registered: add its object with activities(…), or a function with"
                    .formatted(name)
                + " activity(\"label\", …), when the engine is opened"
            : "%d registered objects have an activity '%s': register one"
                .formatted(found.size(), name));
  }
}

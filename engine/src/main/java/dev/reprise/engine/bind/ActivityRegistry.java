package dev.reprise.engine.bind;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.engine.bind.ActivityMethods.Signature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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
    this.retries = new HashMap<>(retries);
    this.standIns = standIns;
    this.named = new HashMap<>();
    for (var object : this.objects) methodsOf(object);
    for (var activity : labelled) add(activity);
  }

  /**
   * A method has a name for each type by which it can be called: its class, and interfaces of that,
   * also those that inherit it.
   */
  private void methodsOf(Object object) {
    var known = Bindings.of(object.getClass());
    var seen = new HashMap<String, Set<Signature>>();
    var names = new HashMap<Signature, Set<String>>();
    for (var type : ActivityMethods.typesOf(object.getClass())) {
      for (var method : ActivityMethods.of(type)) {
        if (!MethodRef.isNamed(type, method)) continue; // found by its interfaces
        var signature = ActivityMethods.signature(method, known);
        var all = new ArrayList<>(MethodRef.formerNamesOf(type, method));
        all.add(MethodRef.nameOf(type, method));
        names.computeIfAbsent(signature, _ -> new TreeSet<>()).addAll(all);
        for (var name : all) {
          if (!seen.computeIfAbsent(name, _ -> new HashSet<>()).add(signature)) continue;
          add(NamedActivity.of(name, object, method, known));
        }
      }
    }
    names.values().forEach(this::shareRetries);
  }

  /** What counts for one name of a method counts for those of its names for which nothing does. */
  private void shareRetries(Set<String> names) {
    var given = names.stream().map(retries::get).filter(Objects::nonNull).distinct().toList();
    if (given.size() != 1) return;
    for (var name : names) retries.putIfAbsent(name, given.getFirst());
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

  /** The activities that can be called by their names: those that are the only one of a name. */
  public List<NamedActivity> all() {
    return named.values().stream()
        .filter(each -> each.size() == 1)
        .map(List::getFirst)
        .sorted(Comparator.comparing(NamedActivity::name))
        .toList();
  }

  /** Their names. */
  public Set<String> names() {
    return all().stream().map(NamedActivity::name).collect(Collectors.toUnmodifiableSet());
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
                + " opened; or, if workers elsewhere have it, name their queue:"
                + " ctx.activities(%s.class, ActivityOptions.onQueue(\"…\"))"
                    .formatted(type.getSimpleName())
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
            : "%d registered methods are activities named '%s': register one object that has it, and"
                    .formatted(found.size(), name)
                + " give overloaded methods names of their own with @Name");
  }
}

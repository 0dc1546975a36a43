package dev.reprise.guard;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Classes and how they descend from each other. Not for several threads. */
final class Types {
  static final String OBJECT = "java/lang/Object";
  static final String WORKFLOW = "dev/reprise/Workflow";
  static final String CONTEXT = "dev/reprise/Context";
  static final String STEPS = "dev/reprise/Steps";

  private static final String ACTION = STEPS + "$Action";

  private static final Set<String> JDK = Set.of("java/", "javax/", "jdk/", "sun/", "com/sun/");

  private final ClassSource source;
  private final Map<String, Optional<ClassInfo>> classes = new HashMap<>();
  private final Map<String, Boolean> own = new HashMap<>();
  private final Map<String, Set<String>> supertypes = new HashMap<>();

  Types(ClassSource source) {
    this.source = source;
  }

  @Nullable ClassInfo find(String name) {
    return classes.computeIfAbsent(name, this::read).orElse(null);
  }

  private Optional<ClassInfo> read(String name) {
    try {
      return Optional.ofNullable(source.read(name)).map(ClassInfo::read);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "cannot read the class file of " + name.replace('/', '.') + ": " + e.getMessage(), e);
    }
  }

  /** Whether it is code of the user, neither of a library nor of Reprise. */
  boolean isOwn(String name) {
    return own.computeIfAbsent(
        name, key -> !isOfJdk(key) && !isOfApi(key) && source.isOwn(key) && find(key) != null);
  }

  /**
   * Such names are below {@code jakarta/} or {@code javax/} without being of the JDK; no matter.
   */
  private static boolean isOfJdk(String name) {
    return JDK.stream().anyMatch(name::startsWith);
  }

  private static boolean isOfApi(String name) {
    return name.startsWith("dev/reprise/") && name.indexOf('/', "dev/reprise/".length()) < 0;
  }

  boolean isWorkflow(String name) {
    return supertypes(name).contains(WORKFLOW);
  }

  /** Whether its methods are those of the context. */
  boolean isContext(String name) {
    return name.equals(CONTEXT) || supertypes(name).contains(STEPS);
  }

  /**
   * Whether it is an interface whose code is an activity wherever it is made. An action is one only
   * if it is given to {@code ctx.run(…)}; {@code ctx.shielded(…)} takes one too.
   */
  static boolean isActivity(String name) {
    return name.startsWith(STEPS + "$") && !name.equals(ACTION);
  }

  /**
   * Itself and all classes and interfaces above it, superclasses first; not those above the JDK's.
   */
  Set<String> supertypes(String name) {
    var known = supertypes.get(name);
    if (known != null) return known;
    var all = new LinkedHashSet<String>();
    all.add(name);
    var info = isOfJdk(name) ? null : find(name);
    if (info != null) {
      if (info.parent() != null) all.addAll(supertypes(info.parent()));
      info.interfaces().forEach(each -> all.addAll(supertypes(each)));
    }
    supertypes.put(name, all);
    return all;
  }

  /**
   * The method of the user that a call on an object of {@code call.owner()} runs, if it has code.
   */
  @Nullable Member resolve(Member call) {
    for (var type : supertypes(call.owner())) {
      if (!isOwn(type)) continue;
      var info = find(type);
      var method = info == null ? null : info.method(call.name(), call.type());
      if (method != null && method.code().isPresent()) return call.in(type);
      if (call.isConstructor()) return null;
    }
    return null;
  }

  /** The class that declares a field of the user's own classes, or null if it is not one. */
  @Nullable Member resolveField(Member field) {
    for (var type : supertypes(field.owner())) {
      if (!isOwn(type)) continue;
      var info = find(type);
      if (info != null && info.fields().containsKey(field.name())) return field.in(type);
    }
    return null;
  }
}

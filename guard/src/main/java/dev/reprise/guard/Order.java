package dev.reprise.guard;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows collections whose order is that of hash codes, from where they are made to where their
 * order matters. To put into and get from them is harmless, and so is what does not depend on the
 * order, such as to count.
 */
final class Order {
  private static final Set<String> UNORDERED =
      Set.of(
          "java/util/HashMap",
          "java/util/HashSet",
          "java/util/Hashtable",
          "java/util/IdentityHashMap",
          "java/util/Properties",
          "java/util/WeakHashMap",
          "java/util/concurrent/ConcurrentHashMap",
          "java/util/concurrent/ConcurrentHashMap$KeySetView");
  private static final Set<String> COPIES =
      Set.of(
          "java/util/ArrayList",
          "java/util/LinkedList",
          "java/util/ArrayDeque",
          "java/util/LinkedHashMap",
          "java/util/LinkedHashSet",
          "java/util/Vector",
          "java/util/concurrent/CopyOnWriteArrayList");
  private static final Set<String> VIEWS =
      Set.of(
          ("keySet values entrySet stream parallelStream sequential unordered filter map mapToInt"
               + " mapToLong mapToDouble mapToObj mapMulti flatMap flatMapToInt boxed asLongStream"
               + " asDoubleStream distinct peek onClose")
              .split(" "));
  private static final Set<String> IN_ORDER =
      Set.of(
          ("iterator listIterator spliterator forEach forEachOrdered toArray elements keys"
                  + " findFirst findAny limit skip takeWhile dropWhile")
              .split(" "));
  private static final Set<String> HASHING_COLLECTORS =
      Set.of(
          ("toSet/0 toUnmodifiableSet/0 toMap/2 toMap/3 toUnmodifiableMap/2 toUnmodifiableMap/3"
                  + " toConcurrentMap/2 toConcurrentMap/3 groupingBy/1 groupingBy/2"
                  + " groupingByConcurrent/1 groupingByConcurrent/2")
              .split(" "));

  private final Troubles troubles;
  private final Map<Integer, Facts.Trouble> copies = new HashMap<>();
  private final Set<Integer> sorted = new HashSet<>();

  Order(Troubles troubles) {
    this.troubles = troubles;
  }

  /** What the declared type of a value tells. */
  static Set<Origin> byType(String descriptor) {
    var type = Signature.type(descriptor);
    return UNORDERED.contains(type)
        ? Set.of(new Origin.Unordered(Member.shown(type)))
        : Frame.UNKNOWN;
  }

  /** What is known of the result. */
  Set<Origin> invoke(Invocation call) {
    var method = call.method();
    if (!method.owner().startsWith("java/")) return Frame.UNKNOWN;
    if (method.isConstructor()) return construct(call);
    if (call.isStatic()) return invokeStatic(call);
    if (method.name().equals("sort")) sort(call.object());
    if (method.name().equals("collect") && call.arguments().size() == 1) return collect(call);
    var what = unordered(call.object());
    if (what == null) return Frame.UNKNOWN;
    if (IN_ORDER.contains(method.name())) iterated(what);
    if (method.name().equals("toList")) return copy(call.site(), what);
    return VIEWS.contains(method.name()) ? same(what) : Frame.UNKNOWN;
  }

  /** What it is, the first by name if it may be several: findings are to be the same every time. */
  private static @Nullable String unordered(Set<Origin> value) {
    String first = null;
    for (var origin : value) {
      var what =
          switch (origin) {
            case Origin.Unordered(var name) -> name;
            case Origin.New(_, var type) when UNORDERED.contains(type) -> Member.shown(type);
            default -> null;
          };
      if (what != null && (first == null || what.compareTo(first) < 0)) first = what;
    }
    return first;
  }

  private static Set<Origin> same(@Nullable String what) {
    return what == null ? Frame.UNKNOWN : Set.of(new Origin.Unordered(what));
  }

  private void iterated(String what) {
    troubles.add(Kind.ORDER, "iteration over " + what);
  }

  private Set<Origin> construct(Invocation call) {
    if (call.arguments().size() != 1 || !COPIES.contains(call.method().owner())) {
      return Frame.UNKNOWN;
    }
    var what = unordered(call.arguments().getFirst());
    if (what == null) return Frame.UNKNOWN;
    for (var origin : call.object()) {
      if (origin instanceof Origin.New(var site, _)) copy(site, what);
    }
    return Frame.UNKNOWN;
  }

  /** A list in the order of hash codes is wrong unless it is sorted afterwards. */
  private Set<Origin> copy(int site, String what) {
    copies.putIfAbsent(site, troubles.here(Kind.ORDER, "a list made from " + what));
    return Set.of(new Origin.New(site, "java/util/ArrayList"));
  }

  private void sort(Set<Origin> list) {
    for (var origin : list) {
      if (origin instanceof Origin.New(var site, _)) sorted.add(site);
    }
  }

  /** Reports the copies that were never sorted. */
  void finish() {
    copies.forEach(
        (site, trouble) -> {
          if (!sorted.contains(site)) troubles.add(trouble);
        });
  }

  private Set<Origin> invokeStatic(Invocation call) {
    var name = call.method().name();
    var arguments = call.arguments();
    return switch (call.method().owner()) {
      case "java/util/Map", "java/util/Set" ->
          isUnordered(call) ? same(call.method().shown()) : Frame.UNKNOWN;
      case "java/util/List" -> {
        var what = name.equals("copyOf") ? unordered(arguments.getFirst()) : null;
        yield what == null ? Frame.UNKNOWN : copy(call.site(), what);
      }
      case "java/util/Collections" -> {
        if (name.equals("sort")) sort(arguments.getFirst());
        yield name.matches("(unmodifiable|synchronized|checked|newSetFrom).*")
            ? same(unordered(arguments.getFirst()))
            : Frame.UNKNOWN;
      }
      case "java/util/stream/Collectors" ->
          Set.of(new Origin.Collecting(name + "/" + arguments.size()));
      case "java/lang/String" -> {
        var what = name.equals("join") ? unordered(arguments.getLast()) : null;
        if (what != null) iterated(what);
        yield Frame.UNKNOWN;
      }
      default -> Frame.UNKNOWN;
    };
  }

  /** One element, or one key, is always in order. */
  private static boolean isUnordered(Invocation call) {
    int single = call.method().owner().endsWith("Map") ? 2 : 1;
    return switch (call.method().name()) {
      case "of" -> call.arguments().size() > single || call.method().type().startsWith("([");
      case "ofEntries", "copyOf" -> true;
      default -> false;
    };
  }

  private Set<Origin> collect(Invocation call) {
    var what = unordered(call.object());
    for (var origin : call.arguments().getFirst()) {
      if (!(origin instanceof Origin.Collecting(var collector))) continue;
      var name = collector.substring(0, collector.indexOf('/'));
      if (HASHING_COLLECTORS.contains(collector)) return same("Collectors." + name);
      if (what == null) continue;
      if (name.equals("joining")) iterated(what);
      if (List.of("toList", "toUnmodifiableList").contains(name)) return copy(call.site(), what);
    }
    return Frame.UNKNOWN;
  }
}

package dev.reprise.engine.codec;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ser.BeanPropertyWriter;

/**
 * What a type leaves open: which of its values come back as they were. Most types leave nothing
 * open, and their values are not looked at.
 */
sealed interface ValueCheck {

  /** For types of which all values come back. */
  ValueCheck NONE = new None();

  /**
   * Refuses a value that would come back as another one.
   *
   * @throws Misfit with the path to what does not fit
   */
  void check(@Nullable Object value);

  /** Whether a value may be refused. */
  default boolean isOpen() {
    return true;
  }

  /** Whether there is nothing to check but what that one checks. */
  default boolean isOnly(Deferred other) {
    return false;
  }

  /** Nothing is open. */
  record None() implements ValueCheck {
    @Override
    public void check(@Nullable Object value) {}

    @Override
    public boolean isOpen() {
      return false;
    }

    @Override
    public boolean isOnly(Deferred other) {
      return true;
    }
  }

  /** The check of a type that contains itself. */
  final class Deferred implements ValueCheck {
    private volatile ValueCheck known = NONE;

    ValueCheck is(ValueCheck check) {
      known = check.isOnly(this) ? NONE : check;
      return known;
    }

    @Override
    public void check(@Nullable Object value) {
      known.check(value);
    }

    @Override
    public boolean isOnly(Deferred other) {
      return this == other;
    }
  }

  /** Of a type whose values come back equal or not, one by one. */
  record ThereAndBack(UnaryOperator<Object> back) implements ValueCheck {
    @Override
    public void check(@Nullable Object value) {
      if (value == null) return;
      Object read;
      try {
        read = back.apply(value);
      } catch (RuntimeException unreadable) {
        throw new Misfit("cannot be read again: " + Reasons.of(unreadable).getMessage());
      }
      if (!value.equals(read)) {
        throw new Misfit("is a %s, and comes back as another one".formatted(nameOf(value)));
      }
    }
  }

  /** Declared as an object of any kind: what comes back is what JSON knows. */
  record Anything(Class<?> declared) implements ValueCheck {
    private static final BigInteger MIN_LONG = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);

    @Override
    public void check(@Nullable Object value) {
      switch (value) {
        case null -> {}
        case String _, Boolean _, Integer _ -> {}
        case Long number when number != number.intValue() -> {}
        case BigInteger number
            when number.compareTo(MIN_LONG) < 0 || number.compareTo(MAX_LONG) > 0 -> {}
        case BigDecimal number when number.scale() != 0 -> {}
        case List<?> list -> Elements.check(list, this);
        case Map<?, ?> map -> {
          for (var entry : map.entrySet()) {
            if (!(entry.getKey() instanceof String)) throw open(entry.getKey(), "a text");
          }
          Entries.check(map, this);
        }
        case Number number -> throw open(number, "the number that its digits look like");
        default -> throw open(value, value instanceof Collection<?> ? "a list" : "a map or a text");
      }
    }

    private Misfit open(@Nullable Object value, String as) {
      return new Misfit(
          "is a %s where %s is declared, and comes back as %s: declare what it is"
              .formatted(nameOf(value), declared.getSimpleName(), as));
    }
  }

  /** The elements of a collection, and its kind. */
  record Elements(Class<?> declared, ValueCheck each) implements ValueCheck {
    @Override
    public void check(@Nullable Object value) {
      if (value == null) return;
      if (value instanceof Set<?> && !Set.class.isAssignableFrom(declared)) {
        throw new Misfit(
            "is a Set where %s is declared, and comes back as a list: declare it as a Set"
                .formatted(declared.getSimpleName()));
      }
      boolean isQueue = java.util.Queue.class.isAssignableFrom(declared);
      if (isQueue && !(value instanceof Deque<?>)) throw another(value, declared);
      boolean sorted = SortedSet.class.isAssignableFrom(declared);
      if (sorted && value instanceof SortedSet<?> set) checkOrder(set.comparator());
      if (each.isOpen()) check((Collection<?>) value, each);
    }

    static void check(Collection<?> values, ValueCheck each) {
      int index = 0;
      for (var value : values) {
        int at = index++;
        inside(each, value, () -> "[" + at + "]");
      }
    }

    @Override
    public boolean isOnly(Deferred other) {
      return !isKindOpen(declared) && each.isOnly(other);
    }

    /** Whether values of several kinds may stand where that is declared. */
    static boolean isKindOpen(Class<?> declared) {
      return !List.class.isAssignableFrom(declared) && !isUnsortedSet(declared);
    }

    private static boolean isUnsortedSet(Class<?> declared) {
      return Set.class.isAssignableFrom(declared) && !SortedSet.class.isAssignableFrom(declared);
    }
  }

  /** The elements of an array of objects. */
  record Components(ValueCheck each) implements ValueCheck {
    @Override
    public void check(@Nullable Object value) {
      if (value == null) return;
      for (int i = 0; i < Array.getLength(value); i++) {
        int at = i;
        inside(each, Array.get(value, i), () -> "[" + at + "]");
      }
    }

    @Override
    public boolean isOnly(Deferred other) {
      return each.isOnly(other);
    }
  }

  /** The keys and values of a map, and its order. */
  record Entries(Class<?> declared, ValueCheck keys, ValueCheck each) implements ValueCheck {
    @Override
    public void check(@Nullable Object value) {
      if (value == null) return;
      var map = (Map<?, ?>) value;
      boolean sorted = SortedMap.class.isAssignableFrom(declared);
      if (sorted && map instanceof SortedMap<?, ?> own) checkOrder(own.comparator());
      if (isScattered(declared) && map.size() > 1 && InOrder.hasOrder(map)) {
        throw another(map, declared);
      }
      if (keys.isOpen()) {
        for (var key : map.keySet()) inside(keys, key, () -> "[key " + key + "]");
      }
      if (each.isOpen()) check(map, each);
    }

    static void check(Map<?, ?> map, ValueCheck each) {
      for (var entry : map.entrySet()) {
        inside(each, entry.getValue(), () -> "[" + entry.getKey() + "]");
      }
    }

    @Override
    public boolean isOnly(Deferred other) {
      return !isKindOpen(declared) && keys.isOnly(other) && each.isOnly(other);
    }

    static boolean isKindOpen(Class<?> declared) {
      return SortedMap.class.isAssignableFrom(declared) || isScattered(declared);
    }

    /** Whether what comes back forgets in which order its entries were written. */
    private static boolean isScattered(Class<?> declared) {
      return declared == java.util.concurrent.ConcurrentMap.class
          || declared == ConcurrentHashMap.class
          || declared == java.util.Hashtable.class;
    }
  }

  /** An Optional: null itself would come back as an empty one. */
  record Present(ValueCheck inner) implements ValueCheck {
    @Override
    public void check(@Nullable Object value) {
      if (value == null) {
        throw new Misfit("is null, and comes back as an empty Optional: use Optional.empty()");
      }
      if (value instanceof Optional<?> optional && optional.isPresent())
        inner.check(optional.get());
    }
  }

  /**
   * The members of an object.
   *
   * @param declared the class that it must be, as no name of a class is written
   */
  record Members(Class<?> declared, List<Member> members) implements ValueCheck {
    /** One of them. */
    record Member(BeanPropertyWriter access, ValueCheck check) {}

    @Override
    public void check(@Nullable Object value) {
      if (value == null) return;
      if (value.getClass() != declared) throw another(value, declared);
      for (var member : members) {
        inside(member.check, read(member.access, value), member.access::getName);
      }
    }

    private static @Nullable Object read(BeanPropertyWriter member, Object of) {
      try {
        return member.get(of);
      } catch (Exception unreadable) {
        throw new Misfit(member.getName(), "cannot be read: " + unreadable, unreadable);
      }
    }

    @Override
    public boolean isOnly(Deferred other) {
      return isFixed(declared) && members.stream().allMatch(m -> m.check.isOnly(other));
    }

    /** Whether there are no subclasses. */
    static boolean isFixed(Class<?> type) {
      return java.lang.reflect.Modifier.isFinal(type.getModifiers());
    }
  }

  /** One of several classes, whose name is written. */
  final class Named implements ValueCheck {
    private final Function<Class<?>, ValueCheck> byClass;
    private final ConcurrentHashMap<Class<?>, ValueCheck> known = new ConcurrentHashMap<>();

    Named(Function<Class<?>, ValueCheck> byClass) {
      this.byClass = byClass;
    }

    @Override
    public void check(@Nullable Object value) {
      if (value == null) return;
      var type = value.getClass();
      var check = known.get(type);
      if (check == null) known.put(type, check = byClass.apply(type));
      check.check(value);
    }
  }

  /** One of the classes that a sealed type permits. */
  record Permitted(Class<?> declared, Map<Class<?>, ValueCheck> checks) implements ValueCheck {
    @Override
    public void check(@Nullable Object value) {
      if (value == null) return;
      var type =
          value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
      var check = checks.get(type);
      if (check == null) {
        throw new Misfit(
            "is a %s, which %s does not name".formatted(nameOf(value), declared.getSimpleName()));
      }
      check.check(value);
    }

    @Override
    public boolean isOnly(Deferred other) {
      return checks.keySet().stream().allMatch(Members::isFixed)
          && checks.values().stream().allMatch(check -> check.isOnly(other));
    }
  }

  private static void inside(
      ValueCheck check, @Nullable Object value, java.util.function.Supplier<String> member) {
    try {
      check.check(value);
    } catch (Misfit misfit) {
      throw misfit.in(member.get());
    }
  }

  private static void checkOrder(@Nullable Comparator<?> own) {
    if (own == null || own.equals(Comparator.naturalOrder())) return;
    throw new Misfit(
        "is sorted by a comparator of its own, which JSON does not carry: declare it as a Map or a"
            + " Set, which keep the order as it is");
  }

  private static Misfit another(Object value, Class<?> declared) {
    return new Misfit(
        "is a %s where %s is declared, and comes back as something else: declare what it is"
            .formatted(nameOf(value), declared.getSimpleName()));
  }

  private static String nameOf(@Nullable Object value) {
    if (value == null) return "null";
    var name = value.getClass().getSimpleName();
    return name.isEmpty() ? value.getClass().getName() : name;
  }
}

package dev.reprise.engine.codec;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Currency;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/** What is known about types of the Java platform: which are values, and which are not. */
final class Platform {
  /** They come back equal, whatever they hold. */
  private static final Set<Class<?>> VALUES =
      Set.of(
          Boolean.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          Character.class,
          String.class,
          BigDecimal.class,
          BigInteger.class,
          UUID.class,
          URI.class,
          Currency.class,
          Instant.class,
          Duration.class,
          Period.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetTime.class,
          OffsetDateTime.class,
          ZonedDateTime.class,
          ZoneId.class,
          ZoneOffset.class,
          Year.class,
          YearMonth.class,
          MonthDay.class,
          Month.class,
          DayOfWeek.class);

  private static final Set<Class<?>> CONTAINERS =
      Set.of(
          Collection.class,
          SequencedCollection.class,
          List.class,
          ArrayList.class,
          LinkedList.class,
          Vector.class,
          CopyOnWriteArrayList.class,
          Set.class,
          SequencedSet.class,
          SortedSet.class,
          NavigableSet.class,
          HashSet.class,
          LinkedHashSet.class,
          TreeSet.class,
          EnumSet.class,
          CopyOnWriteArraySet.class,
          ConcurrentSkipListSet.class,
          Queue.class,
          Deque.class,
          ArrayDeque.class,
          Map.class,
          AbstractMap.class,
          SequencedMap.class,
          SortedMap.class,
          NavigableMap.class,
          HashMap.class,
          LinkedHashMap.class,
          TreeMap.class,
          EnumMap.class,
          Hashtable.class,
          ConcurrentMap.class,
          ConcurrentHashMap.class,
          ConcurrentNavigableMap.class,
          ConcurrentSkipListMap.class);

  private Platform() {}

  /** Whether it is a type of the platform itself. */
  static boolean has(Class<?> type) {
    var loader = type.getClassLoader();
    return loader == null || loader.equals(ClassLoader.getPlatformClassLoader());
  }

  static boolean isValue(Class<?> type) {
    return type.isPrimitive() || VALUES.contains(type);
  }

  static boolean isContainer(Class<?> type) {
    return CONTAINERS.contains(type);
  }

  /** Why objects of that class have no members to write; null if they may have. */
  static @Nullable String whyOpaque(Class<?> type) {
    if (type.isHidden() || type.isSynthetic() || Proxy.isProxyClass(type)) {
      return "is a lambda or a proxy, which has no members to write";
    }
    if (Throwable.class.isAssignableFrom(type)) {
      return "is an exception, which JSON does not carry: keep its message";
    }
    for (Class<?> part = type; part != null && part != Object.class; part = part.getSuperclass()) {
      if (!has(part) || part == Record.class) continue;
      return part == type
          ? "is a %s of the Java platform, which has no form in JSON".formatted(type.getName())
          : "extends %s, which has no form in JSON".formatted(part.getName());
    }
    return null;
  }

  /** A field that is part of what an object is. */
  static boolean isMember(java.lang.reflect.Field field) {
    int modifiers = field.getModifiers();
    return !Modifier.isStatic(modifiers)
        && !Modifier.isTransient(modifiers)
        && !field.isSynthetic();
  }
}

package dev.reprise.engine.codec;

import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;

/** Whether two values are the same down to the last member, order included. */
final class Sameness {
  private Sameness() {}

  static boolean of(Object a, Object b) {
    if (a == null || b == null) return a == b;
    return switch (a) {
      case Set<?> set when !(a instanceof SequencedSet<?>) -> b instanceof Set<?> && set.equals(b);
      case Map<?, ?> map when !(a instanceof SequencedMap<?, ?>) ->
          b instanceof Map<?, ?> other
              && map.keySet().equals(other.keySet())
              && map.keySet().stream().allMatch(key -> of(map.get(key), other.get(key)));
      case Map<?, ?> map ->
          b instanceof Map<?, ?> other
              && of(new ArrayList<>(map.keySet()), new ArrayList<>(other.keySet()))
              && of(new ArrayList<>(map.values()), new ArrayList<>(other.values()));
      case Collection<?> items ->
          b instanceof Collection<?> others
              && a instanceof Set<?> == b instanceof Set<?>
              && each(new ArrayList<>(items), new ArrayList<>(others));
      case Optional<?> optional ->
          b instanceof Optional<?> other && of(optional.orElse(null), other.orElse(null));
      default -> a.getClass().isArray() ? array(a, b) : a.equals(b) || members(a, b);
    };
  }

  private static boolean each(List<?> as, List<?> bs) {
    if (as.size() != bs.size()) return false;
    for (int i = 0; i < as.size(); i++) if (!of(as.get(i), bs.get(i))) return false;
    return true;
  }

  private static boolean array(Object a, Object b) {
    if (a.getClass() != b.getClass() || Array.getLength(a) != Array.getLength(b)) return false;
    for (int i = 0; i < Array.getLength(a); i++) {
      if (!of(Array.get(a, i), Array.get(b, i))) return false;
    }
    return true;
  }

  private static boolean members(Object a, Object b) {
    if (a.getClass() != b.getClass() || a.getClass().getName().startsWith("java.")) return false;
    for (Class<?> type = a.getClass(); type != Object.class; type = type.getSuperclass()) {
      if (type == Record.class) break;
      for (var field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())) continue;
        field.setAccessible(true);
        try {
          if (!of(field.get(a), field.get(b))) return false;
        } catch (IllegalAccessException impossible) {
          throw new IllegalStateException(impossible);
        }
      }
    }
    return true;
  }
}

package dev.reprise.engine.replay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collections that nearly always stay empty. All runs share the one of {@link Collections} that has
 * nothing in it, from which one may remove in vain; with the first element a run gets its own. A
 * run that waits would else be made of empty collections for a third, and the garbage collector
 * copies each of them.
 */
@SuppressWarnings("ReferenceEquality") // the shared one is meant, not any that is empty
final class Sparse {
  private Sparse() {}

  /** The list with the element: the same one, or the first of its own. */
  static <T> List<T> add(List<T> list, T element) {
    var own = list == Collections.EMPTY_LIST ? new ArrayList<T>(2) : list;
    own.add(element);
    return own;
  }

  /** The set with the element, in the order of adding. */
  static <T> Set<T> add(Set<T> set, T element) {
    var own = set == Collections.EMPTY_SET ? new LinkedHashSet<T>(2) : set;
    own.add(element);
    return own;
  }

  /** The map with the entry, in the order of adding. */
  static <K, V> Map<K, V> put(Map<K, V> map, K key, V value) {
    var own = map == Collections.EMPTY_MAP ? new LinkedHashMap<K, V>(2) : map;
    own.put(key, value);
    return own;
  }
}

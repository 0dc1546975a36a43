package dev.reprise.guard;

import java.util.HashSet;
import java.util.Set;

/** Where a value comes from, as far as that decides whether its use is deterministic. */
sealed interface Origin {

  /** The object whose method it is. */
  record This() implements Origin {}

  /** An argument of the method, counted without the object itself. */
  record Argument(int index) implements Origin {}

  /** A lambda or method reference that is made at that instruction. */
  record Lambda(int site) implements Origin {}

  /** A lambda or method reference that was put into a field when its class or object was made. */
  record Body(Member method, boolean isVirtual) implements Origin {}

  /** An object that is made at that instruction. */
  record New(int site, String type) implements Origin {}

  /** A collection, a view of it or a stream whose order is that of hash codes. */
  record Unordered(String what) implements Origin {}

  /** A collector of streams. */
  record Collecting(String method) implements Origin {}

  /** What {@code ctx.activities(…)} gave: its methods are activities. */
  record Activities() implements Origin {}

  /** The value of a field of the user's own classes. */
  record Field(Member field, boolean isStatic) implements Origin {}

  /** An object that the user's object got from elsewhere, and keeps in that field. */
  record Injected(Member field) implements Origin {}

  /** An object of a class of the user that is made where the field is set. */
  record Here() implements Origin {}

  /** The result of a call that gives something else in each process. */
  record Unstable(String what) implements Origin {}

  /**
   * All of them, since a value may come from here on one way through the code, from there on
   * another.
   */
  static Set<Origin> join(Set<Origin> some, Set<Origin> others) {
    if (others.isEmpty() || some.containsAll(others)) return some;
    if (some.isEmpty()) return others;
    var all = new HashSet<>(some);
    all.addAll(others);
    return Set.copyOf(all);
  }
}

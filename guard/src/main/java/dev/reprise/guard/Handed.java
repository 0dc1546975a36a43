package dev.reprise.guard;

import java.util.HashSet;
import java.util.Set;

/** Functions that a method hands over for one purpose. */
final class Handed {
  private final Set<Integer> sites = new HashSet<>();
  private final Set<Origin.Body> bodies = new HashSet<>();
  private final Set<Integer> arguments = new HashSet<>();

  void add(Set<Origin> value) {
    for (var origin : value) {
      switch (origin) {
        case Origin.Lambda(var site) -> sites.add(site);
        case Origin.New(var site, _) -> sites.add(site);
        case Origin.Argument(var index) -> arguments.add(index);
        case Origin.Body body -> bodies.add(body);
        default -> {}
      }
    }
  }

  /** Whether what is made at that instruction is one of them. */
  boolean has(int site) {
    return sites.contains(site);
  }

  /** Whether it is one of them and comes from a field. */
  boolean has(Origin.Body body) {
    return bodies.contains(body);
  }

  /** Which of its own arguments the method hands on. */
  Set<Integer> arguments() {
    return arguments;
  }
}

package dev.reprise.verification.behaviour;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Which activities were called, in order, by whatever engine. */
final class Calls {
  private final List<String> names = new CopyOnWriteArrayList<>();

  void add(String name) {
    names.add(name);
  }

  /** Notes the call and returns a result for it. */
  <T> T returning(String name, T result) {
    names.add(name);
    return result;
  }

  int of(String name) {
    return (int) names.stream().filter(name::equals).count();
  }

  List<String> all() {
    return List.copyOf(names);
  }
}

package dev.reprise.guard;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Takes down what is wrong with a method, at the line that is being looked at. */
final class Troubles {
  private final Set<Facts.Trouble> all = new LinkedHashSet<>();
  private int line;

  void at(int line) {
    this.line = line;
  }

  int line() {
    return line;
  }

  void add(Kind kind, String what) {
    add(here(kind, what));
  }

  void add(Kind kind, String what, String instead) {
    add(new Facts.Trouble(kind, line, what, instead));
  }

  void add(Facts.Trouble trouble) {
    all.add(trouble);
  }

  /** One that is perhaps added later. */
  Facts.Trouble here(Kind kind, String what) {
    return new Facts.Trouble(kind, line, what, kind.instead());
  }

  List<Facts.Trouble> all() {
    return List.copyOf(all);
  }
}

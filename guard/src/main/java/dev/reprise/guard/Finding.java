package dev.reprise.guard;

import java.util.List;

/**
 * A line of workflow code that would not do the same on replay.
 *
 * @param kind what is wrong
 * @param type the class with that line, {@code com.acme.Checkout}
 * @param method the method, as written in the source; of a lambda, the method around it
 * @param file its source file, {@code Checkout.java}
 * @param line 0 if the class file has no line numbers
 * @param what what is called or read there, {@code Instant.now()}
 * @param instead what to use instead
 * @param path how the code gets there, from the workflow on: {@code Checkout.run}, {@code
 *     Prices.of}
 */
public record Finding(
    Kind kind,
    String type,
    String method,
    String file,
    int line,
    String what,
    String instead,
    List<String> path) {

  public Finding {
    path = List.copyOf(path);
  }

  /** One line, as a compiler would write it. */
  public String describe() {
    var place = line > 0 ? file + ":" + line : file;
    var text = "%s: %s %s: use %s".formatted(place, what, kind.why(), instead);
    return path.size() < 2 ? text : text + " (" + String.join(" → ", path) + ")";
  }

  @Override
  public String toString() {
    return describe();
  }
}

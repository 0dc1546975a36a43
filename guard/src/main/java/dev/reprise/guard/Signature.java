package dev.reprise.guard;

import java.util.ArrayList;
import java.util.List;

/** The parameters and the result of a method, as descriptors. */
record Signature(List<String> parameters, String result) {

  static Signature of(String type) {
    var parameters = new ArrayList<String>();
    int at = 1;
    while (type.charAt(at) != ')') {
      int end = end(type, at);
      parameters.add(type.substring(at, end));
      at = end;
    }
    return new Signature(parameters, type.substring(at + 1));
  }

  private static int end(String type, int start) {
    int at = start;
    while (type.charAt(at) == '[') at++;
    return type.charAt(at) == 'L' ? type.indexOf(';', at) + 1 : at + 1;
  }

  /** How many places a value of that type takes on the stack. */
  static int slots(String descriptor) {
    return switch (descriptor.charAt(0)) {
      case 'V' -> 0;
      case 'J', 'D' -> 2;
      default -> 1;
    };
  }

  /** The class of a descriptor, {@code java/util/Map}; itself for what is not a class. */
  static String type(String descriptor) {
    return descriptor.charAt(0) == 'L'
        ? descriptor.substring(1, descriptor.length() - 1)
        : descriptor;
  }
}

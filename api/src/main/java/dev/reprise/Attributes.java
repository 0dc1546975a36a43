package dev.reprise;

/** What may be an attribute of a run. */
final class Attributes {
  private static final int MAX_TEXT = 1_000; // of a text; a run is found by it, not stored in it

  private Attributes() {}

  static String checkedName(String name) {
    if (name.matches("[A-Za-z_][A-Za-z0-9_-]{0,63}")) return name;
    throw new IllegalArgumentException(
        "the name of an attribute has letters, digits, _ and - and begins with a letter: '%s'"
            .formatted(name));
  }

  static Object checked(String name, Object value) {
    return switch (value) {
      case String text when text.length() <= MAX_TEXT -> text;
      case Integer number -> number.longValue();
      case Long number -> number;
      case Double number when Double.isFinite(number) -> number;
      case Boolean truth -> truth;
      default ->
          throw new IllegalArgumentException(
              "attribute '%s' is not a text of at most %d characters, a number or a truth value"
                  .formatted(name, MAX_TEXT));
    };
  }
}

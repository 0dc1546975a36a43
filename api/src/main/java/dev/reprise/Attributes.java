package dev.reprise;

/** What may be an attribute of a run. */
public final class Attributes {
  private static final int MAX_TEXT = 1_000; // of a text; a run is found by it, not stored in it

  /** How many a run may have: each is part of its row, which is written as a whole. */
  private static final int MAX_NUMBER = 100;

  private Attributes() {}

  /**
   * Checks that a run may have that many.
   *
   * @param name of the one that was added last
   * @throws RepriseException {@code R112} if it may not
   */
  public static void checkNumber(int number, String name) {
    if (number <= MAX_NUMBER) return;
    throw new RepriseException(
        ErrorCode.R112,
        "attribute '%s' is one too many: a run has at most %d. Keep the rest in its input or in a"
                .formatted(name, MAX_NUMBER)
            + " published value");
  }

  static String checkedName(String name) {
    if (name.matches("[A-Za-z_][A-Za-z0-9_-]{0,63}")) return name;
    throw new RepriseException(
        ErrorCode.R112,
        "the name of an attribute has up to 64 letters, digits, _ and -, and begins with a letter:"
            + " '%s'".formatted(name));
  }

  static Object checked(String name, Object value) {
    return switch (value) {
      case String text when text.length() <= MAX_TEXT ->
          Texts.storableAsIs(text, "text of attribute '%s'".formatted(name));
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

package dev.reprise;

import org.jspecify.annotations.Nullable;

/**
 * The one rule for ids and names, whatever they name and whichever store keeps them, and how texts
 * that come from anywhere are shown.
 *
 * <p>An id or name is not blank, is not too long, and has no character that some database cannot
 * keep: no NUL, and no half of a surrogate pair. Everything else is allowed, and is told apart by
 * every character.
 */
public final class Texts {
  /** How many characters an id may have: it fits the keys of every supported database. */
  public static final int MAX_ID = 255;

  /** How many characters the name of a queue, and a key of what is on it, may have. */
  public static final int MAX_NAME = 100;

  private static final String HEX = "\\u%04X";

  private Texts() {}

  /**
   * The id or name, if it is a valid one.
   *
   * @param what what it is, for the error: {@code "workflow id"}
   * @throws RepriseException {@code R112} if it is not valid
   */
  public static String checked(@Nullable String text, String what) {
    return checked(text, what, MAX_ID);
  }

  /** The id or name, if it is valid and has at most that many characters. */
  public static String checked(@Nullable String text, String what, int limit) {
    if (text == null) throw invalid("the %s is null".formatted(what));
    if (text.isBlank()) {
      throw invalid("the %s is blank: give it a name that means something".formatted(what));
    }
    if (text.length() > limit) {
      throw invalid(
          "the %s has %d characters, the limit is %d".formatted(what, text.length(), limit));
    }
    return storableAsIs(text, what);
  }

  /** The text, which may be blank and long, if every database can keep it as it is. */
  public static String storableAsIs(String text, String what) {
    int flaw = flaw(text);
    if (flaw >= 0) throw invalid("the %s %s".formatted(what, describe(text, flaw)));
    return text;
  }

  private static RepriseException invalid(String message) {
    return new RepriseException(ErrorCode.R112, message);
  }

  private static String describe(String text, int position) {
    char c = text.charAt(position);
    return "has %s (U+%04X) as character %d, which cannot be stored: leave it out or encode it"
        .formatted(c == 0 ? "a NUL" : "half of a surrogate pair", (int) c, position + 1);
  }

  /** Where the first character is that some database cannot keep; -1 if there is none. */
  public static int flaw(String text) {
    for (int i = 0; i < text.length(); i++) if (!isStorable(text, i)) return i;
    return -1;
  }

  private static boolean isStorable(String text, int position) {
    char c = text.charAt(position);
    if (Character.isHighSurrogate(c)) {
      return position + 1 < text.length() && Character.isLowSurrogate(text.charAt(position + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return position > 0 && Character.isHighSurrogate(text.charAt(position - 1));
    }
    return c != 0;
  }

  /** A name with the article that it is spoken with: "a Checkout", "an OrderProcess". */
  public static String withArticle(String name) {
    boolean isVowel = !name.isEmpty() && "AEIOUaeiou".indexOf(name.charAt(0)) >= 0;
    return (isVowel ? "an " : "a ") + name;
  }

  /**
   * A text that people read, such as the reason of a failure, in a form that every database can
   * keep: what cannot be kept is escaped, as in {@code \u0000}.
   */
  public static String storable(String text) {
    return flaw(text) < 0 ? text : escaped(text, false);
  }

  /**
   * A text as it is shown in a log, on a terminal or in the name of a thread: on one line, and
   * without characters that move the cursor or turn the direction of writing.
   */
  public static String shown(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c <= '~') continue; // nearly all are
      if (isHidden(c) || !isStorable(text, i)) return escaped(text, true);
    }
    return text;
  }

  /**
   * An exception as it is logged: itself, or one with the same traces whose messages, and those of
   * its causes, are {@linkplain #shown(String) shown}. Else a message that came from outside could
   * look like another line of the log.
   */
  public static Throwable shown(Throwable thrown) {
    return ShownThrowable.of(thrown);
  }

  private static boolean isHidden(char c) {
    return Character.isISOControl(c)
        || c == '\u2028' // separators of lines and paragraphs
        || c == '\u2029'
        || c == '\u061C' // marks of direction
        || c == '\u200E'
        || c == '\u200F'
        || (c >= '\u202A' && c <= '\u202E') // embeddings and overrides
        || (c >= '\u2066' && c <= '\u2069'); // isolates
  }

  private static String escaped(String text, boolean hidden) {
    var result = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isStorable(text, i) && !(hidden && isHidden(c))) result.append(c);
      else result.append(escape(c));
    }
    return result.toString();
  }

  private static String escape(char c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> HEX.formatted((int) c);
    };
  }
}

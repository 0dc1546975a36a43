package dev.reprise.engine.filter;

/**
 * A form of texts: {@code %} stands for any characters, {@code _} for one, and a backslash takes
 * {@code %}, {@code _} and itself literally. Upper and lower case differ.
 *
 * @param text as filters and PostgreSQL write it
 */
public record LikePattern(String text) {
  private static final int ANY = -1;
  private static final int ONE = -2;

  public LikePattern {
    int wrong = wrongAt(text);
    if (wrong >= 0) throw new IllegalArgumentException("backslash at " + wrong + " in " + text);
  }

  /** Where a backslash stands in front of something else, or -1. */
  static int wrongAt(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) != '\\') continue;
      if (i + 1 == text.length() || "%_\\".indexOf(text.charAt(i + 1)) < 0) return i;
      i++;
    }
    return -1;
  }

  /** The same form in the language of SQLite's GLOB, which minds case as this does. */
  public String glob() {
    var glob = new StringBuilder();
    for (int token : tokens()) {
      switch (token) {
        case ANY -> glob.append('*');
        case ONE -> glob.append('?');
        case '*', '?', '[' -> glob.append('[').appendCodePoint(token).append(']');
        default -> glob.appendCodePoint(token);
      }
    }
    return glob.toString();
  }

  /** Whether a text has this form. Goes back to the last {@code %} only, so it is never slow. */
  boolean matches(String candidate) {
    int[] tokens = tokens();
    int[] characters = candidate.codePoints().toArray();
    int token = 0;
    int at = 0;
    int lastAny = -1;
    int resumeAt = 0;
    while (at < characters.length) {
      if (token < tokens.length && tokens[token] == ANY) {
        lastAny = token++;
        resumeAt = at;
      } else if (token < tokens.length && isAt(tokens[token], characters[at])) {
        token++;
        at++;
      } else if (lastAny >= 0) {
        token = lastAny + 1;
        at = ++resumeAt;
      } else {
        return false;
      }
    }
    while (token < tokens.length && tokens[token] == ANY) token++;
    return token == tokens.length;
  }

  private static boolean isAt(int token, int character) {
    return token == ONE || token == character;
  }

  private int[] tokens() {
    int[] points = text.codePoints().toArray();
    int[] tokens = new int[points.length];
    int size = 0;
    for (int i = 0; i < points.length; i++) {
      tokens[size++] =
          switch (points[i]) {
            case '%' -> ANY;
            case '_' -> ONE;
            case '\\' -> points[++i];
            default -> points[i];
          };
    }
    return java.util.Arrays.copyOf(tokens, size);
  }
}

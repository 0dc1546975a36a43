package dev.reprise.engine.filter;

import dev.reprise.engine.filter.Field.Step;
import java.util.List;

/**
 * A piece of the text of a filter.
 *
 * @param text as it is written; of a quoted text, what it stands for
 * @param path the steps behind the first word of a field
 * @param at where it begins
 */
record Token(Kind kind, String text, List<Step> path, int at) {
  enum Kind {
    /** A field, a keyword or a status. */
    WORD,
    /** A quoted text. */
    TEXT,
    /** A number without a sign. */
    NUMBER,
    /** A number with a unit of time, such as {@code 90m}. */
    SPAN,
    /** Anything else that has a meaning. */
    SYMBOL,
    END
  }

  Token(Kind kind, String text, int at) {
    this(kind, text, List.of(), at);
  }

  boolean isSymbol(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  /** Whether it is this word, in whatever case. */
  boolean isWord(String word) {
    return kind == Kind.WORD && path.isEmpty() && text.equalsIgnoreCase(word);
  }

  /** For messages. */
  String shown() {
    return switch (kind) {
      case TEXT -> "a text";
      case END -> "the end";
      case WORD, NUMBER, SPAN, SYMBOL -> "'" + text + "'";
    };
  }
}

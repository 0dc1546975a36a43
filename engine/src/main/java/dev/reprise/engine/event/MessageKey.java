package dev.reprise.engine.event;

/**
 * What makes an input the same as one before: the sender's id counts among signals of one name, or
 * among updates of one name.
 *
 * @param kind signals and updates have ids of their own
 * @param name of the signal or update; empty for {@link Kind#ANY}
 * @param message the id that the sender gave
 */
public record MessageKey(Kind kind, String name, String message) {

  /** What the id is an id of. The first letters are used in keys, and in no database. */
  public enum Kind {
    SIGNAL('s'),
    UPDATE('u'),
    /** A release that had one space for all ids carried it over from an earlier run. */
    ANY('a');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }

    private static Kind of(char letter) {
      for (var kind : values()) if (kind.letter == letter) return kind;
      throw new IllegalArgumentException("no kind of message: " + letter);
    }
  }

  public static MessageKey signal(String name, String message) {
    return new MessageKey(Kind.SIGNAL, name, message);
  }

  public static MessageKey update(String name, String message) {
    return new MessageKey(Kind.UPDATE, name, message);
  }

  /** The key of an id that counts for signals and updates of all names. */
  public static MessageKey any(String message) {
    return new MessageKey(Kind.ANY, "", message);
  }

  /** Whether an input with this key repeats one with the other key. */
  public boolean repeats(MessageKey taken) {
    return equals(taken) || (taken.kind == Kind.ANY && taken.message.equals(message));
  }

  /** The key as text: no two keys have the same one. Keys of one id are next to each other. */
  String text() {
    return prefix() + name;
  }

  /** What the texts of all keys of this kind and id begin with. */
  String prefix() {
    return kind.letter + Integer.toString(message.length()) + ':' + message;
  }

  static MessageKey of(String text) {
    int colon = text.indexOf(':');
    int begin = colon + 1;
    int end = begin + Integer.parseInt(text, 1, colon, 10);
    return new MessageKey(Kind.of(text.charAt(0)), text.substring(end), text.substring(begin, end));
  }
}

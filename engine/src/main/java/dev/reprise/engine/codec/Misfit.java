package dev.reprise.engine.codec;

import org.jspecify.annotations.Nullable;

/** A type or value that JSON does not carry there and back, with the path of the member. */
final class Misfit extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String path; // empty for the value itself
  private final String reason;

  Misfit(String reason) {
    this("", reason, null);
  }

  Misfit(String path, String reason, @Nullable Throwable cause) {
    super(text(path, reason), cause, false, false); // it is the message that counts
    this.path = path;
    this.reason = reason;
  }

  private static String text(String path, String reason) {
    return path.isEmpty() ? reason : "'%s' %s".formatted(path, reason);
  }

  /** The misfit as its surroundings see it: {@code member} is a name, or an index in brackets. */
  Misfit in(String member) {
    boolean joined = path.isEmpty() || path.startsWith("[");
    return new Misfit(joined ? member + path : member + "." + path, reason, getCause());
  }
}

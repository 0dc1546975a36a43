package dev.reprise;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An exception as it is logged: the traces of another one, and its messages on one line each. */
final class ShownThrowable extends Throwable {
  private static final long serialVersionUID = 1L;
  private static final int MOST = 50; // causes and suppressed ones; also ends a circle of causes

  private final String text;

  /** The exception itself if that may be logged as it is, as nearly all may. */
  static Throwable of(Throwable thrown) {
    var seen = Collections.newSetFromMap(new IdentityHashMap<Throwable, Boolean>());
    return isPlain(thrown, seen) ? thrown : new ShownThrowable(thrown, new int[1]);
  }

  private static boolean isPlain(@Nullable Throwable thrown, Set<Throwable> seen) {
    if (thrown == null || !seen.add(thrown)) return true;
    if (!text(thrown).equals(raw(thrown))) return false;
    for (var suppressed : thrown.getSuppressed()) if (!isPlain(suppressed, seen)) return false;
    return isPlain(thrown.getCause(), seen);
  }

  private static @Nullable Throwable copy(@Nullable Throwable thrown, int[] made) {
    return thrown == null || made[0]++ == MOST ? null : new ShownThrowable(thrown, made);
  }

  private ShownThrowable(Throwable thrown, int[] made) {
    super(null, copy(thrown.getCause(), made));
    this.text = text(thrown);
    setStackTrace(thrown.getStackTrace());
    for (var suppressed : thrown.getSuppressed()) {
      var shown = copy(suppressed, made);
      if (shown != null) addSuppressed(shown);
    }
  }

  /** Errors of Reprise have been made of texts that are shown already, perhaps of several lines. */
  private static String text(Throwable thrown) {
    return thrown instanceof RepriseException ? raw(thrown) : Texts.shown(raw(thrown));
  }

  /** Code of users says what it is. */
  private static String raw(Throwable thrown) {
    try {
      return String.valueOf(thrown);
    } catch (RuntimeException unreadable) {
      return thrown.getClass().getName();
    }
  }

  @Override
  public String toString() {
    return text;
  }
}

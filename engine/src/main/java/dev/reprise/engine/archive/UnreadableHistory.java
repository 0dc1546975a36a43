package dev.reprise.engine.archive;

import org.jspecify.annotations.Nullable;

/** A file is not a history, or not one that this release can read. Says where and why. */
public final class UnreadableHistory extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnreadableHistory(String where, String why) {
    this(where, why, null);
  }

  UnreadableHistory(String where, String why, @Nullable Throwable cause) {
    super("not a readable history: " + where + ": " + why, cause);
  }
}

package dev.reprise;

import org.jspecify.annotations.Nullable;

/** Thrown by an activity that must not be tried again: the card is declined, the order is gone. */
public class TerminalFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String details;

  public TerminalFailure(String message) {
    this(message, null, null);
  }

  public TerminalFailure(String message, Throwable cause) {
    this(message, null, cause);
  }

  /** With details that the workflow finds in {@link FailureInfo#details()}. */
  public TerminalFailure(String message, @Nullable String details, @Nullable Throwable cause) {
    super(message, cause);
    this.details = details;
  }

  /** What the workflow should know beside the message. */
  public @Nullable String details() {
    return details;
  }
}

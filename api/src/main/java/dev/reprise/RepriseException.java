package dev.reprise;

import org.jspecify.annotations.Nullable;

/**
 * An error of use or of the environment, with a code that the documentation explains.
 *
 * <p>One that leaves a workflow method does not fail the workflow: it is a mistake in the code or
 * in the set-up, so the run is blocked with this message and goes on after the mistake is mended.
 */
public class RepriseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public RepriseException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public RepriseException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(code + " " + message + " (see " + code.docs() + ")", cause);
    this.code = code;
  }

  /** Whether the same call may well succeed later, without any change. */
  public boolean isRetryable() {
    return code.isRetryable();
  }

  /** Which error this is. */
  public ErrorCode code() {
    return code;
  }
}

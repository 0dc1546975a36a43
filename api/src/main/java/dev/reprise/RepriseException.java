package dev.reprise;

import java.util.List;
import java.util.stream.Collectors;
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

  /**
   * An error with a message of one line: ids and other texts from anywhere in it are shown as
   * {@link Texts#shown} says, so that none of them looks like another line of a log.
   */
  public RepriseException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(text(code, Texts.shown(message)), cause);
    this.code = code;
  }

  /** An error with a message of several lines. */
  public RepriseException(ErrorCode code, List<String> lines) {
    super(text(code, lines.stream().map(Texts::shown).collect(Collectors.joining("\n"))));
    this.code = code;
  }

  private static String text(ErrorCode code, String message) {
    return code + " " + message + " (see " + code.docs() + ")";
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

package dev.reprise.engine.replay;

import dev.reprise.ActivityFailed;
import dev.reprise.ChildFailed;
import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.RepriseException;
import dev.reprise.RetryAfter;
import dev.reprise.RetryPolicy;
import dev.reprise.TerminalFailure;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes down exceptions. */
public final class Failures {
  private static final int MAX_FRAMES = 16; // where it was thrown, not how one got there
  private static final int MAX_CAUSES = 4;
  private static final int MAX_DEPTH = 50; // of causes, which may go round in a circle
  private static final int MAX_TEXT = 8_000; // a message may hold a whole document

  private Failures() {}

  public static FailureInfo of(Throwable thrown) {
    return of(thrown, MAX_CAUSES);
  }

  private static FailureInfo of(Throwable thrown, int causes) {
    return new FailureInfo(
        thrown.getClass().getName(),
        told(() -> shortened(thrown.getMessage())),
        thrown instanceof TerminalFailure terminal
            ? told(() -> shortened(terminal.details()))
            : null,
        told(() -> frames(thrown)),
        told(() -> cause(thrown, causes)));
  }

  /** The methods of an exception may be the user's, and fail themselves. */
  private static <T> @Nullable T told(Supplier<@Nullable T> telling) {
    try {
      return telling.get();
    } catch (RuntimeException | StackOverflowError untold) {
      return null;
    }
  }

  private static @Nullable FailureInfo cause(Throwable thrown, int causes) {
    if (thrown instanceof ActivityFailed failed) return failed.failure();
    if (thrown instanceof ChildFailed failed) return failed.failure();
    var cause = thrown.getCause();
    return cause == null || causes == 0 ? null : of(cause, causes - 1);
  }

  /** Those of the user, from where it was thrown, or from the call of the engine that threw it. */
  private static @Nullable String frames(Throwable thrown) {
    var text = new StringBuilder();
    int count = 0;
    for (var frame : thrown.getStackTrace()) {
      if (isEngine(frame)) {
        if (count == 0) continue;
        break;
      }
      if (count++ == MAX_FRAMES) break;
      if (!text.isEmpty()) text.append('\n');
      text.append(frame);
    }
    return text.isEmpty() ? null : text.toString();
  }

  private static boolean isEngine(StackTraceElement frame) {
    return frame.getClassName().startsWith("dev.reprise.engine.");
  }

  private static @Nullable String shortened(@Nullable String text) {
    return text == null || text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
  }

  /**
   * The mistake in the use of the engine that an exception comes from, if it comes from one.
   * Whoever wraps it does not make it an outcome of the workflow.
   */
  static @Nullable RepriseException mistake(Throwable thrown) {
    var cause = thrown;
    for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
      if (cause instanceof RepriseException mistake) return mistake;
      cause = cause.getCause();
    }
    return null;
  }

  /**
   * The use of a context by an activity, if that is what an exception comes from. Other errors with
   * a code may be of the calls that an activity is there for.
   */
  public static @Nullable RepriseException misuse(Throwable thrown) {
    var mistake = mistake(thrown);
    return mistake != null && mistake.code() == ErrorCode.R111 ? mistake : null;
  }

  /** How long the activity wants to wait before the next attempt, if it says so. */
  public static @Nullable Duration retryAfter(Throwable thrown) {
    return thrown instanceof RetryAfter wait ? wait.delay() : null;
  }

  /** Whether no other attempt can help. */
  public static boolean isTerminal(Throwable thrown, RetryPolicy retry) {
    if (thrown instanceof TerminalFailure) return true;
    if (retry.nonRetryable().isEmpty()) return false;
    for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
      if (retry.nonRetryable().contains(type.getName())) return true;
    }
    return false;
  }
}

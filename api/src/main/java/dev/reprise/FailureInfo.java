package dev.reprise;

import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An exception as it is recorded.
 *
 * @param type the class name of the exception
 * @param message its message
 * @param details what a {@link TerminalFailure} carried, as text
 * @param stackTrace where it was thrown, for people
 * @param cause what caused it
 */
public record FailureInfo(
    String type,
    @Nullable String message,
    @Nullable String details,
    @Nullable String stackTrace,
    @Nullable FailureInfo cause)
    implements Serializable {
  private static final Set<String> PASSED_ON =
      Set.of(
          ActivityFailed.class.getName(),
          ChildFailed.class.getName(),
          BranchFailed.class.getName());

  /** Whether it was that exception or a subclass of it. */
  public boolean is(Class<? extends Throwable> wanted) {
    if (type.equals(wanted.getName())) return true;
    return isKind(wanted, wanted.getClassLoader())
        || isKind(wanted, Thread.currentThread().getContextClassLoader());
  }

  /**
   * The same for what an activity or a child workflow failed with, whose failure the code let pass
   * or wrapped into a {@link BranchFailed}.
   */
  boolean stemsFrom(Class<? extends Throwable> wanted) {
    return is(wanted) || (cause != null && PASSED_ON.contains(type) && cause.stemsFrom(wanted));
  }

  /** A class of the platform does not know the classes of applications, so there are two tries. */
  private boolean isKind(Class<? extends Throwable> wanted, @Nullable ClassLoader loader) {
    try {
      return wanted.isAssignableFrom(Class.forName(type, false, loader));
    } catch (ClassNotFoundException | LinkageError gone) {
      return false; // recorded by code that no longer exists: only the exact name can match
    }
  }

  /**
   * A throwable that shows this failure in stack traces and logs: its text, its causes, and the
   * frames in which it was thrown.
   */
  public Throwable toThrowable() {
    return new Recorded(this);
  }

  @Override
  public String toString() {
    return message == null ? type : type + ": " + message;
  }

  /**
   * Carries a recorded failure in the cause chain of an exception, with the frames in which it was
   * thrown: those of the activity or the workflow, in whatever process that was.
   */
  private static final class Recorded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Recorded(FailureInfo failure) {
      super(
          failure.toString(),
          failure.cause() == null ? null : failure.cause().toThrowable(),
          false,
          true);
      setStackTrace(RecordedFrames.of(failure.stackTrace()));
    }

    /** The frames of this process would say nothing. */
    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }
}

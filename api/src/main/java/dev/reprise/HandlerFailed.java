package dev.reprise;

/** The handler of an update or a query threw. The workflow goes on. */
public final class HandlerFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final FailureInfo failure;

  public HandlerFailed(String what, FailureInfo failure) {
    super("%s failed: %s".formatted(what, failure));
    this.failure = failure;
    initCause(failure.toThrowable());
  }

  /** What the handler threw. */
  public FailureInfo failure() {
    return failure;
  }

  /** Whether it threw that exception or a subclass of it. */
  public boolean is(Class<? extends Throwable> type) {
    return failure.is(type);
  }
}

package dev.reprise;

/** The time given to {@link Context#withTimeout} was over. */
public final class TimedOut extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TimedOut(String message) {
    super(message);
  }
}

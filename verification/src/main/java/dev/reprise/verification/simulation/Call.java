package dev.reprise.verification.simulation;

/**
 * Something that a caller asked for, once or again and again until it was told, and what it was
 * told.
 *
 * @param workflowId of which workflow
 * @param kind what was asked for
 * @param argument the input, or the message id of a signal
 * @param from when it was asked for first
 * @param to when the answer came; never, if none did
 * @param answer what was said
 * @param value the result, if that was asked for
 * @param by through which process; empty if through several
 */
record Call(
    String workflowId,
    Kind kind,
    String argument,
    long from,
    long to,
    Answer answer,
    String value,
    String by) {

  enum Kind {
    START,
    SIGNAL,
    CANCEL,
    RESULT,
    UPDATE,
    QUERY,
    TERMINATE,
    TERMINATE_AND_UNDO,
    FORK,
    RESUME,
    COMPLETE,
    LIMIT
  }

  enum Answer {
    DONE,
    /** The run is closed. */
    CLOSED,
    /** There is no such workflow. */
    ABSENT,
    /** The workflow id is in use. */
    IN_USE,
    /** The workflow did not want it. */
    REFUSED,
    /** It is not known whether it took effect, and may yet. */
    UNKNOWN
  }

  @Override
  public String toString() {
    return "%s %s %s %s..%s %s %s"
        .formatted(workflowId, kind, argument, millis(from), millis(to), answer, value);
  }

  private static String millis(long nanos) {
    return nanos == Long.MAX_VALUE ? "" : String.valueOf(nanos / 1_000_000);
  }
}

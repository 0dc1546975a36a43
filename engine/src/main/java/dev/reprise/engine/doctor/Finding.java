package dev.reprise.engine.doctor;

import dev.reprise.engine.doctor.Check.Severity;
import dev.reprise.engine.store.RunRow;
import org.jspecify.annotations.Nullable;

/**
 * Something that is not as it should be.
 *
 * @param check what does not hold
 * @param run the key of the run, or null if it is about several
 * @param workflowId the workflow id of the run, or null if it has none or it is about several
 * @param what in a sentence
 */
public record Finding(Check check, @Nullable Long run, @Nullable String workflowId, String what) {

  static Finding of(Check check, RunRow row, String format, @Nullable Object... arguments) {
    return new Finding(check, row.key(), row.workflowId(), format.formatted(arguments));
  }

  /** How bad it is. */
  public Severity severity() {
    return check.severity();
  }

  public boolean isError() {
    return severity() == Severity.ERROR;
  }

  /** In one line, for people. */
  @Override
  public String toString() {
    var subject = workflowId == null ? "" : workflowId + " ";
    var key = run == null ? "" : "(run " + run + ")";
    var about = (subject + key).strip();
    return about.isEmpty() ? what : about + ": " + what;
  }
}

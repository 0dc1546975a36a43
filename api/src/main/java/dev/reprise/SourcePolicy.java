package dev.reprise;

/** What happens to open runs of a workflow whose code is not the code that began them. */
public enum SourcePolicy {
  /** They go on as long as the code follows their history, and are blocked where it does not. */
  VERIFY,
  /** They are held until somebody resumes them. */
  HOLD
}

package dev.reprise.engine.doctor;

import java.util.List;

/**
 * What an examination looked at, and what it found.
 *
 * @param runs how many runs it looked at
 * @param events how many events
 * @param inputs how many inputs that wait
 * @param nodes how many nodes
 * @param findings the first of them, in the order in which they were found
 * @param errors how many findings are errors, also those that are not listed
 * @param warnings how many are warnings, also those that are not listed
 */
public record Examination(
    long runs,
    long events,
    long inputs,
    int nodes,
    List<Finding> findings,
    long errors,
    long warnings) {

  public Examination {
    findings = List.copyOf(findings);
  }

  /** All findings, also those that are not listed. */
  public long found() {
    return errors + warnings;
  }
}

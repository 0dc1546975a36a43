package dev.reprise.engine.doctor;

import java.util.ArrayList;
import java.util.List;

/** Collects findings: the first ones to show, the others only to count. */
final class Findings {
  private static final int MAX_LISTED = 1_000; // nobody reads more, and a broken database has many

  private final List<Finding> listed = new ArrayList<>();
  private long errors;
  private long warnings;

  void add(Finding finding) {
    if (finding.isError()) errors++;
    else warnings++;
    if (listed.size() < MAX_LISTED) listed.add(finding);
  }

  List<Finding> listed() {
    return listed;
  }

  long errors() {
    return errors;
  }

  long warnings() {
    return warnings;
  }
}

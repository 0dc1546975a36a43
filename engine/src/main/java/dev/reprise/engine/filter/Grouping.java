package dev.reprise.engine.filter;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;

/** What runs can be counted by. */
public enum Grouping {
  STATUS("status"),
  WORKFLOW("workflow");

  private final String label;

  Grouping(String label) {
    this.label = label;
  }

  /** The one that a caller names. */
  public static Grouping of(String field) {
    for (var grouping : values()) if (grouping.label.equalsIgnoreCase(field)) return grouping;
    throw new RepriseException(
        ErrorCode.R129, "runs are counted by status or by workflow, not by '%s'".formatted(field));
  }
}

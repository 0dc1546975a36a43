package dev.reprise.engine.gate;

import java.util.List;

/**
 * What came of a check of a database.
 *
 * @param workflows by name
 */
public record GateReport(List<WorkflowReport> workflows) {

  public GateReport {
    workflows = List.copyOf(workflows);
  }

  /** Whether the code follows all runs that were checked. */
  public boolean follows() {
    return workflows.stream().allMatch(WorkflowReport::follows);
  }

  /** Whether there was code for all open runs, and all of them were checked. */
  public boolean isComplete() {
    return workflows.stream().allMatch(workflow -> workflow.skipped() == 0);
  }

  /** How many runs were checked. */
  public long checked() {
    return workflows.stream().mapToLong(WorkflowReport::checked).sum();
  }

  /** For people: what departs and where, a table of all workflows, and a sentence in the end. */
  public String text() {
    return GateText.of(this);
  }
}

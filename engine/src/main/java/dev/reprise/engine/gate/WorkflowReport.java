package dev.reprise.engine.gate;

import java.util.List;

/**
 * What came of the runs of one workflow.
 *
 * @param workflow its name
 * @param known whether there is code for it; if not, nothing was checked
 * @param followed how many runs the code follows
 * @param departed how many it does not
 * @param hung in how many it does not come back
 * @param skipped how many were not checked
 * @param departures those that it does not follow, by line
 */
public record WorkflowReport(
    String workflow,
    boolean known,
    long followed,
    long departed,
    long hung,
    long skipped,
    List<Departure> departures) {

  public WorkflowReport {
    departures = List.copyOf(departures);
  }

  /** How many runs were checked. */
  public long checked() {
    return followed + departed + hung;
  }

  /** Whether the code follows all runs that were checked. */
  public boolean follows() {
    return departed == 0 && hung == 0;
  }
}

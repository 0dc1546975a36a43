package dev.reprise.guard;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What a check found.
 *
 * @param workflows the workflows that were looked at, {@code com.acme.Checkout}
 * @param all by file and line
 */
public record Findings(List<String> workflows, List<Finding> all) {

  public Findings {
    workflows = List.copyOf(workflows);
    all = List.copyOf(all);
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** How much was looked at, and how much was found: {@code checked 2 workflows: 1 finding}. */
  public String summary() {
    return "checked %s: %s"
        .formatted(
            counted(workflows.size(), "workflow"),
            isEmpty() ? "nothing found" : counted(all.size(), "finding"));
  }

  private static String counted(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /** A line for each finding, and how to go on; empty if there are none. */
  public String describe() {
    if (isEmpty()) return "";
    return all.stream()
        .map(Finding::describe)
        .collect(
            Collectors.joining(
                "\n",
                "",
                "\n"
                    + "If replay does not notice, say why: @Deterministic(because = \"…\") on the"
                    + " method or class."));
  }
}

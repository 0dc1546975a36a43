package dev.reprise.engine.gate;

import dev.reprise.ErrorCode;
import dev.reprise.engine.replay.Verdict;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A report as people read it. */
final class GateText {
  private static final String INDENT = "  ";

  private final StringBuilder text = new StringBuilder();

  private GateText() {}

  static String of(GateReport report) {
    var text = new GateText();
    for (var workflow : report.workflows()) {
      for (var departure : workflow.departures()) text.add(workflow, departure);
    }
    text.table(report);
    text.sentence(report);
    return text.text.toString();
  }

  private void add(WorkflowReport workflow, Departure departure) {
    text.append(
        "%s %s%s, in %s:\n"
            .formatted(
                workflow.workflow(),
                departure.hangs() ? "hangs" : "departs from its history",
                at(departure.line()),
                counted(departure.runs(), "run")));
    text.append(
        "%s'%s' (run %s, %s)%s\n"
            .formatted(
                INDENT,
                departure.workflowId(),
                departure.runId(),
                departure.status(),
                departure.hangs() ? "" : " follows %s".formatted(events(departure.followed()))));
    departure.reason().lines().map(GateText::beforeDeploy).forEach(this::line);
    others(departure);
    text.append('\n');
  }

  private void line(String line) {
    text.append(INDENT).append(line).append('\n');
  }

  /** An engine speaks of a run that it has blocked; here none is. */
  private static String beforeDeploy(String line) {
    if (!line.startsWith(Verdict.HARMLESS)) return line;
    return "An engine with this code would block the run. Guard the change with ctx.patched(\"…\"),"
        + " or let the code take the recorded path (see %s)".formatted(ErrorCode.R101.docs());
  }

  private static String events(int followed) {
    return counted(followed, "event") + ", then:";
  }

  private static String at(@Nullable String line) {
    return line == null ? "" : " at " + line;
  }

  private void others(Departure departure) {
    if (departure.others().isEmpty()) return;
    long more = departure.runs() - 1 - departure.others().size();
    text.append(INDENT)
        .append("the same: ")
        .append(String.join(", ", departure.others()))
        .append(more > 0 ? " and %,d more".formatted(more) : "")
        .append('\n');
  }

  private void table(GateReport report) {
    int width = "WORKFLOW".length();
    for (var each : report.workflows()) width = Math.max(width, each.workflow().length());
    var format = "%-" + width + "s  %7s  %7s  %7s  %7s  %11s\n";
    text.append(format.formatted("WORKFLOW", "CHECKED", "FOLLOW", "DEPART", "HANG", "NOT CHECKED"));
    for (var each : report.workflows()) {
      text.append(
          format.formatted(
              each.workflow(),
              number(each.checked()),
              number(each.followed()),
              number(each.departed()),
              number(each.hung()),
              number(each.skipped())));
    }
    for (var each : report.workflows()) {
      if (!each.known()) {
        text.append("%s is not known to this code.\n".formatted(each.workflow()));
      }
    }
  }

  private void sentence(GateReport report) {
    long wrong = report.workflows().stream().mapToLong(each -> each.departed() + each.hung()).sum();
    text.append(
        wrong == 0
            ? "The code follows all of %s.\n".formatted(counted(report.checked(), "run"))
            : "The code does not follow %s of %s.\n"
                .formatted(number(wrong), counted(report.checked(), "run")));
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String counted(long number, String what) {
    return number(number) + " " + what + (number == 1 ? "" : "s");
  }
}

package dev.reprise.verification.simulation;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The part of a log that a violation is about. */
final class Excerpt {
  private static final Pattern WORKFLOW = Pattern.compile("\\bw\\d+\\b");

  private Excerpt() {}

  /** What is about the same workflow, and what is about none. */
  static List<String> about(String violation, List<String> log) {
    var found = WORKFLOW.matcher(violation);
    if (!found.find()) return log;
    var own = Pattern.compile("\\b" + found.group() + "\\b");
    return log.stream()
        .filter(line -> own.matcher(line).find() || !WORKFLOW.matcher(line).find())
        .toList();
  }

  /** What kind of violation it is. */
  static String kind(String violation) {
    var queued = ofQueues(violation);
    if (queued != null) return queued;
    if (violation.contains("linearizable")) return "answers that cannot all be right";
    if (violation.contains("without having it")) return "an activity of a node without the run";
    if (violation.contains("which came later")) return "something undone in the wrong order";
    if (violation.contains("began while its run was")) return "code that ran at the wrong time";
    if (violation.contains("which is not stored")) return "a parent who was told too soon";
    if (violation.contains("was not delivered")) return "a parent who was not told";
    if (violation.contains("was never started")) return "a child that was never started";
    if (violation.contains(" was to ")) return "a child that did not obey";
    if (violation.contains("has lost the signal")) return "a signal that was lost";
    if (violation.contains("was asked, and")) return "an update that was answered wrongly";
    if (violation.contains("is blocked")) return "a run that is held";
    if (violation.contains("open for ever")) return "a run that never ends";
    if (violation.contains("runs again")) return "an activity that ran again";
    if (violation.contains("fenced node")) return "a write of a fenced node";
    if (violation.contains("refused")) return "a write that does not fit the history";
    if (violation.contains("callers have been told")) return "a run that never ends";
    if (violation.contains("event") && violation.contains("after")) return "a gap in a history";
    if (violation.contains("twice")) return "a signal that came in twice";
    if (violation.contains("acknowledged before")) return "signals out of order";
    if (violation.contains("fired at")) return "a timer before its time";
    if (violation.contains("doctor")) return "the doctor";
    if (violation.contains("a caller was told")) return "a caller who was told nonsense";
    return violation;
  }

  private static @Nullable String ofQueues(String violation) {
    if (violation.contains("handed out while somebody")) return "a task in two hands";
    if (violation.contains("handed out after its end")) return "a task handed out after its end";
    if (violation.contains("handed out although")) return "a task that nobody wants";
    if (violation.contains("handed out before")) return "a task before its time";
    if (violation.contains("handed out without the")) return "details that were lost";
    if (violation.contains("was handed out as attempt")) return "attempts counted wrongly";
    if (violation.contains("a report of attempt")) return "a stale report that counted";
    if (violation.contains("a report was")) return "a report answered wrongly";
    if (violation.contains("given up before its time")) return "a task taken from its worker";
    if (violation.contains("a heartbeat was")) return "a heartbeat answered wrongly";
    if (violation.contains("which counts no more")) return "an attempt that counts no more";
    if (violation.contains("somebody outside was told")) return "a caller who was told nonsense";
    if (violation.contains("was told 0 times")) return "a run that was not told";
    if (violation.startsWith("queue ")) return "a limit that was exceeded";
    if (violation.contains("activities are open for ever")) return "what never ends";
    return null;
  }
}

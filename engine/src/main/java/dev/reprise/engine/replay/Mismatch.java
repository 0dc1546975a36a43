package dev.reprise.engine.replay;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.RepriseException;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.KeptArguments;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.RunRow;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The code took another path than its history (R101), told with both sides. */
final class Mismatch {
  private static final int SHOWN = 200; // of a result, which may be a whole document

  private Mismatch() {}

  static RepriseException of(
      RunRow run,
      Recorded recorded,
      String code,
      @Nullable String hint,
      @Nullable NewCode newCode) {
    return new RepriseException(
        ErrorCode.R101,
        Stream.of(
                "workflow '%s' (%s, run %s) took another path than its history."
                    .formatted(run.workflowId(), run.workflow(), run.runId()),
                "  recorded as #%d: %s%s"
                    .formatted(recorded.index(), describe(recorded.event()), at(recorded.site())),
                "  the code now:  " + code,
                hint == null ? "" : "  difference:     " + hint,
                newCode == null ? "" : other(run, newCode),
                """
                %s Guard the change with ctx.patched("…"), or deploy code that takes the recorded \
                path; then resume '%s'.\
                """
                    .formatted(Verdict.HARMLESS, run.workflowId()))
            .filter(line -> !line.isEmpty())
            .toList());
  }

  /** Perhaps it is not a change of the code, but another application with the same name. */
  private static String other(RunRow run, NewCode newCode) {
    if (newCode.before() == null) return "";
    return "  other code:     %s of '%s' ran it last and no live engine has it, here is %s"
        .formatted(newCode.before(), run.workflow(), newCode.hash());
  }

  /**
   * Whether two events are the same, but for where in the code a failure was thrown.
   *
   * @param copied whether the recorded one comes from another run: then values may have that run's
   *     ids in them and are not compared
   */
  static boolean isSame(Event recorded, Event now, boolean copied) {
    if (copied && isAlike(recorded, now)) return true;
    if (recorded instanceof Event.CompensationsStarted(var s1, _, var r1, var before)
        && now instanceof Event.CompensationsStarted(var s2, _, var r2, var after)) {
      return s1 == s2 && r1.equals(r2) && isSame(before, after);
    }
    if (recorded instanceof Event.ActivityScheduled before
        && now instanceof Event.ActivityScheduled after) {
      return before.call().equals(after.call()); // where and how it runs may change
    }
    if (recorded instanceof Event.UpdateFailed(var m1, var before, var u1)
        && now instanceof Event.UpdateFailed(var m2, var after, var u2)) {
      return m1.equals(m2) && Objects.equals(u1, u2) && isSame(before, after);
    }
    if (recorded instanceof Event.WorkflowFailed(var before)
        && now instanceof Event.WorkflowFailed(var after)) {
      return isSame(before, after);
    }
    return recorded.equals(now);
  }

  /** Whether kind, name and id are the same. */
  private static boolean isAlike(Event recorded, Event now) {
    return recorded.getClass() == now.getClass() && recorded.subject().equals(now.subject());
  }

  private static boolean isSame(@Nullable FailureInfo before, @Nullable FailureInfo after) {
    if (before == null || after == null) return before == null && after == null;
    return before.type().equals(after.type())
        && Objects.equals(messageOf(before), messageOf(after))
        && Objects.equals(before.details(), after.details())
        && isSame(before.cause(), after.cause());
  }

  /**
   * An error of the engine says where the documentation is, which each process may say otherwise.
   */
  private static @Nullable String messageOf(FailureInfo failure) {
    var message = failure.message();
    boolean isOurs = failure.type().equals(RepriseException.class.getName());
    return message == null || !isOurs ? message : ErrorCode.withoutDocs(message);
  }

  /** What differs between two events that code asks for, if that is not to be seen. */
  static @Nullable String ofCommands(Event recorded, Event now) {
    if (recorded instanceof Event.WorkflowCompleted(var before)
        && now instanceof Event.WorkflowCompleted(var after)) {
      return "the results are not the same: %s, now %s"
          .formatted(shortened(before), shortened(after));
    }
    if (!isAlike(recorded, now)) return null;
    var before = withArguments(recorded);
    var after = withArguments(now);
    return before == null || after == null ? null : ofCalls(before, after);
  }

  /** The call of an event that has its arguments in the value. */
  private static @Nullable Call withArguments(Event event) {
    return switch (event) {
      case Event.ActivityScheduled e -> unpacked(e.call(), e.arguments(), e.lengths());
      case Event.CompensationRegistered e -> unpacked(e.call(), e.arguments(), e.lengths());
      default -> null;
    };
  }

  private static Call unpacked(Call call, Payload arguments, List<Integer> lengths) {
    return new Call(
        call.id(), call.name(), call.digest(), KeptArguments.unpacked(arguments, lengths));
  }

  /** What differs between two calls with the same id. */
  static @Nullable String ofCalls(Call recorded, Call now) {
    if (recorded.equals(now)) return null;
    if (!recorded.name().equals(now.name())) {
      return "the names are not the same: %s, now %s".formatted(recorded.name(), now.name());
    }
    var before = recorded.arguments();
    var after = now.arguments();
    var text = "the arguments are not the same";
    if (now.digest().isEmpty()) return text + ": there are none now";
    if (after == null) return text + "; which of them is not known, as none are kept";
    if (recorded.digest().isEmpty()) return text + ": there were none, now " + shown(after);
    if (before == null) return text + "; those in the history were not kept, now " + shown(after);
    var differences = before.differencesTo(after, SHOWN);
    return differences.isEmpty() ? text : text + ": " + String.join("; ", differences);
  }

  private static String shown(KeptArguments arguments) {
    return shortened("(" + String.join(", ", arguments.texts()) + ")");
  }

  private static String shortened(Payload value) {
    return shortened(value.toString());
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }

  static String at(@Nullable String site) {
    return site == null ? "" : " at " + site;
  }

  private static String describe(Event event) {
    var type = EventType.of(event).label();
    return switch (event) {
      case Event.ActivityCompleted e -> type + " " + call(e.call());
      case Event.ActivityFailed e -> type + " " + call(e.call());
      case Event.ActivityRetryScheduled e -> type + " " + call(e.call());
      case Event.TimerScheduled(var id, var due) -> "%s %s, due %s".formatted(type, id, due);
      case Event.WaitTimedOut(var id, var due) -> "%s %s, due %s".formatted(type, id, due);
      case Event.ActivityCancelled e -> type + " " + call(e.call());
      case Event.ActivityScheduled e -> type + " " + call(e.call());
      case Event.CompensationRegistered e -> type + " " + call(e.call());
      case Event.ChildStarted e -> "%s %s (%s)".formatted(type, e.workflow(), e.id());
      case Event.WorkflowFailed(var failure) -> type + " " + failure;
      default -> event.subject().isEmpty() ? type : type + " " + event.subject();
    };
  }

  private static String call(Call call) {
    return "activity %s (%s)".formatted(call.name(), call.id());
  }
}

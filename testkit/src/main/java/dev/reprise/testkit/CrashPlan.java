package dev.reprise.testkit;

import dev.reprise.HistoryEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** How the runs of a test end without a crash, and after which events to crash them. */
final class CrashPlan {
  private final int limit;
  private final boolean onlyOutcomes;
  private Map<String, Likeness> straight = Map.of();
  private List<CrashPoint> points = List.of();

  CrashPlan(int limit, boolean onlyOutcomes) {
    if (limit < 1) throw new IllegalArgumentException("the limit of crashes is less than 1");
    this.limit = limit;
    this.onlyOutcomes = onlyOutcomes;
  }

  /** None before the straight run was recorded, or if it failed. */
  List<CrashPoint> points() {
    return points;
  }

  /** The test has passed without a crash. */
  void record(TestEngine engine) {
    engine.awaitQuiet();
    var ids = engine.runs().stream().map(run -> run.workflowId()).toList();
    if (ids.isEmpty()) throw new AssertionError("the test started no workflow to crash");
    var all = new ArrayList<CrashPoint>();
    for (var id : ids) {
      for (var event : engine.history(id)) all.add(point(id, event, ids.size() > 1));
    }
    straight = likenesses(engine);
    points = spread(all);
  }

  private static CrashPoint point(String workflowId, HistoryEvent event, boolean ofMany) {
    var subject = event.subject().isEmpty() ? "" : " " + event.subject();
    var run = ofMany ? " of " + workflowId : "";
    var name = "crash after event %d%s: %s%s".formatted(event.index(), run, event.type(), subject);
    return new CrashPoint(workflowId, event.index(), name);
  }

  private List<CrashPoint> spread(List<CrashPoint> all) {
    int count = all.size();
    if (count <= limit) return List.copyOf(all);
    var note = " (%d of %,d events, evenly spread)".formatted(limit, count);
    return IntStream.range(0, limit)
        .mapToObj(i -> all.get((int) ((long) i * (count - 1) / Math.max(1, limit - 1))))
        .map(at -> new CrashPoint(at.workflowId(), at.index(), at.name() + note))
        .toList();
  }

  private static Map<String, Likeness> likenesses(TestEngine engine) {
    var all = new LinkedHashMap<String, Likeness>();
    for (var run : engine.runs()) {
      all.put(run.workflowId(), Likeness.of(run, engine.history(run.workflowId())));
    }
    return all;
  }

  /** The test has passed with a crash at that point: it must have ended as without. */
  void compare(TestEngine engine, CrashPoint point) {
    engine.awaitQuiet();
    if (!engine.hasCrashed()) {
      throw new AssertionError(
          """
          this event was never recorded, so there was no crash: the test does not do the same each \
          time it is run.

          %s\
          """
              .formatted(Histories.of(engine, "")));
    }
    var now = likenesses(engine);
    if (!now.keySet().equals(straight.keySet())) {
      throw new AssertionError(
          "without a crash it started the workflows %s, but with it %s"
              .formatted(new TreeSet<>(straight.keySet()), new TreeSet<>(now.keySet())));
    }
    now.forEach((id, likeness) -> compare(engine, id, likeness, point));
  }

  private void compare(TestEngine engine, String id, Likeness now, CrashPoint point) {
    var difference = Objects.requireNonNull(straight.get(id)).differenceTo(now, onlyOutcomes);
    if (difference.isEmpty()) return;
    throw new AssertionError(
        """
        '%s' ended otherwise than without the %s
        %s

        %s\
        """
            .formatted(id, point.name(), difference.get(), engine.table(id)));
  }
}

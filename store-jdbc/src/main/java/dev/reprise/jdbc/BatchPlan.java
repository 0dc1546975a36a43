package dev.reprise.jdbc;

import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Accept;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.RunChange.Begin;
import dev.reprise.engine.store.Transition.RunChange.Block;
import dev.reprise.engine.store.Transition.RunChange.Close;
import dev.reprise.engine.store.Transition.RunChange.Compensate;
import dev.reprise.engine.store.Transition.RunChange.Continue;
import dev.reprise.engine.store.Transition.RunChange.None;
import dev.reprise.engine.store.Transition.RunChange.Release;
import dev.reprise.engine.store.Transition.RunChange.Unblock;
import dev.reprise.engine.store.Transition.RunChange.WakeAt;
import dev.reprise.engine.store.Transition.Start;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A batch cut into segments. Inside of a segment no transition depends on one ahead of it, so that
 * its transitions may be stored kind by kind. Nearly every batch is one segment.
 */
record BatchPlan(List<Segment> segments) {

  /** A transition and its place in the batch. */
  record Placed<T extends Transition>(int place, T transition) {}

  /** Transitions that do not depend on each other. */
  record Segment(
      List<Placed<Start>> starts, List<Placed<Accept>> accepts, List<Placed<Append>> appends) {

    private Segment() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  /** What a segment has done to a run so far, as far as others may depend on it. */
  private enum Done {
    STARTED,
    ACCEPTED,
    CONSUMED,
    LEFT, // released, blocked or unblocked: its owner or its status is another
    CLOSED
  }

  /**
   * @param ids workflow ids of runs that end, at least of {@link #endsThatMatter}
   */
  static BatchPlan of(List<Transition> transitions, Map<Long, String> ids) {
    var cutting = new Cutting(ids);
    for (int place = 0; place < transitions.size(); place++) {
      cutting.add(place, transitions.get(place));
    }
    return cutting.plan();
  }

  boolean isWhole() {
    return segments.size() == 1;
  }

  /** Runs that end in a batch in which others send inputs: perhaps to them. */
  static List<Long> endsThatMatter(List<Transition> transitions) {
    var ends = new ArrayList<Long>();
    int senders = 0;
    boolean bothAtOnce = false;
    for (var transition : transitions) {
      if (!(transition instanceof Append append)) continue;
      boolean sends = !append.deliveries().isEmpty();
      if (sends) senders++;
      if (!isEnd(append.change())) continue;
      ends.add(append.run());
      bothAtOnce |= sends;
    }
    boolean isLone = bothAtOnce && senders == 1 && ends.size() == 1;
    return senders == 0 || isLone ? List.of() : ends;
  }

  private static boolean isEnd(RunChange change) {
    return change instanceof Close || change instanceof Continue;
  }

  /** Puts transitions into segments. */
  private static final class Cutting {
    private final Map<Long, String> ids;
    private final List<Segment> segments = new ArrayList<>();
    private Segment segment = new Segment();
    private final Map<Long, Set<Done>> done = new HashMap<>();
    private final Set<String> ended = new HashSet<>(); // workflow ids
    private final Set<String> targets = new HashSet<>(); // workflow ids to which inputs were sent
    private final Set<String> unsure = new HashSet<>(); // workflow ids of starts that may be none
    private boolean leavesQueues;

    private Cutting(Map<Long, String> ids) {
      this.ids = ids;
    }

    private BatchPlan plan() {
      segments.add(segment);
      return new BatchPlan(segments);
    }

    private void add(int place, Transition transition) {
      if (depends(transition)) cut();
      switch (transition) {
        case Start start -> {
          segment.starts().add(new Placed<>(place, start));
          mark(start.run().key(), Done.STARTED);
          if (TaskStarts.isUnique(start)) unsure.add(start.run().workflowId());
        }
        case Accept accept -> {
          segment.accepts().add(new Placed<>(place, accept));
          mark(accept.input().run(), Done.ACCEPTED);
        }
        case Append append -> {
          segment.appends().add(new Placed<>(place, append));
          mark(append);
        }
      }
    }

    private void cut() {
      segments.add(segment);
      segment = new Segment();
      done.clear();
      ended.clear();
      targets.clear();
      unsure.clear();
      leavesQueues = false;
    }

    private boolean depends(Transition transition) {
      return switch (transition) {
        case Start start ->
            targets.contains(start.run().workflowId())
                || (start.replaces() != null && isStarted(start.run().workflowId()))
                || unsure.contains(start.run().workflowId())
                || (leavesQueues && TaskStarts.isUnique(start));
        case Accept(var input) -> isDone(input.run(), Done.STARTED, Done.CONSUMED, Done.CLOSED);
        case Append append ->
            isDone(append.run(), Done.STARTED, Done.LEFT, Done.CLOSED)
                || sendsToEnded(append)
                || (isEnd(append.change()) && (done.containsKey(append.run()) || isTarget(append)));
      };
    }

    /** Perhaps in vain, which leaves the id to one that uses it again. */
    private boolean isStarted(String workflowId) {
      return segment.starts().stream()
          .anyMatch(start -> start.transition().run().workflowId().equals(workflowId));
    }

    private boolean isDone(long run, Done... any) {
      var had = done.get(run);
      return had != null && !Collections.disjoint(had, List.of(any));
    }

    private boolean sendsToEnded(Append append) {
      for (var sent : append.deliveries()) if (ended.contains(sent.workflowId())) return true;
      return false;
    }

    private boolean isTarget(Append append) {
      var id = ids.get(append.run());
      return id != null && targets.contains(id);
    }

    private void mark(Append append) {
      if (!append.consumedInputs().isEmpty()) mark(append.run(), Done.CONSUMED);
      for (var sent : append.deliveries()) targets.add(sent.workflowId());
      leavesQueues |= append.change() instanceof Begin || isEnd(append.change());
      switch (append.change()) {
        case None _, WakeAt _ -> {}
        case Begin _, Release _, Block _, Unblock _, Compensate _ -> mark(append.run(), Done.LEFT);
        case Close _ -> markEnd(append.run());
        case Continue(var next, _, _) -> {
          markEnd(append.run());
          mark(next.key(), Done.STARTED);
        }
      }
    }

    private void markEnd(long run) {
      mark(run, Done.CLOSED);
      var id = ids.get(run);
      if (id != null) ended.add(id);
    }

    private void mark(long run, Done what) {
      done.computeIfAbsent(run, _ -> EnumSet.noneOf(Done.class)).add(what);
    }
  }
}

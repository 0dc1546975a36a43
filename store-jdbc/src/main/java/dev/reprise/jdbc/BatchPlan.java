package dev.reprise.jdbc;

import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Accept;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange.Block;
import dev.reprise.engine.store.Transition.RunChange.Close;
import dev.reprise.engine.store.Transition.RunChange.None;
import dev.reprise.engine.store.Transition.RunChange.Release;
import dev.reprise.engine.store.Transition.RunChange.Unblock;
import dev.reprise.engine.store.Transition.RunChange.WakeAt;
import dev.reprise.engine.store.Transition.Start;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
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

  static BatchPlan of(List<Transition> transitions) {
    var segments = new ArrayList<Segment>();
    var segment = new Segment();
    var done = new HashMap<Long, Set<Done>>();
    for (int place = 0; place < transitions.size(); place++) {
      var transition = transitions.get(place);
      if (depends(transition, done)) {
        segments.add(segment);
        segment = new Segment();
        done.clear();
      }
      add(segment, place, transition, done);
    }
    segments.add(segment);
    return new BatchPlan(segments);
  }

  boolean isWhole() {
    return segments.size() == 1;
  }

  private static boolean depends(Transition transition, Map<Long, Set<Done>> done) {
    return switch (transition) {
      case Start _ -> false;
      case Accept(var input) -> {
        var before = done.getOrDefault(input.run(), Set.of());
        yield before.contains(Done.STARTED)
            || before.contains(Done.CONSUMED)
            || before.contains(Done.CLOSED);
      }
      case Append append -> {
        var before = done.getOrDefault(append.run(), Set.of());
        yield before.contains(Done.STARTED)
            || before.contains(Done.LEFT)
            || before.contains(Done.CLOSED)
            || (append.change() instanceof Close && !before.isEmpty());
      }
    };
  }

  private static void add(
      Segment segment, int place, Transition transition, Map<Long, Set<Done>> done) {
    switch (transition) {
      case Start start -> {
        segment.starts().add(new Placed<>(place, start));
        mark(done, start.run().key(), Done.STARTED);
      }
      case Accept accept -> {
        segment.accepts().add(new Placed<>(place, accept));
        mark(done, accept.input().run(), Done.ACCEPTED);
      }
      case Append append -> {
        segment.appends().add(new Placed<>(place, append));
        if (!append.consumedInputs().isEmpty()) mark(done, append.run(), Done.CONSUMED);
        switch (append.change()) {
          case None _, WakeAt _ -> {}
          case Release _, Block _, Unblock _ -> mark(done, append.run(), Done.LEFT);
          case Close _ -> mark(done, append.run(), Done.CLOSED);
        }
      }
    }
  }

  private static void mark(Map<Long, Set<Done>> done, long run, Done what) {
    done.computeIfAbsent(run, _ -> EnumSet.noneOf(Done.class)).add(what);
  }
}

package dev.reprise.engine.replay;

import static java.util.Collections.emptyList;
import static java.util.Collections.emptySet;

import dev.reprise.engine.replay.Wait.Kind;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the fibers of a run wait for. Belongs to whoever holds the baton. */
final class Waits {
  private final Baton baton;
  private final Map<String, Wait> byId = new LinkedHashMap<>(4); // those that an event can end
  private Set<Wait> toLaunch = emptySet(); // steps that have not begun
  private Set<Wait> toArm = emptySet(); // waits whose time is not watched yet
  private List<Wait> toGiveUp = emptyList(); // steps of branches that were given up
  private List<Wait> conditions = emptyList();
  private final SignalBox signals = new SignalBox();
  private long progress; // counts what may have made a condition true

  Waits(Baton baton) {
    this.baton = baton;
  }

  /** A wait that an event can end. */
  void register(Wait wait) {
    byId.put(Objects.requireNonNull(wait.id), wait);
    if (wait.kind == Kind.STEP && wait.due == null) launch(wait);
    if (wait.due != null) toArm = Sparse.add(toArm, wait);
  }

  @Nullable Wait of(String id) {
    return byId.get(id);
  }

  boolean isEmpty() {
    return byId.isEmpty() && conditions.isEmpty();
  }

  /** An attempt has failed, and the next one is due then. */
  void postpone(Wait wait, Instant due) {
    toLaunch.remove(wait);
    wait.due = due;
    toArm = Sparse.add(toArm, wait);
  }

  /** Ends a wait: its fiber is next in line. */
  void finish(Wait wait) {
    if (wait.done) return;
    forget(wait);
    baton.ready(wait.fiber);
  }

  /** Takes a wait out of all lists. */
  void forget(Wait wait) {
    wait.done = true;
    if (wait.id != null) byId.remove(wait.id);
    if (wait.timer != null) wait.timer.cancel();
    switch (wait.kind) {
      case STEP -> toLaunch.remove(wait);
      case SIGNAL -> signals.giveUp(wait);
      case CONDITION -> conditions.remove(wait);
      case SLEEP, PROMISE -> {}
    }
  }

  SignalBox signals() {
    return signals;
  }

  /** A wait for a condition that was false just now. */
  void addCondition(Wait wait) {
    wait.seen = progress;
    if (!conditions.contains(wait)) conditions = Sparse.add(conditions, wait);
  }

  /** Something has happened that may have made a condition true. */
  void progressed() {
    progress++;
  }

  /** Lets the fibers ask their conditions again, if anything has happened since. */
  boolean askConditions() {
    boolean any = false;
    for (var wait : conditions) {
      if (wait.seen == progress) continue;
      wait.seen = progress;
      baton.ready(wait.fiber);
      any = true;
    }
    return any;
  }

  /** A step that no further attempt is wanted of. */
  void giveUp(Wait wait) {
    if (!toGiveUp.contains(wait)) toGiveUp = Sparse.add(toGiveUp, wait);
  }

  Set<Wait> toLaunch() {
    return toLaunch;
  }

  /** A step that may begin. */
  void launch(Wait wait) {
    toLaunch = Sparse.add(toLaunch, wait);
  }

  boolean hasToArm() {
    return !toArm.isEmpty();
  }

  /** The waits whose time is to be watched from now on. */
  Set<Wait> takeToArm() {
    var waits = toArm;
    toArm = emptySet();
    return waits;
  }

  List<Wait> toGiveUp() {
    return toGiveUp;
  }

  /** When the first of the waits is due, or null if none ever is. */
  @Nullable Instant earliestDue() {
    Instant earliest = null;
    for (var wait : byId.values()) {
      if (wait.due != null && (earliest == null || wait.due.isBefore(earliest))) {
        earliest = wait.due;
      }
    }
    return earliest;
  }

  void clear() {
    for (var wait : byId.values()) if (wait.timer != null) wait.timer.cancel();
    byId.clear();
    toLaunch.clear();
    toArm.clear();
    toGiveUp.clear();
    conditions.clear();
  }
}

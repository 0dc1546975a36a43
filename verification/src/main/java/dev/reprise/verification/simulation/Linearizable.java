package dev.reprise.verification.simulation;

import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.store.RunRow;
import dev.reprise.verification.simulation.Call.Answer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether the calls about one workflow could have happened one after the other, each at one moment
 * between question and answer, and so that every answer is right: the search of Wing and Gong, with
 * memory. How it ended is known from the history.
 */
final class Linearizable {
  private static final int MOST = 62; // calls and the end, as bits

  private final Last last;
  private final List<Call> calls;
  private final Set<Long> known = new HashSet<>();

  /**
   * What the history says.
   *
   * @param input with which the run was started
   * @param notes values of the signals that it took in
   * @param cancelRequested whether it took in a cancel
   * @param status how it ended
   */
  record Last(String input, Set<String> notes, boolean cancelRequested, Status status) {
    static Last of(RunRow row, List<Event> events) {
      var notes =
          events.stream()
              .filter(Event.SignalReceived.class::isInstance)
              .map(event -> String.valueOf(event.payload()).replace("\"", ""))
              .collect(Collectors.toSet());
      boolean cancel = events.stream().anyMatch(Event.WorkflowCancelRequested.class::isInstance);
      var started = (Event.WorkflowStarted) events.getFirst();
      return new Last(started.input().toString(), notes, cancel, row.status());
    }
  }

  private enum Phase {
    ABSENT,
    OPEN,
    CLOSED
  }

  Linearizable(Last last, List<Call> calls) {
    this.last = last;
    this.calls = new ArrayList<>(calls);
    this.calls.removeIf(call -> call.answer() == Answer.UNKNOWN && !tookEffect(call));
  }

  /** A call without an answer either took effect, which the history shows, or never did. */
  private boolean tookEffect(Call call) {
    return switch (call.kind()) {
      case START -> call.argument().equals(last.input);
      case SIGNAL -> last.notes.contains(call.argument());
      case CANCEL -> last.cancelRequested;
      case RESULT -> false;
    };
  }

  /** What is wrong, or null. */
  @Nullable String problem() {
    if (calls.size() > MOST) return "has %d calls, too many to check".formatted(calls.size());
    if (search(0, Phase.ABSENT)) return null;
    return "is not linearizable, it ended as %s: %s".formatted(last, calls);
  }

  private boolean search(long done, Phase phase) {
    if (Long.bitCount(done) == calls.size()) return true;
    if (!known.add(done << 2 | phase.ordinal())) return false;
    for (int i = 0; i < calls.size(); i++) {
      if ((done & 1L << i) != 0 || !mayBeNext(i, done)) continue;
      var after = after(calls.get(i), phase);
      if (after != null && search(done | 1L << i, after)) return true;
    }
    return phase == Phase.OPEN && mayClose(done) && search(done, Phase.CLOSED);
  }

  /** Whether no other call that is not done yet was answered before this one was asked. */
  private boolean mayBeNext(int index, long done) {
    long from = calls.get(index).from();
    for (int i = 0; i < calls.size(); i++) {
      if ((done & 1L << i) == 0 && calls.get(i).to() < from) return false;
    }
    return true;
  }

  /** It ends after everything that is in its history. */
  private boolean mayClose(long done) {
    boolean cancelled = false;
    var taken = new HashSet<String>();
    for (int i = 0; i < calls.size(); i++) {
      var call = calls.get(i);
      if ((done & 1L << i) == 0) continue;
      if (call.kind() == Call.Kind.SIGNAL) taken.add(call.argument());
      if (call.kind() == Call.Kind.CANCEL) cancelled = true;
    }
    return taken.containsAll(last.notes) && (cancelled || !last.cancelRequested);
  }

  /** The phase after a call that was answered like that; null if it cannot have been. */
  private @Nullable Phase after(Call call, Phase phase) {
    return switch (call.kind()) {
      case START -> afterStart(call, phase);
      case SIGNAL ->
          switch (call.answer()) {
            case DONE, UNKNOWN ->
                last.notes.contains(call.argument()) && phase != Phase.ABSENT ? phase : null;
            case CLOSED ->
                phase == Phase.CLOSED && !last.notes.contains(call.argument()) ? phase : null;
            case ABSENT -> phase == Phase.ABSENT ? phase : null;
            case IN_USE -> null;
          };
      case CANCEL ->
          switch (call.answer()) {
            case DONE, UNKNOWN -> isCancelled(phase) ? phase : null;
            // It may have been asked for twice: the first time took effect and was not answered.
            case CLOSED -> phase == Phase.CLOSED || isCancelled(phase) ? phase : null;
            case ABSENT -> phase == Phase.ABSENT ? phase : null;
            case IN_USE -> null;
          };
      case RESULT -> call.answer() == Answer.DONE && phase == Phase.CLOSED ? phase : null;
    };
  }

  private boolean isCancelled(Phase phase) {
    return (phase == Phase.OPEN && last.cancelRequested)
        || (phase == Phase.CLOSED && last.status == Status.CANCELLED);
  }

  private @Nullable Phase afterStart(Call call, Phase phase) {
    boolean same = call.argument().equals(last.input);
    if (call.answer() == Answer.IN_USE) return phase != Phase.ABSENT && !same ? phase : null;
    if (!same) return null;
    return phase == Phase.ABSENT ? Phase.OPEN : phase;
  }
}

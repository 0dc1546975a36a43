package dev.reprise.verification.simulation;

import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.verification.simulation.Call.Answer;
import dev.reprise.verification.simulation.Call.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether the calls about one workflow could have happened one after the other, each at one moment
 * between question and answer, and so that every answer is right: the search of Wing and Gong, with
 * memory. How it ended is known from the history.
 */
final class Linearizable {
  /** The calls that it knows. */
  static final Set<Kind> KINDS =
      Set.of(
          Kind.START,
          Kind.SIGNAL,
          Kind.CANCEL,
          Kind.RESULT,
          Kind.TERMINATE,
          Kind.TERMINATE_AND_UNDO);

  private static final int MOST = 61; // calls as bits, beside the phase

  private final Last last;
  private final List<Call> calls;
  private final Set<Long> known = new HashSet<>();

  /**
   * What the history says.
   *
   * @param input with which the run was started
   * @param notes values of the signals that it took in
   * @param cancelRequested whether it took in a cancel
   * @param codeEnded whether a cancel meant nothing any more at some time
   * @param status how it ended
   */
  record Last(
      String input, Set<String> notes, boolean cancelRequested, boolean codeEnded, Status status) {
    static Last of(Chain chain) {
      var notes = new HashSet<String>();
      for (var link : chain.links()) notes.addAll(Chain.Link.notes(link.events()));
      return new Last(
          chain.first().started().input().toString(),
          notes,
          chain.has(Event.WorkflowCancelRequested.class),
          chain.has(Event.TimeLimitReached.class) || chain.has(Event.CompensationsStarted.class),
          chain.last().row().status());
    }

    /** Whether it is known what became of each input: what a held run has not seen is not. */
    boolean isTerminated() {
      return status == Status.TERMINATED;
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
      case TERMINATE, TERMINATE_AND_UNDO -> last.isTerminated();
      default -> false;
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
    boolean terminated = false;
    var taken = new HashSet<String>();
    for (int i = 0; i < calls.size(); i++) {
      var call = calls.get(i);
      if ((done & 1L << i) == 0) continue;
      switch (call.kind()) {
        case SIGNAL -> taken.add(call.argument());
        case CANCEL -> cancelled = true;
        case TERMINATE, TERMINATE_AND_UNDO -> terminated = true;
        default -> {}
      }
    }
    return taken.containsAll(last.notes)
        && (cancelled || !last.cancelRequested)
        && (terminated || !last.isTerminated());
  }

  /** The phase after a call that was answered like that; null if it cannot have been. */
  private @Nullable Phase after(Call call, Phase phase) {
    return switch (call.kind()) {
      case START -> afterStart(call, phase);
      case SIGNAL -> isRight(call, phase, isTaken(call, phase)) ? phase : null;
      case CANCEL -> isRight(call, phase, isCancelled(phase)) ? phase : null;
      case TERMINATE -> isRight(call, phase, isTerminated(phase)) ? phase : null;
      case TERMINATE_AND_UNDO ->
          isRight(call, phase, isTerminated(phase) || isUndone(phase)) ? phase : null;
      case RESULT -> call.answer() == Answer.DONE && phase == Phase.CLOSED ? phase : null;
      default -> null;
    };
  }

  private boolean isRight(Call call, Phase phase, boolean tookEffect) {
    return switch (call.answer()) {
      case DONE, UNKNOWN -> tookEffect;
      case CLOSED ->
          call.kind() == Kind.SIGNAL
              ? phase == Phase.CLOSED && !last.notes.contains(call.argument())
              // It may have been asked for twice: the first time took effect and was not answered.
              : phase == Phase.CLOSED || tookEffect;
      case ABSENT -> phase == Phase.ABSENT;
      case IN_USE, REFUSED -> false;
    };
  }

  private boolean isTaken(Call call, Phase phase) {
    boolean known = last.notes.contains(call.argument());
    return phase != Phase.ABSENT && (known || (phase == Phase.OPEN && last.isTerminated()));
  }

  private boolean isCancelled(Phase phase) {
    boolean wanted = last.cancelRequested || last.codeEnded || last.isTerminated();
    return (phase == Phase.OPEN && wanted)
        || (phase == Phase.CLOSED && last.status == Status.CANCELLED);
  }

  private boolean isTerminated(Phase phase) {
    return phase != Phase.ABSENT && last.isTerminated();
  }

  /** What is undone already goes on with it. */
  private boolean isUndone(Phase phase) {
    return phase == Phase.OPEN && last.codeEnded;
  }

  private @Nullable Phase afterStart(Call call, Phase phase) {
    boolean same = call.argument().equals(last.input);
    if (call.answer() == Answer.IN_USE) return phase != Phase.ABSENT && !same ? phase : null;
    if (!same) return null;
    return phase == Phase.ABSENT ? Phase.OPEN : phase;
  }
}

package dev.reprise.engine.replay;

import dev.reprise.BranchFailed;
import dev.reprise.Context.Turn;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Payload;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * A loop without end. Between two turns nothing is left of the turns before but the state; so when
 * the history has become long, a new run takes its place whose history has what came before the
 * loop, and then the state.
 */
final class Loop {
  private final LiveRun run;
  private final Values values;
  private final Ids ids;

  Loop(LiveRun run, Values values, Ids ids) {
    this.run = run;
    this.values = values;
    this.ids = ids;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the codec gives what the type says
  <S> S play(Type type, S initial, Turn<S> turn) {
    var stage = run.stage();
    var fiber = stage.cast().enter();
    var id = ids.next("loop");
    int before = stage.state().size(); // events ahead of the loop
    // What is open now would be open again in the new run.
    boolean mayBeCut = isAlone(fiber) && stage.state().life().tasks().isEmpty();
    var snapshot = stage.takeSnapshot(id);
    S state =
        snapshot == null
            ? initial
            : (S) values.decode(snapshot.state(), type, "the state of " + id);
    for (; ; ) {
      S next = turn(turn, state);
      if (next == null) return state;
      state = next;
      stage.cast().enter();
      if (isDue(fiber, before, mayBeCut)) {
        var edge = new Edge(id, before, values.encode(state, type, "the state of " + id));
        run.continues(edge);
        throw Unwind.INSTANCE; // the rest of this code belongs to the new run
      }
    }
  }

  /**
   * Where a loop is cut.
   *
   * @param before how many events are ahead of the loop
   */
  record Edge(String id, int before, Payload state) {}

  private static <S> @Nullable S turn(Turn<S> turn, S state) {
    try {
      return turn.next(state);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new BranchFailed(e);
    }
  }

  /** Whether the history is long, and nothing is open that began before. */
  private boolean isDue(Fiber fiber, int before, boolean mayBeCut) {
    var stage = run.stage();
    var next = stage.peek();
    if (next != null) return next.event() instanceof Event.WorkflowContinuedAsNew;
    return mayBeCut && stage.state().size() - before >= run.loopLimit() && isAlone(fiber);
  }

  /** Whether nothing but this code goes on, and nothing but the state has to go along. */
  private boolean isAlone(Fiber fiber) {
    var stage = run.stage();
    var state = stage.state();
    return state.cancelled() == null
        && stage.cast().isAlone(fiber)
        && stage.waits().isEmpty()
        && state.timers().isEmpty()
        && state.life().children().isEmpty();
  }
}

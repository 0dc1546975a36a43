package dev.reprise.verification.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Fork;
import dev.reprise.HistoryEvent;
import dev.reprise.Query;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.Update;
import dev.reprise.Workflow;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import dev.reprise.WorkflowTimedOut;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Everything that a workflow has goes along when its loop is cut. */
@RepriseTest
class CutLoopTest {
  private static final Signal<Integer> NEXT = Signal.of("next", Integer.class);
  private static final Query<String, Integer> TURN = Query.of("turn", String.class, Integer.class);
  private static final Update<Integer, Integer> SKIP =
      Update.of("skip", Integer.class, Integer.class);

  /** Remembers how to undo each turn, and waits for the number of the next. */
  public static final class Turns implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      var now = new int[1];
      var skip = new int[1];
      ctx.onQuery(TURN, _ -> now[0]);
      ctx.onUpdate(SKIP, by -> skip[0] += by);
      ctx.compensate("undo", "first");
      var last =
          ctx.loop(
              0,
              turn -> {
                now[0] = turn;
                ctx.attribute("turn", turn);
                ctx.attribute("odd", turn % 2 == 1 ? true : null);
                ctx.compensate("undo", "turn " + turn);
                int next = ctx.receive(NEXT);
                if (next < 0) throw new IllegalStateException("stopped at " + turn);
                return next == 0 ? null : next;
              });
      return in + last;
    }
  }

  private final List<String> undone = new CopyOnWriteArrayList<>();

  @BeforeEach
  void engine(TestEngine engine) {
    engine
        .workflow(new Turns())
        .activity("undo", String.class, undone::add)
        .set(e -> e.loopLimit(6));
  }

  private static void play(TestEngine engine, int turns) {
    for (int turn = 1; turn <= turns; turn++) engine.signal("w", NEXT, turn);
    engine.awaitQuiet();
    assertThat(engine.runs("w").size()).as("cuts").isGreaterThan(turns / 6);
  }

  private static List<String> allOf(int turns) {
    return IntStream.rangeClosed(0, turns)
        .mapToObj(i -> i == turns ? "first" : "turn " + (turns - 1 - i))
        .toList();
  }

  @Test
  void what_was_remembered_in_any_turn_is_undone_in_reverse_order(TestEngine engine) {
    var run = engine.start(Turns.class, "w", "");
    play(engine, 20);
    engine.crash();
    run.signal(NEXT, -1);

    assertThatThrownBy(run::result)
        .isInstanceOf(WorkflowFailed.class)
        .hasMessageContaining("stopped at 20");
    assertThat(undone).containsExactlyElementsOf(allOf(21));
  }

  @Test
  void a_cancel_and_the_end_of_its_time_reach_it_in_any_run(TestEngine engine) {
    var run = engine.start(Turns.class, "w", "");
    play(engine, 20);
    run.cancel("enough");
    assertThatThrownBy(run::result).isInstanceOf(WorkflowCancelled.class);
    assertThat(undone).hasSize(22);

    var day = StartOptions.defaults().timeout(Duration.ofDays(1));
    var limited = engine.start(Turns.class, "limited", "", day);
    for (int turn = 1; turn <= 20; turn++) {
      engine.signal("limited", NEXT, turn);
      engine.advance(Duration.ofHours(1));
    }
    assertThatThrownBy(limited::result).isInstanceOf(WorkflowTimedOut.class);
    assertThat(engine.now()).isEqualTo(TestEngine.START.plus(Duration.ofDays(1)));
  }

  @Test
  void queries_attributes_and_updates_go_along(TestEngine engine) {
    var run = engine.start(Turns.class, "w", "");
    assertThat(engine.update("w", SKIP, 5, "m")).isEqualTo(5);
    play(engine, 21);

    assertThat(run.query(TURN, "")).isEqualTo(21);
    assertThat(run.describe().attributes()).containsEntry("odd", true).containsKey("turn");
    assertThat(engine.count("attribute.turn = 21")).isEqualTo(1);
    assertThat(engine.update("w", SKIP, 5, "m")).as("the answer of an earlier run").isEqualTo(5);
    run.signal(NEXT, 22);
    engine.awaitQuiet();
    assertThat(run.describe().attributes()).doesNotContainKey("odd");
    run.signal(NEXT, 0);
    assertThat(run.result()).isEqualTo("22");
    assertThat(undone).isEmpty();
  }

  @Test
  void a_fork_of_it_begins_in_a_turn_and_not_in_the_middle_of_its_state(TestEngine engine) {
    var run = engine.start(Turns.class, "w", "");
    play(engine, 20);
    var history = run.history();
    int snapshot =
        history.stream()
            .filter(e -> e.type().equals("LoopSnapshot"))
            .mapToInt(HistoryEvent::index)
            .findFirst()
            .orElseThrow();

    assertThat(catchThrowableOfType(RepriseException.class, () -> engine.fork("w", snapshot)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.R130))
        .hasMessageContaining("the state of a loop");
    var fork = engine.fork(Fork.of("w", history.size()).as("f"));
    fork.signal(NEXT, 0);

    assertThat(fork.result()).isEqualTo("20");
    assertThat(run.status()).isEqualTo(Status.RUNNING);
    assertThat(run.history()).isEqualTo(history);
  }
}

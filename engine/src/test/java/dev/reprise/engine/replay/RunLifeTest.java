package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.reprise.Signal;
import dev.reprise.Waiting;
import dev.reprise.Workflow;
import dev.reprise.engine.replay.RunPort.End;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a run tells the node and the store while it lives, and how it leaves memory. */
class RunLifeTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Instant START = Theatre.START;

  private static final Workflow<String, String> SLEEPER =
      (ctx, in) -> {
        ctx.sleep(HOUR);
        return in;
      };
  private static final Workflow<String, String> LISTENER = (ctx, _) -> ctx.receive(WORD);

  @RegisterExtension final Theatre theatre = new Theatre();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void releaseActivities() {
    release.countDown();
  }

  private volatile Thread worker;

  /** Waits in an activity until the test releases it. */
  private final Workflow<String, String> working =
      (ctx, in) -> {
        ctx.run("work", this::work);
        ctx.run("more", () -> {});
        return in;
      };

  private void work() throws InterruptedException {
    worker = Thread.currentThread();
    begun.countDown();
    release.await();
  }

  /** Until the activity runs. */
  private LiveRun playWorker() throws InterruptedException {
    theatre.start();
    var run = theatre.create(working);
    run.begin(theatre.store().history(1, 1, 10), List.of());
    begun.await();
    return run;
  }

  private List<RunChange> changes() {
    return theatre.handedOver().stream().map(Transition.Append::change).toList();
  }

  // ---- parked -----------------------------------------------------------------------------------

  @Test
  void a_run_that_waits_for_time_is_parked_until_then() {
    theatre.play(SLEEPER);
    assertThat(theatre.told()).containsExactly("parked");
    assertThat(theatre.alarms()).containsExactly(START.plus(HOUR));
    assertThat(changes()).containsExactly(new RunChange.WakeAt(START.plus(HOUR)));

    theatre.advance(HOUR);

    assertThat(theatre.result()).isEqualTo("\"in\"");
    assertThat(theatre.told()).containsExactly("parked", "woken");
    assertThat(theatre.alarms()).isEmpty();
  }

  @Test
  void a_run_that_waits_for_a_signal_only_is_never_due() {
    theatre.play(LISTENER);

    assertThat(changes()).containsExactly(new RunChange.WakeAt(null));
    assertThat(theatre.alarms()).isEmpty();
  }

  @Test
  void an_input_that_changes_nothing_is_recorded_without_touching_the_row() {
    theatre.play(LISTENER);
    theatre.signal("other", "a");

    assertThat(changes()).containsExactly(new RunChange.WakeAt(null), new RunChange.None());
    assertThat(theatre.told()).containsExactly("parked", "woken", "parked");
  }

  @Test
  void a_parked_run_that_begins_an_activity_is_due_at_once() throws Exception {
    theatre.play(
        (ctx, in) -> {
          ctx.sleep(HOUR);
          return working.run(ctx, in);
        });
    theatre.advanceWithoutWaiting(HOUR);
    begun.await();

    assertThat(changes())
        .containsExactly(
            new RunChange.WakeAt(START.plus(HOUR)), new RunChange.WakeAt(START.plus(HOUR)));
    release.countDown();
    assertThat(theatre.result()).isEqualTo("\"in\"");
  }

  @Test
  void a_run_is_due_when_the_first_of_its_waits_is() {
    theatre.play(
        (ctx, in) -> {
          ctx.async(() -> ctx.receive(WORD, HOUR.multipliedBy(3)));
          ctx.async(() -> ctx.receive(WORD, HOUR));
          ctx.async(() -> ctx.receive(WORD, HOUR.multipliedBy(2)));
          return ctx.receive(WORD);
        });

    assertThat(changes()).containsExactly(new RunChange.WakeAt(START.plus(HOUR)));
    assertThat(theatre.alarms()).hasSize(3);
  }

  @Test
  void a_limit_that_was_not_needed_makes_a_run_due_no_more() {
    theatre.play(
        (ctx, _) -> {
          ctx.receive(WORD, HOUR);
          return ctx.receive(WORD);
        });
    theatre.signal("word", "a");

    assertThat(changes())
        .containsExactly(new RunChange.WakeAt(START.plus(HOUR)), new RunChange.WakeAt(null));
  }

  // ---- looks ------------------------------------------------------------------------------------

  @Test
  void a_look_shows_what_runs_and_what_was_recorded() throws Exception {
    var run = playWorker();

    assertThat(Theatre.get(run.snapshot())).isEqualTo(new LiveRun.Snapshot(1, 1, false));
    assertThat(Theatre.get(run.waitingFor()))
        .extracting(Waiting::what, Waiting::id)
        .containsExactly(tuple("activity work", "work:1"));

    release.countDown();
    theatre.result();
    assertThat(Theatre.get(run.snapshot()).events()).isEqualTo(4);
  }

  @Test
  void a_run_that_has_not_begun_has_something_to_do() {
    theatre.start();
    var run = theatre.create(SLEEPER);

    assertThat(Theatre.get(run.snapshot())).isEqualTo(new LiveRun.Snapshot(0, 0, true));
    assertThat(run.row().workflowId()).isEqualTo("w");
  }

  @Test
  void the_weight_counts_threads_and_values() {
    var one = theatre.play(LISTENER).weight();
    theatre.signal("other", "x".repeat(1_000));

    assertThat(theatre.run().weight() - one).isEqualTo(1_002);
    assertThat(one).isEqualTo(3_500 + 3_000 + "\"in\"".length());
  }

  @Test
  void each_branch_weighs_something_until_it_ends() {
    theatre.play(
        (ctx, _) -> {
          for (int i = 0; i < 3; i++) ctx.async(() -> ctx.receive(WORD));
          return ctx.receive(Signal.of("end", String.class));
        });
    long four = theatre.run().weight();
    theatre.signal("word", "x");

    assertThat(four).isEqualTo(3_500 + 4 * 3_000 + 4);
    assertThat(theatre.run().weight()).isEqualTo(four - 3_000 + 3);
  }

  @Test
  void code_that_does_not_come_back_is_seen() throws Exception {
    var turns = new ArrayList<Thread>();
    theatre.start();
    var run =
        theatre.create(
            (_, in) -> {
              turns.add(Thread.currentThread());
              work();
              return in;
            });
    long before = System.nanoTime();
    run.begin(theatre.store().history(1, 1, 10), List.of());
    begun.await();

    assertThat(run.runningSince(before)).isNull();
    Theatre.until(() -> run.runningSince(System.nanoTime()) != null);
    assertThat(run.runningSince(System.nanoTime())).isSameAs(turns.getFirst());
    release.countDown();
    theatre.result();
    assertThat(run.runningSince(System.nanoTime())).isNull();
  }

  @Test
  void code_that_waits_is_not_running() {
    var run = theatre.play(SLEEPER);

    assertThat(run.runningSince(System.nanoTime())).isNull();
  }

  // ---- out of memory ----------------------------------------------------------------------------

  @Test
  void a_parked_run_makes_room_if_it_is_not_due_soon() {
    var run = theatre.play(SLEEPER);

    run.evict(START.plus(HOUR));
    Theatre.get(run.snapshot());
    assertThat(theatre.ends()).isEmpty();
    run.evict(START.plus(HOUR).minusNanos(1_000));
    Theatre.until(() -> !theatre.ends().isEmpty());

    assertThat(theatre.ends()).containsExactly(new End.Released());
    assertThat(changes().getLast()).isEqualTo(new RunChange.Release(START.plus(HOUR)));
    assertThat(theatre.alarms()).isEmpty();
  }

  @Test
  void a_parked_run_that_is_never_due_makes_room() {
    var run = theatre.play(LISTENER);
    run.evict(START.plus(HOUR));
    Theatre.until(() -> !theatre.ends().isEmpty());

    assertThat(changes().getLast()).isEqualTo(new RunChange.Release(null));
  }

  @Test
  void a_run_with_an_activity_does_not_make_room() throws Exception {
    var run = playWorker();
    run.evict(START);
    Theatre.get(run.snapshot());

    assertThat(theatre.ends()).isEmpty();
    release.countDown();
    assertThat(theatre.result()).isEqualTo("\"in\"");
  }

  @Test
  void a_run_that_stops_lets_its_activity_end_and_begins_no_other() throws Exception {
    var run = playWorker();
    run.stop();
    Theatre.get(run.snapshot());
    assertThat(theatre.ends()).isEmpty();

    release.countDown();
    Theatre.until(() -> !theatre.ends().isEmpty());

    assertThat(theatre.ends()).containsExactly(new End.Released());
    assertThat(changes().getLast()).isEqualTo(new RunChange.Release(START));
    assertThat(theatre.outline())
        .containsExactly("WorkflowStarted code", "ActivityCompleted work:1");
  }

  @Test
  void a_run_that_stops_while_it_waits_is_due_when_it_was() {
    theatre.play(SLEEPER).stop();
    Theatre.until(() -> !theatre.ends().isEmpty());

    assertThat(changes().getLast()).isEqualTo(new RunChange.Release(START.plus(HOUR)));
  }

  @Test
  void a_run_that_stops_before_it_has_begun_is_due_at_once() {
    theatre.start();
    theatre.create(SLEEPER).stop();
    Theatre.until(() -> !theatre.ends().isEmpty());

    assertThat(changes()).containsExactly(new RunChange.Release(START));
  }

  @Test
  void an_abandoned_run_leaves_at_once_and_what_its_activity_does_is_not_recorded()
      throws Exception {
    var run = playWorker();
    run.abandon();
    Theatre.until(() -> !theatre.ends().isEmpty());
    assertThat(Theatre.get(run.waitingFor())).as("others may ask it meanwhile").isEmpty();

    assertThat(theatre.ends()).containsExactly(new End.Released());
    assertThat(changes().getLast()).isEqualTo(new RunChange.Release(START));
    release.countDown();
    Theatre.until(() -> !worker.isAlive());
    assertThat(theatre.outline()).containsExactly("WorkflowStarted code");
  }

  @Test
  void a_lost_run_writes_nothing() {
    var run = theatre.play(SLEEPER);
    var why = new IllegalStateException("fenced");
    run.lose(why);
    run.abandon();
    Theatre.until(() -> !theatre.ends().isEmpty());

    assertThat(theatre.ends()).containsExactly(new End.Lost(why));
    assertThat(changes()).hasSize(1);
    assertThat(theatre.alarms()).isEmpty();
  }

  @Test
  void the_threads_of_a_run_that_leaves_memory_end() {
    var threads = new ArrayList<Thread>();
    var run =
        theatre.play(
            (ctx, in) -> {
              threads.add(Thread.currentThread());
              ctx.async(
                  () -> {
                    threads.add(Thread.currentThread());
                    return ctx.receive(WORD);
                  });
              ctx.sleep(HOUR);
              return in;
            });
    assertThat(threads).hasSize(2).allMatch(Thread::isAlive);

    run.lose(new IllegalStateException("fenced"));

    Theatre.until(() -> threads.stream().noneMatch(Thread::isAlive));
    assertThat(theatre.ends()).hasSize(1);
  }

  // ---- the journal fails ------------------------------------------------------------------------

  @Test
  void what_did_not_become_durable_is_not_acknowledged() {
    var run = theatre.play(LISTENER);
    theatre.closeJournal();

    assertThat(Theatre.get(run.accept(Kind.SIGNAL, "word", null, Theatre.json("a"))))
        .isEqualTo(LiveRun.Reply.GONE);
    Theatre.until(() -> !theatre.ends().isEmpty());
    assertThat(theatre.ends()).singleElement().isInstanceOf(End.Lost.class);
  }
}

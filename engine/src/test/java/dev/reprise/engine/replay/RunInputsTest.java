package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.WorkflowCancelled;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.replay.LiveRun.Reply;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Signals and cancels: sent to a run in memory, or found in the store. */
class RunInputsTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final Theatre theatre = new Theatre();

  private static final Workflow<String, String> TWO_WORDS =
      (ctx, _) -> ctx.receive(WORD) + ctx.receive(WORD);

  @Test
  void of_signals_with_one_id_one_is_taken_and_all_are_accepted() {
    theatre.play(TWO_WORDS);

    assertThat(theatre.signal("word", "a", "m-1")).isEqualTo(Reply.ACCEPTED);
    assertThat(theatre.signal("word", "b", "m-1")).isEqualTo(Reply.ACCEPTED);
    assertThat(theatre.signal("word", "c", "m-2")).isEqualTo(Reply.ACCEPTED);

    assertThat(theatre.result()).isEqualTo("\"ac\"");
  }

  @Test
  void a_signal_that_an_earlier_life_has_taken_is_accepted() {
    theatre.play(TWO_WORDS);
    theatre.signal("word", "a", "m-1");
    theatre.load(TWO_WORDS);
    assertThat(theatre.handedOver()).isEmpty();

    assertThat(theatre.signal("word", "b", "m-1")).isEqualTo(Reply.ACCEPTED);

    assertThat(theatre.outline()).containsExactly("WorkflowStarted code", "SignalReceived word");
  }

  @Test
  void a_run_that_has_not_begun_takes_nothing() {
    theatre.start();
    var run = theatre.create(TWO_WORDS);

    assertThat(Theatre.get(run.accept(Kind.SIGNAL, "word", null, Theatre.json("a"))))
        .isEqualTo(Reply.GONE);
  }

  @Test
  void a_run_that_is_closed_is_gone() {
    var run = theatre.play((_, in) -> in);
    theatre.result();

    assertThat(Theatre.get(run.accept(Kind.SIGNAL, "word", null, Theatre.json("a"))))
        .isEqualTo(Reply.GONE);
    assertThat(Theatre.get(run.waitingFor())).isEmpty();
  }

  @Test
  void a_run_that_has_left_memory_says_so() {
    var run = theatre.play(TWO_WORDS);
    run.lose(new IllegalStateException("fenced"));

    assertThat(Theatre.get(run.accept(Kind.SIGNAL, "word", null, Theatre.json("a"))))
        .isEqualTo(Reply.GONE);
  }

  @Test
  void inputs_of_the_store_come_first_and_leave_it() {
    theatre.start();
    theatre.putIntoInbox("word", "a", "m-1");
    theatre.putIntoInbox("word", "b", "m-2");

    theatre.load(TWO_WORDS);

    assertThat(theatre.result()).isEqualTo("\"ab\"");
    assertThat(theatre.store().inputs(1)).isEmpty();
  }

  @Test
  void a_signal_that_is_sent_while_the_store_is_read_comes_after_what_is_found_there() {
    var run = theatre.play(TWO_WORDS);
    theatre.putIntoInbox("word", "a", "m-1");
    run.fetchInputs();
    var reply = run.accept(Kind.SIGNAL, "word", null, Theatre.json("b"));
    Theatre.until(() -> theatre.told().contains("fetch"));
    assertThat(reply).isNotDone();

    theatre.fetched();

    assertThat(theatre.result()).isEqualTo("\"ab\"");
    assertThat(Theatre.get(reply)).isEqualTo(Reply.ACCEPTED);
  }

  @Test
  void an_end_that_the_store_refuses_is_tried_again_after_the_inputs() {
    theatre.play((ctx, _) -> ctx.receive(WORD));
    theatre.putIntoInbox("later", "b", "m-1");
    var reply = theatre.run().accept(Kind.SIGNAL, "word", null, Theatre.json("a"));
    Theatre.until(() -> theatre.told().contains("fetch"));
    assertThat(theatre.ends()).isEmpty();

    theatre.fetched();

    assertThat(theatre.result()).isEqualTo("\"a\"");
    assertThat(Theatre.get(reply)).isEqualTo(Reply.ACCEPTED);
    assertThat(theatre.outline())
        .containsExactly(
            "WorkflowStarted code",
            "SignalReceived word",
            "SignalReceived later",
            "WorkflowCompleted");
    assertThat(theatre.store().inputs(1)).isEmpty();
    assertThat(theatre.store().find("w").orElseThrow().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_sender_is_told_when_the_run_is_lost_before_its_refused_end() {
    var run = theatre.play((ctx, _) -> ctx.receive(WORD));
    theatre.putIntoInbox("later", "b", "m-1");
    var recorded = run.accept(Kind.SIGNAL, "word", null, Theatre.json("a"));
    Theatre.until(() -> theatre.told().contains("fetch"));
    var waiting = run.accept(Kind.SIGNAL, "word", null, Theatre.json("c"));

    run.lose(new IllegalStateException("fenced"));

    assertThat(Theatre.get(recorded)).isEqualTo(Reply.GONE);
    assertThat(Theatre.get(waiting)).isEqualTo(Reply.GONE);
  }

  @Test
  void inputs_of_the_store_come_after_the_whole_history() {
    Workflow<String, String> code =
        (ctx, _) -> {
          var words = new ArrayList<String>();
          ctx.async(
              () -> {
                for (; ; ) words.add(ctx.receive(WORD));
              });
          ctx.await(() -> words.size() == 3);
          return words.toString();
        };
    theatre.start();
    theatre.record(
        new Event.SignalReceived("word", Theatre.json("a"), null),
        new Event.SignalReceived("word", Theatre.json("b"), null));
    theatre.putIntoInbox("word", "c", "m-1");

    theatre.load(code);

    assertThat(theatre.result()).isEqualTo("\"[a, b, c]\"");
  }

  /** Else the history would depend on what came when, and not on what was recorded. */
  @Test
  void conditions_are_asked_between_one_input_and_the_next() {
    theatre.start();
    theatre.putIntoInbox("word", "a", "m-1");
    theatre.putIntoInbox("word", "b", "m-2");

    theatre.load(
        (ctx, _) -> {
          var words = new ArrayList<String>();
          ctx.async(
              () -> {
                for (; ; ) words.add(ctx.receive(WORD));
              });
          ctx.await(() -> words.size() == 1);
          ctx.sleep(HOUR);
          return words.toString();
        });

    assertThat(theatre.outline())
        .containsExactly(
            "WorkflowStarted code",
            "SignalReceived word",
            "TimerScheduled sleep:1",
            "SignalReceived word");
  }

  @Test
  void many_large_inputs_go_to_the_disk_in_parts() {
    theatre.start();
    for (int i = 0; i < 5; i++) theatre.putIntoInbox("word", "x".repeat(400_000), "m-" + i);

    theatre.load((ctx, _) -> ctx.receive(Signal.of("other", String.class)));

    assertThat(theatre.handedOver())
        .extracting(transition -> transition.events().size())
        .containsExactly(3, 2);
    assertThat(theatre.handedOver().getFirst().change()).isEqualTo(new RunChange.None());
    assertThat(theatre.store().inputs(1)).isEmpty();
  }

  @Test
  void what_is_sent_before_the_code_waits_is_counted_by_a_look() {
    var look = new ArrayList<CompletableFuture<LiveRun.Snapshot>>();
    theatre.play(
        (ctx, in) -> {
          look.add(theatre.run().snapshot());
          ctx.run("pay", () -> {});
          return in;
        });
    theatre.result();

    assertThat(Theatre.get(look.getFirst()).activities()).isEqualTo(1);
  }

  // ---- cancels ----------------------------------------------------------------------------------

  @Test
  void a_cancel_ends_a_run_that_lets_it() {
    theatre.play(
        (ctx, in) -> {
          ctx.sleep(HOUR);
          return in;
        });

    assertThat(theatre.cancel("too late")).isEqualTo(Reply.ACCEPTED);

    assertThat(theatre.events())
        .endsWith(
            new Event.WorkflowCancelRequested("ops", "too late"),
            new Event.TimerCancelled("sleep:1"),
            new Event.WorkflowCancelled("too late"));
    assertThat(theatre.store().find("w").orElseThrow().status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void a_run_may_tidy_up_before_it_lets_a_cancel_end_it() {
    theatre.play(
        (ctx, in) -> {
          try {
            ctx.receive(WORD);
          } catch (WorkflowCancelled e) {
            return e.getMessage();
          }
          return in;
        });
    theatre.cancel("too late");

    assertThat(theatre.result()).contains("too late");
  }

  @Test
  void a_second_cancel_is_accepted_and_means_nothing() {
    var release = new CountDownLatch(1);
    theatre.start();
    var run =
        theatre.create(
            (ctx, in) -> {
              ctx.run("pay", () -> release.await());
              return in;
            });
    run.begin(theatre.store().history(1, 1, 10), List.of());
    var first = run.accept(Kind.CANCEL, "ops", null, Theatre.json("a"));
    var second = run.accept(Kind.CANCEL, "ops", null, Theatre.json("b"));

    assertThat(Theatre.get(first)).isEqualTo(Reply.ACCEPTED);
    assertThat(Theatre.get(second)).isEqualTo(Reply.ACCEPTED);
    release.countDown();

    Theatre.until(() -> !theatre.ends().isEmpty());
    assertThat(theatre.outline())
        .containsExactly(
            "WorkflowStarted code",
            "WorkflowCancelRequested ops",
            "ActivityCompleted pay:1",
            "WorkflowCompleted");
  }

  @Test
  void code_that_was_asked_to_end_while_a_step_ran_is_told_at_its_next_call() throws Exception {
    var begun = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    theatre.start();
    var run =
        theatre.create(
            (ctx, in) -> {
              ctx.run(
                  "pay",
                  () -> {
                    begun.countDown();
                    release.await();
                  });
              ctx.run("more", () -> {});
              return in;
            });
    run.begin(theatre.store().history(1, 1, 10), List.of());
    begun.await();
    Theatre.get(run.accept(Kind.CANCEL, "ops", null, Theatre.json("late")));
    release.countDown();
    Theatre.until(() -> !theatre.ends().isEmpty());

    assertThat(theatre.outline())
        .containsExactly(
            "WorkflowStarted code",
            "WorkflowCancelRequested ops",
            "ActivityCompleted pay:1",
            "WorkflowCancelled");
  }
}

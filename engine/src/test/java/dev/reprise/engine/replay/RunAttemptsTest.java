package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.RetryPolicy;
import dev.reprise.Steps;
import dev.reprise.TerminalFailure;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.replay.RunPort.End;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Attempts of activities: what fails, what is tried again, and what takes too long. */
class RunAttemptsTest {

  @RegisterExtension final Theatre theatre = new Theatre();

  // ---- attempts ---------------------------------------------------------------------------------

  @Test
  void a_step_that_fails_is_tried_again_when_it_is_due() {
    var attempts = new AtomicInteger();
    theatre.play(
        (ctx, _) ->
            ctx.run(
                "pay",
                String.class,
                () -> {
                  if (attempts.incrementAndGet() < 3) throw new IllegalStateException("closed");
                  return "paid";
                }));

    assertThat(attempts).hasValue(1);
    assertThat(theatre.alarms()).containsExactly(Theatre.START.plusSeconds(10));
    theatre.advance(Duration.ofSeconds(9));
    assertThat(attempts).hasValue(1);
    theatre.advance(Duration.ofSeconds(1));
    assertThat(attempts).hasValue(2);
    theatre.advance(Duration.ofSeconds(10));

    assertThat(theatre.result()).isEqualTo("\"paid\"");
    assertThat(theatre.told()).containsExactly("parked", "woken", "parked", "woken");
    assertThat(theatre.outline())
        .containsExactly(
            "WorkflowStarted code",
            "ActivityRetryScheduled pay:1",
            "ActivityRetryScheduled pay:1",
            "ActivityCompleted pay:1",
            "WorkflowCompleted");
  }

  @Test
  void a_run_is_awake_while_it_tries_again() {
    var told = new ArrayList<List<String>>();
    theatre.play(
        (ctx, in) -> {
          ctx.run(
              "pay",
              () -> {
                told.add(List.copyOf(theatre.told()));
                if (told.size() < 2) throw new IllegalStateException("closed");
              });
          return in;
        });
    theatre.advance(Duration.ofSeconds(10));
    theatre.result();

    assertThat(told).containsExactly(List.of(), List.of("parked", "woken"));
  }

  private Event.ActivityFailed failureOf(ActivityOptions options, Steps.Action step) {
    theatre.play(
        (ctx, _) -> {
          try {
            ctx.with(options).run("pay", step);
            return "done";
          } catch (ActivityFailed e) {
            return e.activity() + " " + e.id() + " " + e.attempts();
          }
        });
    assertThat(theatre.result()).startsWith("\"pay ");
    return (Event.ActivityFailed) theatre.events().get(1);
  }

  @Test
  void a_terminal_failure_ends_a_step() {
    var failed =
        failureOf(
            ActivityOptions.defaults(),
            () -> {
              throw new TerminalFailure("no credit");
            });

    assertThat(failed.attempts()).isEqualTo(1);
    assertThat(failed.failure().message()).isEqualTo("no credit");
  }

  @Test
  void a_failure_of_a_kind_that_is_not_tried_again_ends_a_step() {
    var policy = RetryPolicy.fixed(Duration.ofSeconds(1), 5).notOn(IllegalArgumentException.class);

    var failed =
        failureOf(
            ActivityOptions.defaults().retry(policy).id("my id"),
            () -> {
              throw new NumberFormatException("a subclass");
            });

    assertThat(failed.call().id()).isEqualTo("my id");
    assertThat(failed.failure().type()).isEqualTo(NumberFormatException.class.getName());
  }

  @Test
  void a_failure_of_another_kind_is_tried_again() {
    var policy = RetryPolicy.fixed(Duration.ofSeconds(1), 5).notOn(IllegalArgumentException.class);
    theatre.play(
        (ctx, _) -> {
          ctx.with(ActivityOptions.defaults().retry(policy))
              .run(
                  "pay",
                  () -> {
                    throw new IllegalStateException("closed");
                  });
          return "";
        });

    assertThat(theatre.alarms()).containsExactly(Theatre.START.plusSeconds(1));
  }

  @Test
  void a_result_that_cannot_be_recorded_is_no_outcome_of_a_step() {
    theatre.play(
        (ctx, _) -> ctx.run("pay", String.class, () -> "x".repeat(Values.MAX_PAYLOAD + 1)));

    assertThat(theatre.ends())
        .singleElement()
        .isInstanceOfSatisfying(
            End.Blocked.class,
            blocked -> assertThat(blocked.reason()).startsWith("R106 the result of pay:1"));
    assertThat(theatre.outline()).hasSize(1);
  }

  @Test
  void a_context_that_is_used_inside_an_activity_is_no_outcome_of_the_step() {
    theatre.play(
        (ctx, _) -> {
          ctx.run("pay", () -> ctx.sleep(Duration.ofSeconds(1)));
          return "";
        });

    assertThat(theatre.ends())
        .singleElement()
        .isInstanceOfSatisfying(
            End.Blocked.class,
            blocked ->
                assertThat(blocked.reason()).startsWith("R111").contains("inside an activity"));
    assertThat(theatre.outline()).hasSize(1);
  }

  @Test
  void an_interrupt_of_an_activity_does_not_follow_the_workflow() {
    theatre.play(
        (ctx, _) -> {
          ctx.run("pay", () -> Thread.currentThread().interrupt());
          return "interrupted " + Thread.currentThread().isInterrupted();
        });

    assertThat(theatre.result()).isEqualTo("\"interrupted false\"");
  }

  @Test
  void an_attempt_that_takes_too_long_has_failed_and_is_interrupted() throws Exception {
    var begun = new CountDownLatch(1);
    var interrupted = new CountDownLatch(1);
    var options =
        ActivityOptions.defaults().timeout(Duration.ofSeconds(3)).retry(RetryPolicy.none());
    theatre.start();
    theatre
        .create(
            (ctx, _) -> {
              try {
                ctx.with(options)
                    .run(
                        "pay",
                        () -> {
                          begun.countDown();
                          try {
                            new CountDownLatch(1).await();
                          } catch (InterruptedException e) {
                            interrupted.countDown();
                          }
                        });
                return "done";
              } catch (ActivityFailed e) {
                return e.failureMessage();
              }
            })
        .begin(theatre.store().history(1, 1, 10), List.of());
    begun.await();
    Theatre.until(() -> !theatre.alarms().isEmpty());
    assertThat(theatre.alarms()).containsExactly(Theatre.START.plusSeconds(3));

    theatre.advance(Duration.ofSeconds(3));

    assertThat(theatre.result()).isEqualTo("\"no result within PT3S\"");
    Theatre.until(() -> interrupted.getCount() == 0);
  }

  @Test
  void an_attempt_in_time_leaves_no_alarm() {
    var options =
        ActivityOptions.defaults().timeout(Duration.ofSeconds(3)).retry(RetryPolicy.none());
    theatre.play(
        (ctx, _) -> {
          var paid = ctx.with(options).run("pay", String.class, () -> "paid");
          try {
            ctx.with(options)
                .run(
                    "pay",
                    () -> {
                      throw new IOException("closed");
                    });
          } catch (ActivityFailed e) {
            return paid + ", " + e.failureMessage();
          }
          return "done";
        });

    assertThat(theatre.result()).isEqualTo("\"paid, closed\"");
    assertThat(theatre.alarms()).isEmpty();
  }

  @Test
  void no_activity_begins_when_the_node_may_have_lost_the_run() {
    var paid = new CopyOnWriteArrayList<String>();
    var threads = new CopyOnWriteArrayList<Thread>();
    theatre.failBeforeEffects(new IllegalStateException("fenced"));
    theatre.play(
        (ctx, _) -> {
          threads.add(Thread.currentThread());
          ctx.run("pay", () -> paid.add("paid"));
          return "";
        });

    assertThat(theatre.ends())
        .singleElement()
        .isInstanceOfSatisfying(
            RunPort.End.Lost.class, lost -> assertThat(lost.why()).hasMessage("fenced"));
    Theatre.until(() -> !threads.getFirst().isAlive());
    assertThat(paid).isEmpty();
  }
}

package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.engine.event.Event;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same code, following its history. */
class ReplayTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final Theatre theatre = new Theatre();

  private final List<String> calls = new ArrayList<>();

  private static Workflow<String, String> thenListen(Workflow<String, String> code) {
    return (ctx, in) -> code.run(ctx, in) + ctx.receive(WORD);
  }

  // ---- the same code ----------------------------------------------------------------------------

  @Test
  void what_is_recorded_is_not_done_again() {
    Workflow<String, String> code =
        thenListen(
            (ctx, in) -> {
              ctx.run("pay", () -> calls.add("pay"));
              ctx.sleep(HOUR);
              return in + ctx.now();
            });
    theatre.play(code);
    theatre.advance(HOUR);

    theatre.load(code);
    theatre.signal("word", "!");

    assertThat(theatre.result()).isEqualTo("\"in2030-01-01T01:00:00Z!\"");
    assertThat(calls).containsExactly("pay");
    assertThat(theatre.outline())
        .containsExactly(
            "WorkflowStarted code",
            "ActivityCompleted pay:1",
            "TimerScheduled sleep:1",
            "TimerFired sleep:1",
            "SignalReceived word",
            "WorkflowCompleted");
  }

  @Test
  void a_sleep_goes_on_until_its_recorded_time() {
    Workflow<String, String> code =
        (ctx, in) -> {
          ctx.sleep(HOUR);
          return in;
        };
    theatre.play(code);
    theatre.run().evict(Theatre.START);
    Theatre.until(() -> !theatre.ends().isEmpty());
    theatre.advance(Duration.ofMinutes(59));

    theatre.load(code);

    assertThat(theatre.alarms()).containsExactly(Theatre.START.plus(HOUR));
    assertThat(theatre.handedOver()).as("the row says so already").isEmpty();
    theatre.advance(Duration.ofMinutes(1));
    assertThat(theatre.result()).isEqualTo("\"in\"");
  }

  @Test
  void an_attempt_that_was_due_meanwhile_begins_at_once() {
    Workflow<String, String> code =
        (ctx, in) -> {
          ctx.run(
              "pay",
              () -> {
                calls.add("pay");
                if (calls.size() < 2) throw new IllegalStateException("closed");
              });
          return in;
        };
    theatre.play(code);
    theatre.run().abandon();
    Theatre.until(() -> !theatre.ends().isEmpty());
    theatre.advance(Duration.ofSeconds(9));

    theatre.load(code);
    assertThat(calls).hasSize(1);
    theatre.advance(Duration.ofSeconds(1));

    assertThat(theatre.result()).isEqualTo("\"in\"");
    assertThat(theatre.events())
        .contains(
            new Event.ActivityCompleted(
                new Event.Call("pay:1", "pay", ""), 2, theatre.events().get(2).payload()));
  }

  private <T> List<T> seenTwice(Function<Context, T> code) {
    var seen = new ArrayList<T>();
    Workflow<String, String> workflow =
        (ctx, _) -> {
          ctx.run("before", () -> {});
          seen.add(code.apply(ctx));
          ctx.run("after", () -> {});
          return ctx.receive(WORD);
        };
    theatre.play(workflow);
    theatre.load(workflow);
    assertThat(seen).hasSize(2);
    return seen;
  }

  @Test
  void random_numbers_and_ids_are_drawn_from_the_id_of_the_run() {
    var seen =
        seenTwice(
            ctx ->
                List.of(ctx.random().nextLong(), ctx.random().nextLong(), ctx.uuid(), ctx.uuid()));

    assertThat(seen.get(1)).isEqualTo(seen.get(0)).doesNotHaveDuplicates();
    assertThat(seen.get(0).subList(2, 4))
        .allSatisfy(
            id -> {
              assertThat(((UUID) id).version()).isEqualTo(4);
              assertThat(((UUID) id).variant()).isEqualTo(2);
            });
  }

  /** Runs that were begun by an older release draw them again with the next one. */
  @Test
  void the_numbers_drawn_from_an_id_are_a_promise() {
    var seen = seenTwice(ctx -> ctx.random().nextLong() + " " + ctx.uuid());

    assertThat(seen).containsOnly("7191089600892374487 044c3cd7-f43c-461c-a698-4080bab12a02");
  }

  @Test
  void code_knows_whether_it_follows_its_history() {
    assertThat(seenTwice(Context::replaying)).containsExactly(false, true);
    assertThat(theatre.run().row().workflowId()).isEqualTo("w");
  }

  @Test
  void a_context_knows_its_run() {
    assertThat(seenTwice(ctx -> ctx.workflowId() + " " + ctx.runId()))
        .containsOnly("w 00000000-0000-0000-0000-000000000007");
  }

  @Test
  void what_is_logged_is_not_logged_again() {
    try (var _ = new LogLines("code")) {
      assertThat(seenTwice(ctx -> ctx.logger().isLoggable(Level.ERROR)))
          .containsExactly(true, false);
      assertThat(seenTwice(ctx -> ctx.logger().isLoggable(Level.OFF))).containsOnly(false);
      assertThat(seenTwice(ctx -> ctx.logger().getName())).containsOnly("code");
    }
  }

  @Test
  void every_way_to_log_is_quiet_while_the_code_catches_up_and_goes_where_the_engine_logs() {
    try (var log = new LogLines("code")) {
      seenTwice(
          ctx -> {
            ctx.logger().log(Level.INFO, "{0} paid", "Ada");
            ctx.logger().log(Level.WARNING, "broken", new IllegalStateException());
            ctx.logger().log(Level.DEBUG, () -> "later {0}");
            ctx.logger().log(Level.ERROR, "{0 odd", "x");
            ctx.logger().log(Level.OFF, "never");
            return "";
          });

      assertThat(log.with("workflow.id=w"))
          .satisfiesExactly(
              line -> assertThat(line).contains("INFO", "Ada paid", "workflow.id=w", "run.id="),
              line -> assertThat(line).contains("WARN", "broken"),
              line -> assertThat(line).contains("DEBUG", "later {0}"),
              line -> assertThat(line).contains("ERROR", "{0 odd"));
      assertThat(log.with("IllegalStateException")).hasSize(1);
    }
  }

  // ---- patches ----------------------------------------------------------------------------------

  @Test
  void a_new_run_goes_the_new_way_and_keeps_to_it() {
    assertThat(seenTwice(ctx -> List.of(ctx.patched("new"), ctx.patched("new"))))
        .containsOnly(List.of(true, true));
    assertThat(theatre.outline()).containsOnlyOnce("PatchMarked new");
  }

  @Test
  void a_run_that_passed_the_place_before_the_change_goes_the_old_way() {
    theatre.play(
        (ctx, _) -> {
          ctx.run("pay", () -> {});
          return ctx.receive(WORD);
        });
    theatre.load(
        (ctx, _) -> {
          var way = ctx.patched("new") + " " + ctx.patched("new");
          ctx.run("pay", () -> {});
          return way + ctx.receive(WORD);
        });
    theatre.signal("word", "!");

    assertThat(theatre.result()).isEqualTo("\"false false!\"");
  }

  @Test
  void a_change_has_a_name() {
    theatre.play(
        (ctx, in) -> {
          assertThatThrownBy(() -> ctx.patched(" ")).hasMessageContaining("blank");
          return in;
        });

    assertThat(theatre.result()).isEqualTo("\"in\"");
  }
}

package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.events;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Steps;
import dev.reprise.TerminalFailure;
import dev.reprise.Workflow;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What workflow code catches when an activity has failed for good: the same live and replayed. */
class ActivityFailureTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final ActivityOptions ONCE = ActivityOptions.defaults().retry(RetryPolicy.none());

  @RegisterExtension final World world = new World(StoreKind.MEMORY);
  private final Calls calls = new Calls();

  static class CardDeclined extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    CardDeclined(String message, Throwable cause) {
      super(message, cause);
    }
  }

  static final class CardExpired extends CardDeclined {
    private static final long serialVersionUID = 1L;

    CardExpired(String message) {
      super(message, new IOException("bank", new FileNotFoundException("account")));
    }
  }

  /** An exception that cannot even be told. */
  static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }
  }

  private static ActivityFailed caught(Context ctx, ActivityOptions options, Steps.Action action) {
    try {
      ctx.with(options).run("charge", action);
      throw new AssertionError("did not fail");
    } catch (ActivityFailed e) {
      return e;
    }
  }

  /** What the code caught, the first time and after a crash. */
  private List<ActivityFailed> caught(Steps.Action action) {
    var caught = new ArrayList<ActivityFailed>();
    Workflow<String, String> code =
        (ctx, _) -> {
          caught.add(caught(ctx, ONCE, action));
          return ctx.receive(WORD);
        };
    var first = world.open(r -> r.workflow("code", String.class, String.class, code));
    world.settle(first.start("code", "w", ""));
    world.crash();
    var second = world.open(r -> r.workflow("code", String.class, String.class, code));
    second.signal("w", WORD, "done");
    assertThat(result(second, "w")).isEqualTo("done");
    assertThat(caught).hasSize(2);
    return caught;
  }

  @Test
  void it_says_the_same_live_and_replayed() {
    var caught =
        caught(
            () -> {
              throw new CardExpired("expired in 2029");
            });

    var live = caught.get(0);
    var replayed = caught.get(1);
    assertThat(replayed.failure()).isEqualTo(live.failure());
    assertThat(replayed).hasMessage(live.getMessage());
    assertThat(replayed.attempts()).isEqualTo(live.attempts());
    assertThat(stackText(replayed.getCause())).isEqualTo(stackText(live.getCause()));
  }

  private static String stackText(Throwable cause) {
    return cause == null ? "" : cause + "\n" + stackText(cause.getCause());
  }

  @Test
  void it_carries_what_was_recorded() {
    for (var failed :
        caught(
            () -> {
              throw new CardExpired("expired in 2029");
            })) {
      assertThat(failed.activity()).isEqualTo("charge");
      assertThat(failed.id()).isEqualTo("charge:1");
      assertThat(failed.attempts()).isEqualTo(1);
      assertThat(failed.failureMessage()).isEqualTo("expired in 2029");
      assertThat(failed.failure().type()).isEqualTo(CardExpired.class.getName());
      assertThat(failed.failure().cause().type()).isEqualTo("java.io.IOException");
      assertThat(failed.failure().cause().cause().message()).isEqualTo("account");
      assertThat(failed.failure().stackTrace()).contains("ActivityFailureTest.java");
      assertThat(failed)
          .hasMessage(
              "activity charge (charge:1) failed after 1 attempt: %s: expired in 2029"
                  .formatted(CardExpired.class.getName()));
    }
  }

  @Test
  void it_knows_the_class_of_the_exception_and_its_superclasses() {
    for (var failed :
        caught(
            () -> {
              throw new CardExpired("x");
            })) {
      assertThat(failed.is(CardExpired.class)).isTrue();
      assertThat(failed.is(CardDeclined.class)).isTrue();
      assertThat(failed.is(IllegalStateException.class)).isTrue();
      assertThat(failed.is(Throwable.class)).isTrue();
      assertThat(failed.is(IOException.class)).isFalse();
      assertThat(failed.is(Error.class)).isFalse();
    }
  }

  @Test
  void checked_exceptions_and_errors_of_activities_are_failures_like_others() {
    for (var failed :
        caught(
            () -> {
              throw new IOException("disk");
            })) {
      assertThat(failed.is(IOException.class)).isTrue();
    }
  }

  @Test
  void an_error_of_an_activity_is_a_failure_like_others() {
    for (var failed :
        caught(
            () -> {
              throw new StackOverflowError("deep");
            })) {
      assertThat(failed.is(StackOverflowError.class)).isTrue();
      assertThat(failed.failureMessage()).isEqualTo("deep");
    }
  }

  @Test
  void an_exception_that_cannot_be_told_is_recorded_by_its_class() {
    for (var failed :
        caught(
            () -> {
              throw new Unspeakable();
            })) {
      assertThat(failed.is(Unspeakable.class)).isTrue();
    }
  }

  @Test
  void an_exception_that_is_its_own_cause_is_recorded() {
    for (var failed :
        caught(
            () -> {
              var first = new IOException("first");
              first.initCause(new UncheckedIOException("second", first));
              throw first;
            })) {
      assertThat(failed.failureMessage()).isEqualTo("first");
    }
  }

  @Test
  void a_message_as_long_as_a_document_is_shortened() {
    for (var failed :
        caught(
            () -> {
              throw new IllegalStateException("x".repeat(5_000_000));
            })) {
      assertThat(failed.failureMessage()).hasSizeBetween(1_000, 10_000).startsWith("xxx");
    }
  }

  // ---- terminal ---------------------------------------------------------------------------------

  private ActivityFailed failed(ActivityOptions options, Steps.Action action) {
    var caught = new ArrayList<ActivityFailed>();
    var engine =
        world.open(
            r ->
                r.workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      caught.add(caught(ctx, options, action));
                      return "";
                    }));
    world.resultInTime(engine.start("code", "w", ""));
    assertThat(events(engine, "w", "ActivityFailed")).hasSize(1);
    return caught.getFirst();
  }

  @Test
  void a_terminal_failure_is_not_tried_again_and_its_details_arrive() {
    var failed =
        failed(
            ActivityOptions.defaults(),
            () -> {
              calls.add("charge");
              throw new TerminalFailure("declined", "code 51", new IOException("bank"));
            });

    assertThat(calls.of("charge")).isEqualTo(1);
    assertThat(failed.attempts()).isEqualTo(1);
    assertThat(failed.failure().details()).isEqualTo("code 51");
    assertThat(failed.failure().cause().message()).isEqualTo("bank");
    assertThat(failed.is(TerminalFailure.class)).isTrue();
  }

  static final class OrderGone extends TerminalFailure {
    private static final long serialVersionUID = 1L;

    OrderGone() {
      super("gone");
    }
  }

  @Test
  void subclasses_of_a_terminal_failure_are_terminal() {
    failed(
        ActivityOptions.defaults(),
        () -> {
          calls.add("charge");
          throw new OrderGone();
        });

    assertThat(calls.of("charge")).isEqualTo(1);
  }

  @Test
  void types_named_by_the_policy_and_their_subclasses_are_not_tried_again() {
    var policy = RetryPolicy.fixed(Duration.ofSeconds(1), 5).notOn(CardDeclined.class);

    var failed =
        failed(
            ActivityOptions.defaults().retry(policy),
            () -> {
              calls.add("charge");
              throw calls.of("charge") < 3
                  ? new IllegalStateException("try again")
                  : new CardExpired("no use");
            });

    assertThat(calls.of("charge")).isEqualTo(3);
    assertThat(failed.attempts()).isEqualTo(3);
    assertThat(failed.is(CardExpired.class)).isTrue();
  }

  @Test
  void a_result_that_cannot_be_recorded_is_not_tried_again() {
    var size = new AtomicInteger(3 << 20);
    var engine =
        world.open(
            r ->
                r.workflow(
                    "code",
                    String.class,
                    String.class,
                    (ctx, _) ->
                        ctx.run(
                            "large",
                            String.class,
                            () -> calls.returning("large", "x".repeat(size.get())))));
    var handle = engine.start("code", "w", "");

    awaitStatus(engine, "w", Status.BLOCKED);
    assertThat(engine.describe("w").blockedBy()).startsWith("R106 the result of large:1 has");
    assertThat(calls.of("large")).isEqualTo(1);
    assertThat(outline(handle.history())).containsExactly("WorkflowStarted code");
    size.set(3);
    handle.resume();
    assertThat(result(handle)).isEqualTo("xxx");
    assertThat(calls.of("large")).as("once more after the mistake was mended").isEqualTo(2);
  }
}

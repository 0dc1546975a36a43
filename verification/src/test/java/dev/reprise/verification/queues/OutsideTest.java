package dev.reprise.verification.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityContext;
import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.Completion;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What callers are told who complete an activity again, too late, or after somebody else. */
@RepriseTest
class OutsideTest {
  /** Asks people. */
  public interface People {
    String ask(String question);
  }

  private static final ActivityOptions OPTIONS =
      ActivityOptions.onQueue("people").totalTimeout(Duration.ofDays(1));
  private static final IllegalStateException NO_IDEA = new IllegalStateException("no idea");

  private final List<String> tokens = new CopyOnWriteArrayList<>();

  @BeforeEach
  void register(TestEngine engine) {
    People people =
        _ -> {
          tokens.add(ActivityContext.current().completeLater());
          return "ignored";
        };
    engine
        .unguarded()
        .activities(people)
        .workflow("ask", String.class, String.class, (ctx, in) -> asked(ctx, OPTIONS))
        .workflow(
            "once",
            String.class,
            String.class,
            (ctx, in) -> asked(ctx, OPTIONS.retry(RetryPolicy.none())))
        .worker("people", 4);
  }

  private static String asked(Context ctx, ActivityOptions options) {
    try {
      return ctx.activities(People.class, options).ask("why");
    } catch (ActivityFailed failed) {
      return "failed: " + failed.failureMessage();
    }
  }

  private static void stale(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R134));
  }

  @Test
  void a_failure_that_is_told_again_was_told_before(TestEngine engine) {
    var run = engine.start("once", "w", "");
    engine.awaitQuiet();

    assertThat(engine.fail(tokens.getLast(), NO_IDEA)).isEqualTo(Completion.ACCEPTED);
    assertThat(run.result()).isEqualTo("failed: no idea");
    assertThat(engine.fail(tokens.getLast(), NO_IDEA)).isEqualTo(Completion.ALREADY_COMPLETED);
    stale(() -> engine.complete(tokens.getLast(), "because"));
  }

  @Test
  void also_if_there_is_another_attempt_by_now(TestEngine engine) {
    engine.start("ask", "w", "");
    engine.awaitQuiet();
    var first = tokens.getLast();
    engine.fail(first, NO_IDEA);

    assertThat(engine.fail(first, NO_IDEA)).isEqualTo(Completion.ALREADY_COMPLETED);
    engine.advance(Duration.ofSeconds(1));
    engine.awaitQuiet();

    assertThat(tokens).hasSize(2);
    assertThat(engine.fail(first, NO_IDEA)).isEqualTo(Completion.ALREADY_COMPLETED);
    stale(() -> engine.fail(first, new IllegalStateException("another")));
    stale(() -> engine.complete(first, "because"));
  }

  @Test
  void a_failure_after_a_result_changes_nothing(TestEngine engine) {
    var run = engine.start("ask", "w", "");
    engine.awaitQuiet();

    engine.complete(tokens.getLast(), "because");

    assertThat(engine.fail(tokens.getLast(), NO_IDEA)).isEqualTo(Completion.ALREADY_COMPLETED);
    assertThat(run.result()).isEqualTo("because");
  }

  @Test
  void who_comes_after_the_time_is_over_is_told_so(TestEngine engine) {
    var run = engine.start("ask", "w", "");
    engine.awaitQuiet();
    engine.advance(Duration.ofDays(1));

    assertThat(run.result()).asString().startsWith("failed: it did not end within");
    stale(() -> engine.complete(tokens.getLast(), "because"));
    stale(() -> engine.fail(tokens.getLast(), NO_IDEA));
  }

  @Test
  void who_comes_after_a_cancel_is_told_so(TestEngine engine) {
    var run = engine.start("ask", "w", "");
    engine.awaitQuiet();

    run.cancel("enough");
    engine.awaitQuiet();

    assertThat(engine.describe("w").status()).isEqualTo(Status.CANCELLED);
    stale(() -> engine.complete(tokens.getLast(), "because"));
  }
}

package dev.reprise.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityOptions;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.RetryAfter;
import dev.reprise.RetryPolicy;
import dev.reprise.StartOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is said about one activity or one start on a queue. */
class OptionsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final ActivityOptions ACTIVITY = ActivityOptions.defaults();
  private static final StartOptions START = StartOptions.defaults();

  @Test
  void an_activity_runs_inline_unless_it_names_a_queue() {
    assertThat(ACTIVITY.queue()).isEmpty();
    assertThat(ActivityOptions.onQueue("gpu").queue()).contains("gpu");
    assertThat(ACTIVITY.queue("gpu").queue("cpu").queue()).contains("cpu");
  }

  @Test
  void nothing_is_said_about_an_activity_by_default() {
    assertThat(
            List.of(
                ACTIVITY.id(),
                ACTIVITY.retry(),
                ACTIVITY.timeout(),
                ACTIVITY.key(),
                ACTIVITY.visibility(),
                ACTIVITY.heartbeatTimeout(),
                ACTIVITY.queueTimeout(),
                ACTIVITY.totalTimeout()))
        .allSatisfy(said -> assertThat(said).isEmpty());
    assertThat(ACTIVITY.priority()).isZero();
  }

  @Test
  void everything_said_about_an_activity_is_kept_when_more_is_said() {
    var options =
        ActivityOptions.onQueue("gpu")
            .id("render")
            .retry(RetryPolicy.none())
            .timeout(MINUTE)
            .priority(-3)
            .key("tenant")
            .visibility(SECOND)
            .heartbeatTimeout(SECOND.multipliedBy(2))
            .queueTimeout(SECOND.multipliedBy(3))
            .totalTimeout(SECOND.multipliedBy(4));

    assertThat(options.queue()).contains("gpu");
    assertThat(options.id()).contains("render");
    assertThat(options.retry()).contains(RetryPolicy.none());
    assertThat(options.timeout()).contains(MINUTE);
    assertThat(options.priority()).isEqualTo(-3);
    assertThat(options.key()).contains("tenant");
    assertThat(options.visibility()).contains(SECOND);
    assertThat(options.heartbeatTimeout()).contains(SECOND.multipliedBy(2));
    assertThat(options.queueTimeout()).contains(SECOND.multipliedBy(3));
    assertThat(options.totalTimeout()).contains(SECOND.multipliedBy(4));
    assertThat(ACTIVITY.key()).isEmpty();
  }

  @Test
  void times_of_an_activity_are_positive() {
    for (var wrong : List.of(Duration.ZERO, SECOND.negated())) {
      refused(() -> ACTIVITY.timeout(wrong), "timeout must be positive");
      refused(() -> ACTIVITY.visibility(wrong), "visibility timeout must be positive");
      refused(() -> ACTIVITY.heartbeatTimeout(wrong), "heartbeat timeout must be positive");
      refused(() -> ACTIVITY.queueTimeout(wrong), "queue timeout must be positive");
      refused(() -> ACTIVITY.totalTimeout(wrong), "total timeout must be positive");
    }
  }

  @Test
  void queues_and_keys_have_names_that_fit_an_index() {
    invalid(() -> ActivityOptions.onQueue(" "), "the queue is blank");
    invalid(() -> ACTIVITY.key(""), "the key is blank");
    invalid(() -> StartOptions.onQueue(""), "the queue is blank");
    invalid(() -> START.key("\t"), "the key is blank");
    invalid(() -> START.deduplicate(""), "the deduplication key is blank");
    invalid(() -> START.debounce(" ", SECOND), "the debounce key is blank");
    invalid(
        () -> ACTIVITY.queue("q".repeat(101)), "the queue has 101 characters, the limit is 100");
    assertThat(ACTIVITY.queue("q".repeat(100)).queue()).isPresent();
  }

  @Test
  void a_run_has_at_most_a_hundred_attributes() {
    var full = START;
    for (int i = 0; i < 100; i++) full = full.attribute("a" + i, i);
    var options = full;

    assertThat(options.attribute("a7", "other").attributes()).hasSize(100);
    invalid(() -> options.attribute("a100", 1), "attribute 'a100' is one too many");
  }

  private static void invalid(ThrowingCallable call, String why) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R112))
        .hasMessageStartingWith("R112 " + why);
  }

  private static void refused(ThrowingCallable call, String why) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(why);
  }

  @Test
  void a_start_is_at_once_unless_it_has_to_wait_for_something() {
    assertThat(START.isImmediate()).isTrue();
    assertThat(START.timeout(SECOND).attribute("a", 1).priority(3).key("k").isImmediate()).isTrue();
    assertThat(START.delay(Duration.ZERO).isImmediate()).isTrue();
    assertThat(START.delay(SECOND).isImmediate()).isFalse();
    assertThat(START.deduplicate("k").isImmediate()).isFalse();
    assertThat(START.debounce("k", SECOND).isImmediate()).isFalse();
    assertThat(StartOptions.onQueue("mail").isImmediate()).isFalse();
  }

  @Test
  void everything_said_about_a_start_is_kept_when_more_is_said() {
    var options =
        StartOptions.onQueue("mail")
            .timeout(MINUTE)
            .attribute("customer", "c-7")
            .priority(2)
            .key("tenant")
            .delay(SECOND)
            .debounce("c-7", MINUTE);

    assertThat(options.queue()).contains("mail");
    assertThat(options.timeout()).contains(MINUTE);
    assertThat(options.attributes()).isEqualTo(Map.of("customer", "c-7"));
    assertThat(options.priority()).isEqualTo(2);
    assertThat(options.key()).contains("tenant");
    assertThat(options.delay()).isEqualTo(SECOND);
    assertThat(options.deduplication()).contains("c-7");
    assertThat(options.quiet()).contains(MINUTE);
    assertThat(START.queue()).isEmpty();
  }

  @Test
  void times_of_a_start_make_sense() {
    refused(() -> START.timeout(Duration.ZERO), "timeout must be positive");
    refused(() -> START.delay(SECOND.negated()), "the delay is negative");
    refused(() -> START.debounce("k", Duration.ZERO), "the time must be positive");
  }

  @Test
  void an_activity_says_when_another_attempt_is_worth_it() {
    var cause = new IOException("429");
    var later = new RetryAfter(MINUTE, "too many requests", cause);

    assertThat(later).hasMessage("too many requests").hasCause(cause);
    assertThat(later.delay()).isEqualTo(MINUTE);
    assertThat(new RetryAfter(Duration.ZERO, "at once").delay()).isZero();
    refused(() -> new RetryAfter(SECOND.negated(), "before"), "the delay is negative");
  }
}

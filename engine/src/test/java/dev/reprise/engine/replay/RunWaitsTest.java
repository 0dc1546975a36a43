package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sleeps, conditions and signals. */
class RunWaitsTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Signal<String> OTHER = Signal.of("other", String.class);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @RegisterExtension final Theatre theatre = new Theatre();

  // ---- sleeps -----------------------------------------------------------------------------------

  @Test
  void a_sleep_that_is_no_time_is_no_event() {
    theatre.play(
        (ctx, _) -> {
          ctx.sleep(Duration.ZERO);
          ctx.sleep(Duration.ofSeconds(-1));
          ctx.sleepUntil(ctx.now());
          ctx.sleepUntil(ctx.now().minusSeconds(1));
          return "" + ctx.now();
        });

    assertThat(theatre.result()).isEqualTo("\"2030-01-01T00:00:00Z\"");
    assertThat(theatre.outline()).containsExactly("WorkflowStarted code", "WorkflowCompleted");
  }

  @Test
  void a_sleep_until_then_ends_then() {
    theatre.play(
        (ctx, _) -> {
          ctx.sleepUntil(ctx.now().plusSeconds(5));
          return "" + ctx.now();
        });
    theatre.advance(Duration.ofSeconds(4));
    assertThat(theatre.ends()).isEmpty();
    theatre.advance(Duration.ofSeconds(2));

    assertThat(theatre.result()).isEqualTo("\"2030-01-01T00:00:06Z\"");
  }

  // ---- conditions -------------------------------------------------------------------------------

  @Test
  void a_condition_is_asked_again_when_something_has_happened() {
    var asked = new AtomicInteger();
    theatre.play(
        (ctx, _) -> {
          var words = new ArrayList<String>();
          ctx.async(
              () -> {
                for (; ; ) words.add(ctx.receive(WORD));
              });
          ctx.await(
              () -> {
                asked.incrementAndGet();
                return words.size() == 2;
              });
          return words.toString();
        });
    int before = asked.get();
    theatre.advance(MINUTE);
    assertThat(asked).as("nothing has happened").hasValue(before);

    theatre.signal("word", "a");
    assertThat(theatre.ends()).isEmpty();
    theatre.signal("word", "b");

    assertThat(theatre.result()).isEqualTo("\"[a, b]\"");
  }

  @Test
  void a_condition_that_comes_true_may_make_another_come_true() {
    theatre.play(
        (ctx, _) -> {
          var words = new ArrayList<String>();
          var read = new AtomicBoolean();
          var other =
              ctx.async(
                  () -> {
                    ctx.await(read::get);
                    return words.toString();
                  });
          words.add(ctx.receive(WORD));
          ctx.async(() -> words.add(ctx.receive(WORD)));
          ctx.await(() -> words.size() == 2);
          read.set(true);
          return other.await();
        });
    theatre.signal("word", "a");
    theatre.signal("word", "b");

    assertThat(theatre.result()).isEqualTo("\"[a, b]\"");
  }

  @Test
  void a_condition_that_holds_is_not_waited_for() {
    theatre.play(
        (ctx, _) -> {
          ctx.await(() -> true);
          return "" + ctx.await(HOUR, () -> true);
        });

    assertThat(theatre.result()).isEqualTo("\"true\"");
  }

  @Test
  void a_condition_with_a_limit_is_given_up_then() {
    theatre.play((ctx, _) -> ctx.await(HOUR, () -> false) + " at " + ctx.now());
    theatre.advance(HOUR);

    assertThat(theatre.result()).isEqualTo("\"false at 2030-01-01T01:00:00Z\"");
    assertThat(theatre.outline()).contains("WaitTimedOut await:1");
  }

  @Test
  void a_condition_that_comes_true_in_time_leaves_no_alarm() {
    theatre.play(
        (ctx, _) -> {
          var words = new ArrayList<String>();
          ctx.async(() -> words.add(ctx.receive(WORD)));
          boolean held = ctx.await(HOUR, () -> !words.isEmpty());
          ctx.receive(OTHER);
          return held + " " + words;
        });
    theatre.signal("word", "a");
    assertThat(theatre.alarms()).isEmpty();
    theatre.signal("other", "b");

    assertThat(theatre.result()).isEqualTo("\"true [a]\"");
  }

  @Test
  void a_condition_that_throws_is_waited_for_no_more() {
    theatre.play(
        (ctx, _) -> {
          var words = new ArrayList<String>();
          ctx.async(() -> words.add(ctx.receive(WORD)));
          try {
            ctx.await(
                HOUR,
                () -> {
                  if (!words.isEmpty()) throw new IllegalStateException("broken");
                  return false;
                });
          } catch (IllegalStateException e) {
            return e.getMessage() + ctx.receive(OTHER);
          }
          return "";
        });
    theatre.signal("word", "a");
    assertThat(theatre.alarms()).isEmpty();
    theatre.signal("other", "!");

    assertThat(theatre.result()).isEqualTo("\"broken!\"");
  }

  // ---- signals ----------------------------------------------------------------------------------

  @Test
  void signals_are_received_by_name_in_order_or_any() {
    theatre.play(
        (ctx, _) -> {
          ctx.sleep(MINUTE);
          var any = ctx.receiveAny();
          return ctx.receive(WORD)
              + ctx.receive(WORD, HOUR).orElseThrow()
              + any.name()
              + any.value(OTHER)
              + ctx.receiveAny(HOUR).orElseThrow().value(WORD);
        });
    theatre.signal("other", "1");
    theatre.signal("word", "2");
    theatre.signal("word", "3");
    theatre.signal("word", "4");
    theatre.advance(MINUTE);

    assertThat(theatre.result()).isEqualTo("\"23other14\"");
  }

  @Test
  void a_signal_that_does_not_come_in_time_is_none() {
    theatre.play(
        (ctx, _) -> ctx.receive(WORD, MINUTE).isPresent() + " " + ctx.receiveAny(HOUR).isPresent());
    theatre.advance(MINUTE);
    theatre.advance(HOUR);

    assertThat(theatre.result()).isEqualTo("\"false false\"");
    assertThat(theatre.outline()).contains("WaitTimedOut receive word:1", "WaitTimedOut receive:1");
  }

  @Test
  void a_signal_that_comes_after_the_limit_stays_for_the_next() {
    theatre.play(
        (ctx, _) -> {
          boolean first = ctx.receive(WORD, MINUTE).isPresent();
          ctx.sleep(HOUR);
          return first + ctx.receive(WORD);
        });
    theatre.advance(MINUTE);
    theatre.signal("word", " late");
    theatre.advance(HOUR);

    assertThat(theatre.result()).isEqualTo("\"false late\"");
  }

  @Test
  void a_signal_is_read_as_what_it_is() {
    theatre.play(
        (ctx, _) -> {
          var any = ctx.receiveAny();
          assertThatThrownBy(() -> any.value(OTHER)).hasMessageContaining("'word', not 'other'");
          return any.value(WORD);
        });
    theatre.signal("word", "a");

    assertThat(theatre.result()).isEqualTo("\"a\"");
  }
}

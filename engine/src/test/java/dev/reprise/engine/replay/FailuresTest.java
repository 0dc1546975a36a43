package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityFailed;
import dev.reprise.FailureInfo;
import dev.reprise.TerminalFailure;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FailuresTest {

  private static StackTraceElement frame(String type, int line) {
    return new StackTraceElement(type, "pay", "Shop.java", line);
  }

  private static Throwable thrownAt(StackTraceElement... frames) {
    var thrown = new IllegalStateException("closed");
    thrown.setStackTrace(frames);
    return thrown;
  }

  @Test
  void type_message_and_details_are_written_down() {
    var failure = Failures.of(new TerminalFailure("no credit", "code 51", null));

    assertThat(failure.type()).isEqualTo(TerminalFailure.class.getName());
    assertThat(failure.message()).isEqualTo("no credit");
    assertThat(failure.details()).isEqualTo("code 51");
    assertThat(Failures.of(new IllegalStateException()).message()).isNull();
    assertThat(Failures.of(new IllegalStateException()).details()).isNull();
  }

  @Test
  void the_stack_ends_where_the_engine_begins() {
    var thrown =
        thrownAt(
            frame("com.acme.Shop", 7),
            frame("com.acme.Till", 8),
            frame("dev.reprise.engine.replay.Attempt", 9),
            frame("com.acme.Main", 1));

    assertThat(Failures.of(thrown).stackTrace())
        .isEqualTo("com.acme.Shop.pay(Shop.java:7)\ncom.acme.Till.pay(Shop.java:8)");
    assertThat(Failures.of(thrownAt()).stackTrace()).isNull();
  }

  @Test
  void the_stack_has_sixteen_frames_at_most() {
    var frames =
        Stream.iterate(1, i -> i + 1)
            .limit(20)
            .map(i -> frame("com.acme.Shop", i))
            .toArray(StackTraceElement[]::new);

    assertThat(Failures.of(thrownAt(frames)).stackTrace().lines())
        .hasSize(16)
        .last()
        .isEqualTo("com.acme.Shop.pay(Shop.java:16)");
  }

  @Test
  void four_causes_are_kept() {
    Throwable thrown = new IllegalStateException("1");
    for (int i = 2; i <= 7; i++) thrown = new IllegalStateException(String.valueOf(i), thrown);

    var messages =
        Stream.iterate(Failures.of(thrown), failure -> failure != null, FailureInfo::cause)
            .map(FailureInfo::message);

    assertThat(messages).containsExactly("7", "6", "5", "4", "3");
  }

  @Test
  void the_cause_of_a_failed_activity_is_what_was_recorded_of_it() {
    var recorded = new FailureInfo("com.acme.NoCredit", "none", null, null, null);

    assertThat(Failures.of(new ActivityFailed("pay", "pay:1", 3, recorded)).cause())
        .isEqualTo(recorded);
  }

  @Test
  void a_long_text_is_cut() {
    var fits = "x".repeat(8_000);

    assertThat(Failures.of(new IllegalStateException(fits)).message()).isEqualTo(fits);
    assertThat(Failures.of(new IllegalStateException(fits + "y")).message()).isEqualTo(fits + "…");
  }

  @Test
  void an_exception_that_cannot_tell_is_still_an_exception() {
    var failure = Failures.of(new Mute());

    assertThat(failure.type()).isEqualTo(Mute.class.getName());
    assertThat(failure.message()).isNull();
    assertThat(failure.cause()).isNull();
  }

  private static final class Mute extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("no cause");
    }
  }
}

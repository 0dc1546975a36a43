package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.FailureInfo;
import dev.reprise.WorkflowFailed;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordedFramesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.acme.Shop.pay(Shop.java:7)",
        "app//com.acme.Shop.pay(Shop.java:7)",
        "java.base/java.lang.String.trim(String.java:12)",
        "app/shop@1.2/com.acme.Shop$Till.lambda$pay$0(Shop.java:7)",
        "com.acme.Shop$$Lambda/0x00007f.run(Unknown Source)",
        "java.base/java.lang.Thread.run0(Native Method)",
        "com.acme.Shop.<init>(Shop.java)"
      })
  void a_frame_reads_as_it_was_written(String frame) {
    assertThat(frames(frame)).singleElement().hasToString(frame);
  }

  @Test
  void frames_of_this_process_come_back_as_they_were() {
    var here = new Throwable().getStackTrace();
    var text = Arrays.stream(here).map(String::valueOf).collect(Collectors.joining("\n"));

    assertThat(frames(text)).extracting(String::valueOf).isEqualTo(text.lines().toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nothing",
        "(",
        ")",
        ".(",
        "a.()",
        "a.b(",
        "a.b)",
        "/a.b",
        ".b(x:1)",
        "a.b(x:99999999999)",
        "\u0001",
        "$$",
        "a/.b(c:1)",
        "((((",
        "a.b(c:d)\n\n\n...(:"
      })
  void what_is_damaged_is_left_out_and_never_fails(String text) {
    assertThat(frames(text)).doesNotContainNull();
    assertThat(frames(null)).isEmpty();
  }

  @Test
  void a_failure_shows_where_it_was_thrown() {
    var cause =
        new FailureInfo("com.acme.NoCredit", "none", null, "com.acme.Bank.take(Bank.java:3)", null);
    var failure =
        new FailureInfo("com.acme.Refused", null, null, "com.acme.Shop.pay(Shop.java:7)", cause);
    var text = new StringWriter();

    new WorkflowFailed("order-7", failure).printStackTrace(new PrintWriter(text, true));

    assertThat(text.toString().lines())
        .containsSubsequence(
            "\tat com.acme.Shop.pay(Shop.java:7)", "\tat com.acme.Bank.take(Bank.java:3)")
        .anyMatch(line -> line.contains("com.acme.NoCredit: none"));
  }

  private static StackTraceElement[] frames(@Nullable String text) {
    return new FailureInfo("com.acme.Refused", null, null, text, null)
        .toThrowable()
        .getStackTrace();
  }
}

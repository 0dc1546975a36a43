package dev.reprise.engine.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.event.Event.ActivityCompleted;
import dev.reprise.engine.event.Event.Call;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainJsonTest {
  private static final String LETTERS = "ab:\"\\{}, \u0001\u007fé\uD83D\uDE00~\n";

  @Test
  void a_plain_call_is_written_as_the_library_writes_it() {
    var event = completed("Payments.charge:12", "Payments.charge", "af63bd");

    assertThat(PlainJson.write(event)).isEqualTo(EventJson.writeAny(event));
    assertThat(PlainJson.read(EventJson.writeAny(event))).isEqualTo(event.call());
  }

  @Test
  void arguments_are_written_and_read_as_they_are() {
    var kept = KeptArguments.of(new byte[][] {bytes("\"J\u00f6rg\""), bytes("{\"a\":[1]}")}, 100);
    var event = completed(new Call("pay:1", "pay", "1f", kept));
    var written = PlainJson.write(event);

    assertThat(written)
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(
            "{\"id\":\"pay:1\",\"digest\":\"1f\",\"arguments\":[\"J\u00f6rg\",{\"a\":[1]}]}");
    assertThat(written).isEqualTo(EventJson.writeAny(event));
    assertThat(arguments(PlainJson.read(written))).isEqualTo(kept.json());
  }

  /** Whatever it writes is what the library writes, and whatever it reads is what that reads. */
  @Test
  void it_never_differs_from_the_library() {
    var random = new Random(7);
    int plain = 0;
    for (int i = 0; i < 20_000; i++) {
      var name = text(random);
      var id = random.nextInt(4) == 0 ? text(random) : name + ":" + random.nextInt(100);
      var event = completed(call(id, name, random));
      var written = PlainJson.write(event);
      var library = EventJson.writeAny(event);
      if (written != null) {
        assertThat(written).isEqualTo(library);
        plain++;
      }
      var read = PlainJson.read(library);
      if (read != null) {
        assertThat(read).isEqualTo(event.call());
        assertThat(arguments(read)).isEqualTo(arguments(event.call()));
      }
      var again = EventJson.read(EventType.ACTIVITY_COMPLETED, EventJson.write(event), null);
      assertThat(again).isEqualTo(event);
      assertThat(arguments(again.call())).isEqualTo(arguments(event.call()));
    }
    assertThat(plain).isGreaterThan(1_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{\"id\":\"",
        "{\"id\":\"}",
        "{\"id\":\"a\"}",
        "{\"id\":\"a:1\"} ",
        "{ \"id\":\"a:1\"}",
        "{\"id\":\"a:1\",\"digest\":\"}",
        "{\"id\":\"a:1\",\"name\":\"b\"}",
        "{\"id\":\"a:1\",\"digest\":\"b\",\"attempts\":2}",
        "{\"id\":\"a:1\",\"arguments\":[1],\"digest\":\"b\"}",
        "{\"id\":\"a:1\",\"digest\":\"b\",\"arguments\":[1],\"attempts\":2}",
        "{\"id\":\"a:1\",\"digest\":\"b\",\"arguments\":1}",
        "{\"id\":\"a:1\",\"digest\":\"b\",\"arguments\":[}",
        "{\"id\":\"a:1\",\"digest\":\"b\",\"arguments\":",
        "{\"id\":\"a\\u003a1\"}"
      })
  void what_looks_different_is_left_to_the_library(String json) {
    assertThat(PlainJson.read(json.getBytes(StandardCharsets.UTF_8))).isNull();
  }

  @Test
  void more_than_one_attempt_is_left_to_the_library() {
    assertThat(PlainJson.write(new ActivityCompleted(new Call("a:1", "a", ""), 2, Payload.none())))
        .isNull();
  }

  private static ActivityCompleted completed(String id, String name, String digest) {
    return completed(new Call(id, name, digest));
  }

  private static ActivityCompleted completed(Call call) {
    return new ActivityCompleted(call, 1, Payload.none());
  }

  private static Call call(String id, String name, Random random) {
    if (random.nextBoolean()) return new Call(id, name, "");
    var arguments = new byte[random.nextInt(3)][];
    for (int i = 0; i < arguments.length; i++) arguments[i] = argument(random);
    return new Call(id, name, text(random), KeptArguments.of(arguments, random.nextInt(30)));
  }

  private static byte[] argument(Random random) {
    if (random.nextInt(8) == 0) return new byte[] {(byte) random.nextInt(), '"'};
    return bytes(random.nextBoolean() ? "" + random.nextInt() : "[\"\u00e9\",{\"a\":\"]}\"}]");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte @Nullable [] arguments(@Nullable Call call) {
    return call == null || call.arguments() == null ? null : call.arguments().json();
  }

  private static String text(Random random) {
    var letters = LETTERS.codePoints().toArray();
    var text = new StringBuilder();
    boolean simple = random.nextBoolean();
    for (int i = random.nextInt(6); i >= 0; i--) {
      text.appendCodePoint(
          simple ? 'a' + random.nextInt(26) : letters[random.nextInt(letters.length)]);
    }
    return text.toString();
  }
}

package dev.reprise.engine.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.event.Event.ActivityCompleted;
import dev.reprise.engine.event.Event.Call;
import java.nio.charset.StandardCharsets;
import java.util.Random;
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

  /** Whatever it writes is what the library writes, and whatever it reads is what that reads. */
  @Test
  void it_never_differs_from_the_library() {
    var random = new Random(7);
    int plain = 0;
    for (int i = 0; i < 20_000; i++) {
      var name = text(random);
      var id = random.nextInt(4) == 0 ? text(random) : name + ":" + random.nextInt(100);
      var event = completed(id, name, random.nextBoolean() ? "" : text(random));
      var written = PlainJson.write(event);
      var library = EventJson.writeAny(event);
      if (written != null) {
        assertThat(written).isEqualTo(library);
        plain++;
      }
      var read = PlainJson.read(library);
      if (read != null) assertThat(read).isEqualTo(event.call());
      assertThat(EventJson.read(EventType.ACTIVITY_COMPLETED, EventJson.write(event), null))
          .isEqualTo(event);
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
    return new ActivityCompleted(new Call(id, name, digest), 1, Payload.none());
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

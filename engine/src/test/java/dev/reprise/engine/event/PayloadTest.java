package dev.reprise.engine.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PayloadTest {

  @Test
  void payloads_of_the_same_bytes_are_equal() {
    assertThat(Events.json("[1]"))
        .isEqualTo(Events.json("[1]"))
        .hasSameHashCodeAs(Events.json("[1]"))
        .isNotEqualTo(Events.json("[2]"))
        .isNotEqualTo("[1]");
    assertThat(Events.json("[1]").hashCode()).isNotEqualTo(Events.json("[2]").hashCode());
  }

  @Test
  void the_bytes_are_kept_as_they_are() {
    var bytes = "\"☃\"".getBytes(StandardCharsets.UTF_8);

    var payload = Payload.of(bytes);

    assertThat(payload.bytes()).isSameAs(bytes);
    assertThat(payload.size()).isEqualTo(5);
    assertThat(payload).hasToString("\"☃\"");
  }

  @Test
  void nothing_is_the_null_of_json() {
    assertThat(Payload.none()).isEqualTo(Events.json("null"));
  }
}

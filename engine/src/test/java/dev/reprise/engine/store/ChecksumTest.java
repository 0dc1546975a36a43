package dev.reprise.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.store.InputRow.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checksums are stored: the numbers here, computed elsewhere, must never change. */
class ChecksumTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123456Z");

  private static EventRow event(byte[] attributes, byte[] value) {
    return new EventRow(2, NOON, 2, "Checkout.java:42", attributes, value);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static final byte[] ATTRIBUTES = bytes("{\"id\":\"charge:1\"}");
  private static final EventRow EVENT = event(ATTRIBUTES, bytes("100"));

  @Test
  void the_checksum_of_an_event_is_the_one_that_databases_have() {
    var bare = new EventRow(2, NOON, 2, null, ATTRIBUTES, null);

    assertThat(EVENT.checksum(7)).isEqualTo(1_750_850_259);
    assertThat(bare.checksum(7)).isEqualTo(1_927_044_841);
  }

  @Test
  void the_checksum_of_an_input_is_the_one_that_databases_have() {
    var input = new InputRow(3, 7, Kind.SIGNAL, "Größe", "m-1", bytes("\"now\""), NOON);

    assertThat(input.checksum()).isEqualTo(1_547_992_715);
    assertThat(input.of(8).numbered(4).checksum()).isEqualTo(input.checksum());
  }

  @Test
  void everything_in_a_row_counts() {
    var site = new EventRow(2, NOON, 2, "Checkout.java:43", ATTRIBUTES, bytes("100"));
    var type = new EventRow(2, NOON, 3, "Checkout.java:42", ATTRIBUTES, bytes("100"));
    var index = new EventRow(3, NOON, 2, "Checkout.java:42", ATTRIBUTES, bytes("100"));
    var time =
        new EventRow(2, NOON.plusNanos(1_000), 2, "Checkout.java:42", ATTRIBUTES, bytes("100"));
    var moved = event(bytes("{\"id\":\"charge:1\"}1"), bytes("00"));
    var absent = new EventRow(2, NOON, 2, "Checkout.java:42", ATTRIBUTES, null);

    assertThat(
            new EventRow[] {site, type, index, time, moved, absent, event(ATTRIBUTES, bytes(""))})
        .extracting(event -> event.checksum(7))
        .doesNotContain(EVENT.checksum(7))
        .doesNotHaveDuplicates();
    assertThat(EVENT.checksum(8)).isNotEqualTo(EVENT.checksum(7));
  }

  @Test
  void every_single_bit_of_a_value_counts() {
    assertThat(IntStream.range(0, 24))
        .allSatisfy(
            bit -> {
              var value = bytes("100");
              value[bit / 8] ^= (byte) (1 << bit % 8);
              assertThat(event(ATTRIBUTES, value).checked(7, EVENT.checksum(7)).damaged()).isTrue();
            });
    assertThat(EVENT.checked(7, EVENT.checksum(7)).damaged()).isFalse();
  }
}

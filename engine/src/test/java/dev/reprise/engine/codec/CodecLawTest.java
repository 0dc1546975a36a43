package dev.reprise.engine.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The law of the codec: what it writes it gives back as it was, order included. Types and values
 * are random; {@code -Dreprise.property.seed} and {@code -Dreprise.property.tries} say which.
 */
class CodecLawTest {
  private static final long SEED = Long.getLong("reprise.property.seed", 1);
  private static final int TRIES = Integer.getInteger("reprise.property.tries", 2_000);
  private static final int VALUES = 5; // of each type

  private final JsonCodec codec = new JsonCodec();

  @Test
  void a_value_of_any_supported_type_comes_back_as_it_was() {
    for (long seed = SEED; seed < SEED + TRIES; seed++) {
      var random = new Random(seed);
      var kind = new Kinds(random).any(3);
      for (int i = 0; i < VALUES; i++) assertComesBack(seed, kind, random);
    }
  }

  @Test
  void values_of_each_plain_type_come_back_as_they_were() {
    for (var kind : Kinds.leaves()) {
      var random = new Random(SEED);
      for (int i = 0; i < 200; i++) assertComesBack(SEED, kind, random);
    }
  }

  private void assertComesBack(long seed, Kinds.Kind kind, Random random) {
    var value = kind.value(random);
    codec.check(kind.type());

    var bytes = codec.encode(value, kind.type());

    var back = codec.decode(bytes, kind.type());
    var what =
        "seed %d, type %s: %s, written %s, comes back as %s"
            .formatted(seed, kind.type(), value, new String(bytes, StandardCharsets.UTF_8), back);
    assertThat(Sameness.of(value, back)).as(what).isTrue();
    assertThat(codec.encode(back, kind.type())).as(what).isEqualTo(bytes);
    assertThat(Sameness.of(value, codec.receive(bytes, kind.type()))).as(what).isTrue();
  }
}

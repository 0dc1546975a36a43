package dev.reprise.engine.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Payload;
import java.io.IOException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ValuesTest {
  private final Values values = new Values(new JsonCodec());

  /** Writes nothing and gives back something else. */
  private static final class Forgetful implements Codec {
    @Override
    public byte[] encode(Object value, Type type) {
      return new byte[0];
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
      return List.of("forgotten");
    }
  }

  private static final class Broken implements Codec {
    @Override
    public byte[] encode(Object value, Type type) throws Exception {
      throw new IOException("cannot write");
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
      throw new StackOverflowError("cannot read");
    }
  }

  @Test
  void nothing_is_written_for_what_has_no_result() {
    assertThat(new Values(new Broken()).encode("ignored", void.class, "x"))
        .isEqualTo(Payload.none());
    assertThat(new Values(new Broken()).decode(Payload.none(), Void.class, "x")).isNull();
  }

  @Test
  void the_limit_is_that_of_the_bytes() {
    var fits = values.encode("x".repeat(Values.MAX_PAYLOAD - 2), String.class, "it");
    var e =
        catchThrowableOfType(
            RepriseException.class,
            () -> values.encode("x".repeat(Values.MAX_PAYLOAD - 1), String.class, "it"));

    assertThat(fits.size()).isEqualTo(Values.MAX_PAYLOAD);
    assertThat(e.code()).isEqualTo(ErrorCode.R106);
    assertThat(e).hasMessageContaining("it has 2,097,153 bytes, the limit is 2,097,152");
  }

  @Test
  void what_a_codec_throws_is_told_with_the_value_and_the_type() {
    var broken = new Values(new Broken());

    var writing =
        catchThrowableOfType(
            RepriseException.class, () -> broken.encode(1, Integer.class, "the result"));
    var reading =
        catchThrowableOfType(
            RepriseException.class,
            () -> broken.decode(Payload.none(), Integer.class, "the input"));

    assertThat(writing.code()).isEqualTo(ErrorCode.R107);
    assertThat(writing)
        .hasMessageContaining("the result cannot be written as java.lang.Integer: cannot write")
        .hasCauseInstanceOf(IOException.class);
    assertThat(reading.code()).isEqualTo(ErrorCode.R108);
    assertThat(reading).hasMessageContaining("the input cannot be read as java.lang.Integer");
  }

  @Test
  void the_code_is_given_what_a_replay_would_give() {
    var forgetful = new Values(new Forgetful());

    for (var value : List.of(List.of("x"), new BigDecimal("1.0"), Status.OPEN, 1.5)) {
      assertThat(forgetful.asReplayed(value, Payload.none(), value.getClass(), "it"))
          .isEqualTo(List.of("forgotten"));
    }
    for (var value : List.of("text", 1, 2L, true, new UUID(1, 2))) {
      assertThat(forgetful.asReplayed(value, Payload.none(), value.getClass(), "it"))
          .as("cannot change on the way")
          .isSameAs(value);
    }
    assertThat(forgetful.asReplayed("text", Payload.none(), Object.class, "it"))
        .isEqualTo(List.of("forgotten"));
  }

  private enum Status {
    OPEN
  }

  @Test
  void digests_tell_arguments_apart() {
    assertThat(values.digest("it")).isEmpty();
    assertThat(
            List.of(
                values.digest("it", "a"),
                values.digest("it", "b"),
                values.digest("it", "a", "b"),
                values.digest("it", "b", "a"),
                values.digest("it", "ab"),
                values.digest("it", List.of("a", "b")),
                values.digest("it", 1),
                values.digest("it", "1"),
                values.digest("it", (Object) null),
                values.digest("it", null, null)))
        .doesNotHaveDuplicates();
    assertThat(values.digest("it", "a", 1)).isEqualTo(values.digest("other", "a", 1));
  }

  @Test
  void a_call_has_the_digest_and_what_is_kept() {
    var call = values.call("pay:1", "pay", "order-7", 3);

    assertThat(call).isEqualTo(new Call("pay:1", "pay", values.digest("it", "order-7", 3)));
    assertThat(call.arguments().texts()).containsExactly("\"order-7\"", "3");
    assertThat(values.call("pay:1", "pay")).isEqualTo(new Call("pay:1", "pay", ""));
  }

  @Test
  void nothing_is_kept_where_that_is_not_wanted() {
    var call = new Values(new JsonCodec(), 0).call("pay:1", "pay", "order-7", 3);

    assertThat(call.arguments()).isNull();
    assertThat(call).isEqualTo(values.call("pay:1", "pay", "order-7", 3));
  }

  @Test
  void digests_are_a_promise() {
    assertThat(values.digest("it", "order-7", 3)).isEqualTo("8f5060160822b65a");
  }
}

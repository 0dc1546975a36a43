package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import java.lang.reflect.Type;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  private static final List<Type> TYPES = List.of(String.class, Integer.class, Item.class);

  private final Values values = new Values(new JsonCodec());

  record Item(String name) {}

  @Test
  void arguments_are_the_same_after_they_were_packed() {
    Object[] given = {"a", 7, new Item("x")};

    var packed = Arguments.pack(values, "undo:1", TYPES, given);

    assertThat(packed.lengths()).hasSize(3);
    assertThat(packed.unpack(values, "undo:1", TYPES)).containsExactly(given);
  }

  @Test
  void none_null_and_those_of_unknown_types_are_packed_too() {
    assertThat(Arguments.pack(values, "u", List.of(), new Object[0]).unpack(values, "u", List.of()))
        .isEmpty();
    assertThat(
            Arguments.pack(values, "u", List.of(String.class), new Object[] {null})
                .unpack(values, "u", List.of(String.class)))
        .containsExactly((Object) null);
    assertThat(
            Arguments.pack(values, "u", List.of(), new Object[] {new Item("x")})
                .unpack(values, "u", List.of(Item.class)))
        .containsExactly(new Item("x"));
  }

  @Test
  void an_activity_that_takes_another_number_of_them_is_told() {
    var packed = Arguments.pack(values, "undo:1", TYPES, new Object[] {"a", 7, new Item("x")});

    assertThatThrownBy(() -> packed.unpack(values, "undo:1", List.of(String.class)))
        .hasMessage("undo:1 was remembered with 3 arguments, the activity takes 1");
  }
}

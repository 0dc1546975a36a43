package dev.reprise.engine.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import org.junit.jupiter.api.Test;

class ChildIdsTest {
  private static final String EMOJI = "\uD83D\uDE80";

  @Test
  void a_child_is_named_after_its_parent_as_long_as_there_is_room() {
    assertThat(ChildIds.of("order-7", "Shipment:1")).isEqualTo("order-7/Shipment:1");
    var parent = "x".repeat(ChildIds.MAX_ID - 3);
    assertThat(ChildIds.of(parent, "S1")).isEqualTo(parent + "/S1").hasSize(ChildIds.MAX_ID);
  }

  @Test
  void ids_stay_within_the_limit_and_are_told_apart_at_any_depth() {
    var seen = new HashSet<String>();
    var first = "order-7";
    var second = "order-7";
    for (int depth = 0; depth < 1_000; depth++) {
      assertThat(first).hasSizeLessThanOrEqualTo(ChildIds.MAX_ID).startsWith("order-7");
      second = ChildIds.of(first, "Shipment:2");
      first = ChildIds.of(first, "Shipment:1");
      assertThat(seen.add(first)).isTrue();
      assertThat(seen.add(second)).isTrue();
      assertThat(first).endsWith("/Shipment:1");
    }
  }

  @Test
  void it_is_always_the_same_for_the_same_child() {
    var parent = "p".repeat(250);

    assertThat(ChildIds.of(parent, "Shipment:1"))
        .isEqualTo(ChildIds.of(parent, "Shipment:1"))
        .isEqualTo("p".repeat(211) + "~2dc8040330c783563f092e2d56ce78b9/Shipment:1");
  }

  @Test
  void no_character_is_cut_in_half() {
    for (int i = 0; i < 4; i++) {
      var id = ChildIds.of("a".repeat(i) + EMOJI.repeat(125), "b".repeat(i) + EMOJI.repeat(60));

      assertThat(id).hasSizeLessThanOrEqualTo(ChildIds.MAX_ID);
      assertThat(new String(id.getBytes(UTF_8), UTF_8)).isEqualTo(id);
    }
  }
}

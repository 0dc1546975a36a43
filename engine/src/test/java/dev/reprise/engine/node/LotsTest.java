package dev.reprise.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LotsTest {
  private static final Duration QUICK = Duration.ofMillis(5);
  private static final Duration FAIR = Lots.SLOW.minusMillis(1);
  private static final Duration LONG = Lots.SLOW.plusMillis(200);

  private final Lots lots = new Lots();

  /** A lot of which nothing is missing. */
  private Duration full(Duration took) {
    return lots.next(lots.size(), took).orElseThrow();
  }

  @Test
  void lots_grow_and_follow_each_other_without_a_pause_while_more_is_left() {
    for (int expected : new int[] {100, 200, 400, 800, 1_000, 1_000, 1_000}) {
      assertThat(lots.size()).isEqualTo(expected);
      assertThat(full(QUICK)).isZero();
    }
  }

  @Test
  void a_lot_that_is_neither_quick_nor_slow_is_as_large_as_it_should_be() {
    full(QUICK);
    full(QUICK);

    assertThat(full(FAIR)).isZero();

    assertThat(lots.size()).isEqualTo(400);
  }

  @Test
  void while_the_database_is_slow_lots_are_smaller_and_it_has_half_of_the_time_for_others() {
    for (int i = 0; i < 5; i++) full(QUICK);

    for (int expected : new int[] {500, 250, 125, 62, 31, 15, 10, 10}) {
      assertThat(full(LONG)).isEqualTo(LONG);
      assertThat(lots.size()).isEqualTo(expected);
    }
    assertThat(full(Duration.ofMinutes(3))).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void when_nothing_is_left_the_next_look_is_for_a_small_lot_again() {
    full(QUICK);

    assertThat(lots.next(lots.size() - 1, QUICK)).isEmpty();

    assertThat(lots.size()).isEqualTo(Lots.FIRST);
  }

  @Test
  void after_a_failure_it_begins_again_with_a_small_lot() {
    full(QUICK);

    lots.failed();

    assertThat(lots.size()).isEqualTo(Lots.FIRST);
  }
}

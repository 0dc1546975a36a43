package dev.reprise.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatienceTest {

  @Test
  void who_is_disappointed_often_enough_in_a_row_does_not_try_for_a_while() {
    var patience = new Patience(4, 250, 1_000);
    for (int i = 0; i < 3; i++) patience.ended(false);
    patience.ended(true);
    for (int i = 0; i < 4; i++) patience.ended(false);

    assertThat(rest(patience)).isEqualTo(250);
  }

  @Test
  void each_disappointment_makes_the_rest_longer_up_to_a_limit() {
    var patience = new Patience(1, 1, 10);

    for (int expected : new int[] {1, 2, 4, 8, 10, 10}) {
      patience.ended(false);
      assertThat(rest(patience)).isEqualTo(expected);
    }
  }

  @Test
  void what_goes_well_most_of_the_time_is_tried_most_of_the_time() {
    var patience = new Patience(1, 1, 1_000);
    int rests = 0;
    for (int i = 1; i <= 1_000; i++) {
      patience.ended(i % 50 != 0);
      rests += rest(patience);
    }

    assertThat(rests).isLessThan(200);
  }

  /** How many occasions pass by. */
  private static int rest(Patience patience) {
    int rests = 0;
    while (!patience.begins()) rests++;
    return rests;
  }
}

package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.store.InputRow;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class InputLineTest {
  private final InputLine line = new InputLine();

  private static InputRow input(long id) {
    return new InputRow(
        id, 1, InputRow.Kind.SIGNAL, "a", "m-" + id, new byte[] {'1'}, Instant.EPOCH);
  }

  @Test
  void inputs_come_in_the_order_of_their_acceptance_and_once() {
    line.add(List.of(input(1), input(2)));
    line.add(List.of(input(1), input(2), input(3)));

    assertThat(List.of(line.next(), line.next(), line.next()))
        .extracting(InputRow::id)
        .containsExactly(1L, 2L, 3L);
    assertThat(line.next()).isNull();
  }

  @Test
  void each_reading_that_began_has_to_come_back() {
    assertThat(line.isFetching()).isFalse();
    line.fetchBegins();
    line.fetchBegins();

    line.fetched(List.of(input(1)));
    assertThat(line.isFetching()).isTrue();
    line.fetched(List.of());
    assertThat(line.isFetching()).isFalse();

    assertThat(line.next().id()).isEqualTo(1);
  }

  @Test
  void what_is_out_of_the_store_is_known_while_a_reading_may_have_seen_it() {
    line.add(List.of(input(1)));
    line.next();
    line.fetchBegins();
    line.settled(input(1));

    line.fetched(List.of(input(1)));

    assertThat(line.next()).isNull();
  }

  @Test
  void what_is_out_of_the_store_is_forgotten_when_no_reading_is_on_its_way() {
    line.add(List.of(input(1)));
    line.next();

    line.settled(input(1));
    line.add(List.of(input(1)));

    assertThat(line.next()).as("nothing of it is kept").isNotNull();
  }
}

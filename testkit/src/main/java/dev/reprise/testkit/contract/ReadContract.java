package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What can be read back. */
public interface ReadContract extends StoreUnderTest {

  @Test
  default void many_runs_are_loaded_together() {
    var node = join();
    long one = node.start("order-7");
    long two = node.start("order-8");
    long three = node.start("order-9");
    node.store(append(two, 2, 5), append(one, 2, 2), signal(two, "1"), signal(one, "2"));
    node.store(signal(two, "3"));

    var loaded = store().load(List.of(one, two), 3);

    assertThat(loaded).containsOnlyKeys(one, two).doesNotContainKey(three);
    var first = Objects.requireNonNull(loaded.get(one));
    var second = Objects.requireNonNull(loaded.get(two));
    assertThat(first.events()).extracting(EventRow::index).containsExactly(1, 2);
    assertThat(second.events()).extracting(EventRow::index).containsExactly(1, 2, 3);
    assertThat(second.events().get(1).value()).isEqualTo(event(2).value());
    assertThat(first.inputs()).extracting(InputRow::run).containsExactly(one);
    assertThat(second.inputs()).extracting(InputRow::id).isSorted().hasSize(2);
  }

  @Test
  default void runs_are_found_by_their_keys() {
    var node = join();
    long one = node.start("order-7");
    long two = node.start("order-8");

    assertThat(store().runs(List.of(two, 9_999L, one)))
        .extracting(RunRow::workflowId)
        .containsExactlyInAnyOrder("order-7", "order-8");
    assertThat(store().runs(List.of())).isEmpty();
  }

  @Test
  default void nothing_is_known_of_what_never_started() {
    join().start("order-7");

    assertThat(store().find("order-8")).isEmpty();
    assertThat(store().history(9_999, 1, 10)).isEmpty();
    assertThat(store().inputs(9_999)).isEmpty();
  }

  @Test
  default void a_history_is_read_in_pieces() {
    var node = join();
    long run = node.start("order-7");
    node.start("order-8");
    node.store(append(run, 2, 9));

    assertThat(store().history(run, 1, 3)).extracting(EventRow::index).containsExactly(1, 2, 3);
    assertThat(store().history(run, 8, 3)).extracting(EventRow::index).containsExactly(8, 9);
    assertThat(store().history(run, 10, 3)).isEmpty();
  }
}

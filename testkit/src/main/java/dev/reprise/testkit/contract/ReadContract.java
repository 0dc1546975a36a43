package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ListQuery;
import dev.reprise.Status;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition.RunChange;
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

  @Test
  default void runs_are_listed_newest_first() {
    startThree();

    assertThat(listed(ListQuery.all())).containsExactly("order-9", "parcel-8", "order-7");
    assertThat(listed(ListQuery.all().limit(2))).containsExactly("order-9", "parcel-8");
  }

  @Test
  default void runs_are_listed_page_after_page() {
    startThree();
    var page = ListQuery.all().limit(1);

    assertThat(listed(page.after("order-9"))).containsExactly("parcel-8");
    assertThat(listed(page.after("parcel-8"))).containsExactly("order-7");
    assertThat(listed(page.after("order-7"))).isEmpty();
    assertThat(listed(page.after("nobody"))).isEmpty();
  }

  @Test
  default void runs_are_listed_by_workflow() {
    startThree();
    var orders = ListQuery.all().of("Checkout");

    assertThat(listed(orders)).containsExactly("order-9", "order-7");
    assertThat(listed(orders.after("order-9"))).containsExactly("order-7");
  }

  @Test
  default void runs_are_listed_by_status() {
    var node = startThree();
    node.start("order-10");
    node.store(close(key("order-7"), 2));
    node.store(close(key("order-9"), 2));
    node.change(key("parcel-8"), new RunChange.Block("R101 …"));

    assertThat(listed(ListQuery.all().with(Status.RUNNING))).containsExactly("order-10");
    assertThat(listed(ListQuery.all().with(Status.BLOCKED))).containsExactly("parcel-8");
    assertThat(listed(ListQuery.all().with(Status.COMPLETED)))
        .containsExactly("order-9", "order-7");
    assertThat(listed(ListQuery.all().with(Status.COMPLETED).after("order-9")))
        .containsExactly("order-7");
    assertThat(listed(ListQuery.all().with(Status.BLOCKED).of("Checkout"))).isEmpty();
    assertThat(listed(ListQuery.all().with(Status.FAILED))).isEmpty();
  }

  @Test
  default void a_listed_run_is_the_same_as_a_found_one() {
    startThree();

    assertThat(store().list(ListQuery.all())).contains(store().find("order-7").orElseThrow());
  }

  private TestNode startThree() {
    var node = join();
    node.start("order-7");
    node.start(node.run("parcel-8", "Shipping", NOON));
    node.start("order-9");
    return node;
  }

  private long key(String workflowId) {
    return store().find(workflowId).orElseThrow().key();
  }

  private List<String> listed(ListQuery query) {
    return store().list(query).stream().map(RunRow::workflowId).toList();
  }
}

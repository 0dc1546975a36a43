package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.goOn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Status;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.Grouping;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** In which order and in which pieces runs are listed, and how they are counted. */
public interface ListContract extends StoreUnderTest {

  @Test
  default void runs_are_listed_newest_first() {
    startThree();

    assertThat(listed(Filter.ALL, 10)).containsExactly("order-9", "parcel-8", "order-7");
    assertThat(listed(Filter.ALL, 2)).containsExactly("order-9", "parcel-8");
  }

  @Test
  default void runs_are_listed_by_workflow() {
    startThree();

    assertThat(listed(Filter.ofWorkflow("Checkout"), 10)).containsExactly("order-9", "order-7");
    assertThat(listed(Filter.ofWorkflow("Nobody"), 10)).isEmpty();
  }

  @Test
  default void runs_are_listed_by_status() {
    var node = startThree();
    node.start("order-10");
    node.store(close(key("order-7"), 2));
    node.store(close(key("order-9"), 2));
    node.change(key("parcel-8"), new RunChange.Block("R101 …"));

    assertThat(listed(Filter.withStatus(Status.RUNNING), 10)).containsExactly("order-10");
    assertThat(listed(Filter.withStatus(Status.BLOCKED), 10)).containsExactly("parcel-8");
    assertThat(listed(Filter.withStatus(Status.COMPLETED), 10))
        .containsExactly("order-9", "order-7");
    assertThat(listed(Filter.withStatus(Status.FAILED), 10)).isEmpty();
  }

  @Test
  default void a_listed_run_is_the_same_as_a_found_one() {
    startThree();

    assertThat(store().list(Filter.ALL, Long.MAX_VALUE, 10))
        .contains(store().find("order-7").orElseThrow());
  }

  /** A defect of sched: its list ignored where the caller was. */
  @Test
  default void a_list_goes_on_where_the_page_before_ended() {
    startThree();

    assertThat(page(Long.MAX_VALUE)).containsExactly("order-9");
    assertThat(page(key("order-9"))).containsExactly("parcel-8");
    assertThat(page(key("parcel-8"))).containsExactly("order-7");
    assertThat(page(key("order-7"))).isEmpty();
  }

  @Test
  default void pages_have_each_run_once_while_others_are_started() {
    var node = join();
    for (int i = 0; i < 20; i++) node.start("order-" + i);
    var seen = new ArrayList<String>();
    long before = Long.MAX_VALUE;

    for (int i = 0; i < 7; i++) {
      var rows = store().list(Filter.ofWorkflow("Checkout"), before, 3);
      rows.forEach(row -> seen.add(row.workflowId()));
      before = rows.getLast().key();
      node.start("late-" + i);
      node.store(close(rows.getFirst().key(), 2));
    }

    assertThat(seen).hasSize(20).doesNotHaveDuplicates().allMatch(id -> id.startsWith("order-"));
  }

  /** So a page cannot end at a workflow id: it ends at a run. */
  @Test
  default void all_runs_of_a_workflow_id_are_listed_page_after_page() {
    var node = join();
    long first = node.start("order-7");
    var second = node.run("order-7");
    var third = node.run("order-7");
    node.start("order-8");
    node.store(goOn(first, 2, second));
    node.store(goOn(second.key(), 2, third));
    var filter = Filter.parse("workflowId = 'order-7'", NOON);

    assertThat(store().list(filter, Long.MAX_VALUE, 2))
        .extracting(RunRow::key)
        .containsExactly(third.key(), second.key());
    assertThat(store().list(filter, second.key(), 2))
        .extracting(RunRow::key)
        .containsExactly(first);
    assertThat(store().count(filter)).isEqualTo(3);
    assertThat(store().count(Filter.parse("workflowId = 'order-9'", NOON))).isZero();
  }

  @Test
  default void runs_are_counted_by_status_and_by_workflow() {
    var node = startThree();
    node.store(close(key("order-7"), 2));
    node.change(key("order-9"), new RunChange.Compensate(NOON));

    assertThat(store().count(Filter.ALL)).isEqualTo(3);
    assertThat(store().count(Filter.ofWorkflow("Checkout"))).isEqualTo(2);
    assertThat(store().count(Filter.ofWorkflow("Nobody"))).isZero();
    assertThat(store().countBy(Filter.ALL, Grouping.STATUS))
        .isEqualTo(Map.of("COMPLETED", 1L, "RUNNING", 1L, "COMPENSATING", 1L));
    assertThat(store().countBy(Filter.ALL, Grouping.WORKFLOW))
        .isEqualTo(Map.of("Checkout", 2L, "Shipping", 1L));
    assertThat(store().countBy(Filter.ofWorkflow("Nobody"), Grouping.STATUS)).isEmpty();
  }

  /** A defect of sched: it counted the first 10,000 rows and took that for all. */
  @Test
  default void counts_are_exact_above_ten_thousand() {
    var node = join();
    int all = 10_500;
    long key = store().reserveKeys(all);
    var batch = new ArrayList<Transition>();
    for (int i = 0; i < all; i++) {
      batch.add(new Start(run(node, key + i), event(1)));
      if (batch.size() < 1_500) continue;
      node.store(batch.toArray(Transition[]::new));
      batch.clear();
    }

    assertThat(store().count(Filter.ALL)).isEqualTo(all);
    assertThat(store().countBy(Filter.ALL, Grouping.STATUS)).isEqualTo(Map.of("RUNNING", 10_500L));
  }

  private static RunRow run(TestNode node, long key) {
    return new RunRow(
        key,
        new UUID(7, key),
        "order-" + key,
        "Checkout",
        Status.RUNNING,
        node.id(),
        NOON,
        NOON,
        null,
        null,
        0);
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

  private List<String> page(long before) {
    return store().list(Filter.ALL, before, 1).stream().map(RunRow::workflowId).toList();
  }

  private List<String> listed(Filter filter, int limit) {
    return store().list(filter, Long.MAX_VALUE, limit).stream().map(RunRow::workflowId).toList();
  }
}

package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.goOn;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ListQuery;
import dev.reprise.Status;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How runs that were closed long ago are deleted. */
public interface RetentionContract extends StoreUnderTest {

  @Test
  default void runs_that_were_closed_before_are_deleted_with_all_they_had() {
    var node = join();
    long old = closed(node, "order-7", NOON);
    long young = closed(node, "order-8", NOON.plusSeconds(1));
    long open = node.start("order-9");

    assertThat(store().deleteClosed(NOON.plusSeconds(1), 10)).isEqualTo(1);

    assertThat(store().find("order-7")).isEmpty();
    assertThat(store().runs(List.of(old, young, open)))
        .extracting(RunRow::key)
        .containsExactlyInAnyOrder(young, open);
    assertThat(node.history(old)).isEmpty();
    assertThat(store().lastEvent(old)).isEmpty();
    assertThat(node.history(young)).hasSize(2);
    assertThat(store().inconsistencies(10)).isEmpty();
  }

  @Test
  default void the_oldest_go_first_and_no_more_than_asked_for() {
    var node = join();
    closed(node, "order-1", NOON.plusSeconds(3));
    closed(node, "order-2", NOON.plusSeconds(1));
    closed(node, "order-3", NOON.plusSeconds(2));

    assertThat(store().deleteClosed(NOON.plusSeconds(60), 2)).isEqualTo(2);
    assertThat(ids()).containsExactly("order-1");
    assertThat(store().deleteClosed(NOON.plusSeconds(60), 2)).isEqualTo(1);
    assertThat(store().deleteClosed(NOON.plusSeconds(60), 2)).isZero();
  }

  @Test
  default void nothing_that_is_open_is_deleted() {
    var node = join();
    node.start("order-1");
    node.change(node.start("order-2"), new RunChange.Block("R101 …"));
    node.change(node.start("order-3"), new RunChange.Release(null));
    node.change(node.start("order-4"), new RunChange.Compensate(NOON));

    assertThat(store().deleteClosed(Instant.parse("2100-01-01T00:00:00Z"), 10)).isZero();
    assertThat(ids()).hasSize(4);
  }

  @Test
  default void a_workflow_id_whose_run_is_deleted_may_be_used_again() {
    var node = join();
    long old = closed(node, "order-7", NOON);
    var again = node.run("order-7");
    assertThat(node.commit(new Start(again, event(1)))).containsExactly(Outcome.EXISTS);

    store().deleteClosed(NOON.plusSeconds(1), 10);
    node.store(new Start(again, event(1)));

    assertThat(found("order-7")).isEqualTo(again);
    assertThat(again.key()).isGreaterThan(old);
    assertThat(node.history(again.key())).hasSize(1);
    node.store(signal(again.key(), "1"));
  }

  @Test
  default void runs_before_the_latest_go_and_the_workflow_stays() {
    var node = join();
    long first = node.start("order-7");
    var next = node.run("order-7");
    node.store(signal(first, "1"), goOn(first, 2, next));

    assertThat(store().deleteClosed(NOON.plusSeconds(61), 10)).isEqualTo(1);

    assertThat(found("order-7")).isEqualTo(next);
    assertThat(store().runsOf("order-7")).containsExactly(next);
    assertThat(values(next.key())).containsExactly("1");
    assertThat(node.history(first)).isEmpty();
    node.store(append(next.key(), 2, 2));
    assertThat(store().inconsistencies(10)).isEmpty();
  }

  @Test
  default void keys_of_deleted_runs_are_not_given_out_again() {
    var node = join();
    long old = closed(node, "order-7", NOON);
    store().deleteClosed(NOON.plusSeconds(1), 10);

    var heir = join();

    assertThat(heir.run("order-8").key()).isGreaterThan(old);
  }

  @Test
  default void a_deleted_run_takes_nothing() {
    var node = join();
    long old = closed(node, "order-7", NOON);
    store().deleteClosed(NOON.plusSeconds(1), 10);

    assertThat(node.commit(signal(old, "1"), append(old, 3, 3), close(old, 3)))
        .containsOnly(Outcome.NOT_OPEN);
  }

  private static long closed(TestNode node, String workflowId, Instant at) {
    long run = node.start(workflowId);
    node.store(append(run, 2, 2, new RunChange.Close(Status.COMPLETED, at)));
    return run;
  }

  private List<String> ids() {
    return listed(ListQuery.all()).stream().map(RunRow::workflowId).toList();
  }
}

package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.engine.store.NodeRow;
import dev.reprise.engine.store.NodeView;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition.Start;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who may write: the node that joined last, one batch after the other. */
public interface NodeContract extends StoreUnderTest {

  @Test
  default void a_node_that_never_joined_commits_nothing() {
    join();
    var stranger = new Batch(UUID.randomUUID(), 1, List.of());

    assertThatThrownBy(() -> store().commit(stranger)).isInstanceOf(Fenced.class);
  }

  @Test
  default void a_node_that_was_superseded_commits_nothing() {
    var old = join();
    long run = old.start("order-7");
    join();

    assertThatThrownBy(() -> old.commit(append(run, 2, 2))).isInstanceOf(Fenced.class);
    assertThat(old.history(run)).hasSize(1);
  }

  @Test
  default void a_node_that_has_left_commits_nothing() {
    var node = join();
    long run = node.start("order-7");
    store().leave(node.id());

    assertThatThrownBy(() -> node.commit(append(run, 2, 2))).isInstanceOf(Fenced.class);
    assertThat(node.history(run)).hasSize(1);
  }

  @Test
  default void a_superseded_node_that_leaves_does_not_disturb_its_successor() {
    var old = join();
    var node = join();
    store().leave(old.id());

    node.start("order-7");

    assertThat(store().find("order-7")).isPresent();
  }

  @Test
  default void batches_that_do_not_renew_the_lease_are_stored_among_others() {
    var node = join();
    long first = node.start("order-7");
    long second = node.start("order-8");

    assertThat(node.commitBriefly(append(first, 2, 2))).containsExactly(Outcome.STORED);
    assertThat(node.commitBriefly(append(first, 3, 3), append(second, 2, 2)))
        .containsExactly(Outcome.STORED, Outcome.STORED);
    node.store(append(first, 4, 4));
    assertThat(node.commitBriefly(append(first, 5, 5))).containsExactly(Outcome.STORED);
    assertThat(node.commitBriefly(close(first, 6))).containsExactly(Outcome.STORED);
    assertThat(node.commitBriefly(append(first, 7, 7), append(second, 3, 3)))
        .containsExactly(Outcome.NOT_OPEN, Outcome.STORED);

    assertThat(node.history(first)).hasSize(6);
    assertThat(node.history(second)).hasSize(3);
  }

  @Test
  default void a_node_that_was_superseded_records_nothing_more() {
    var old = join();
    long run = old.start("order-7");
    old.commitBriefly(append(run, 2, 2));
    join();

    assertThatThrownBy(() -> old.commitBriefly(append(run, 3, 3))).isInstanceOf(Fenced.class);
    assertThatThrownBy(() -> old.commitBriefly(append(run, 3, 3), append(run, 4, 4)))
        .isInstanceOf(Fenced.class);
    assertThat(old.history(run)).hasSize(2);
  }

  @Test
  default void a_sequence_of_a_batch_that_does_not_renew_the_lease_is_used_once() {
    var node = join();
    long run = node.start("order-7");
    var batch = node.briefBatch(append(run, 2, 2));
    node.commitBriefly(append(run, 2, 2));
    var again = new Batch(node.id(), batch.sequence(), List.of(append(run, 3, 3)), false);

    assertThatThrownBy(() -> store().commit(again)).isInstanceOf(Fenced.class);
    assertThat(node.history(run)).hasSize(2);
  }

  @Test
  default void a_sequence_is_used_once() {
    var node = join();
    var run = node.run("order-7");
    var batch = node.batch();
    node.commit();

    assertThatThrownBy(
            () ->
                store()
                    .commit(
                        new Batch(node.id(), batch.sequence(), List.of(new Start(run, event(1))))))
        .isInstanceOf(Fenced.class);
    assertThat(store().find("order-7")).isEmpty();
  }

  @Test
  default void a_sequence_is_not_skipped() {
    var node = join();

    assertThatThrownBy(() -> store().commit(new Batch(node.id(), 2, List.of())))
        .isInstanceOf(Fenced.class);
  }

  @Test
  default void a_node_that_was_superseded_claims_nothing() {
    var old = join();
    join();

    assertThatThrownBy(() -> old.claim(NOON)).isInstanceOf(Fenced.class);
  }

  @Test
  default void nobody_gets_a_reserved_key_again() {
    var old = join();
    long first = store().reserveKeys(10);
    long run = old.start("order-7");
    join();

    assertThat(run).isGreaterThanOrEqualTo(first + 10);
    assertThat(store().reserveKeys(1)).isGreaterThan(run);
  }

  @Test
  default void it_is_known_which_workflows_a_node_can_run() {
    var node = UUID.randomUUID();

    store().join(new Joining(node, "host/1", false, TestNode.LEASE, List.of("A", "B\"'")));

    assertThat(store().nodes())
        .filteredOn(row -> row.node().equals(node))
        .singleElement()
        .satisfies(row -> assertThat(row.workflows()).containsExactly("A", "B\"'"))
        .satisfies(row -> assertThat(row.isEngine()).isTrue());
  }

  @Test
  default void a_node_that_has_left_is_shown_no_longer() {
    var node = join();
    node.start("order-7");

    store().leave(node.id());

    assertThat(NodeView.of(store())).isEmpty();
    assertThat(store().nodes()).filteredOn(NodeRow::isEngine).isEmpty();
  }
}

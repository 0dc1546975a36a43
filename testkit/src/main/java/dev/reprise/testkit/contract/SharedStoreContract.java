package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.NodeDescription;
import dev.reprise.engine.store.NodeRow;
import dev.reprise.engine.store.NodeView;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a store must do, beside the rest, that many nodes have at the same time. */
public interface SharedStoreContract extends StoreContract, RateContract.OfManyEngines {

  private NodeRow row(TestNode node) {
    return store().nodes().stream()
        .filter(row -> row.node().equals(node.id()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  default void nodes_write_beside_each_other() {
    var one = join();
    var two = joinOthers();

    long first = one.start("order-7");
    long second = two.start("order-8");
    one.store(append(first, 2, 2));
    two.store(append(second, 2, 2));

    assertThat(one.history(first)).hasSize(2);
    assertThat(one.history(second)).hasSize(2);
    assertThat(store().nodes()).hasSize(2).allMatch(NodeRow::isPresent);
  }

  @Test
  default void a_workflow_id_is_taken_for_all_nodes() {
    var one = join();
    var two = joinOthers();
    one.start("order-7");

    var outcomes = two.commit(new Start(two.run("order-7"), event(1)));

    assertThat(outcomes).containsExactly(Outcome.EXISTS);
    assertThat(store().find("order-7").map(RunRow::owner)).contains(one.id());
  }

  @Test
  default void only_the_owner_writes_to_a_run() {
    var one = join();
    var two = joinOthers();
    long run = one.start("order-7");

    assertThat(two.commit(append(run, 2, 2))).containsExactly(Outcome.NOT_OPEN);
    assertThat(two.commit(append(run, 2, 2, new RunChange.WakeAt(null))))
        .containsExactly(Outcome.NOT_OPEN);
    assertThat(two.commit(append(run, 2, 2, new RunChange.Release(null))))
        .containsExactly(Outcome.NOT_OPEN);
    assertThat(two.commit(append(run, 2, 2, new RunChange.Block("R101 …"))))
        .containsExactly(Outcome.NOT_OPEN);
    assertThat(two.commit(close(run, 2))).containsExactly(Outcome.NOT_OPEN);
    assertThat(one.history(run)).hasSize(1);
    one.store(close(run, 2));
  }

  @Test
  default void any_node_accepts_inputs_and_the_owner_takes_them_in() {
    var one = join();
    var two = joinOthers();
    long run = one.start("order-7");

    two.store(signal(run, "1"));

    assertThat(one.commit(close(run, 2))).containsExactly(Outcome.INPUTS_WAITING);
    var input = store().inputs(run).getFirst().id();
    one.store(Rows.consume(run, 2, List.of(input), Rows.completed()));
    assertThat(two.commit(signal(run, "2"))).containsExactly(Outcome.NOT_OPEN);
  }

  @Test
  default void runs_of_a_live_node_are_not_claimed() {
    var one = join();
    var two = joinOthers();
    long run = one.start("order-7");
    two.store(signal(run, "1"));

    assertThat(two.claim(NOON)).isEmpty();
    assertThat(store().nextWake(two.id(), List.of("Checkout"))).isEmpty();
  }

  /** An engine that joins again lets its former node leave, whatever has become of that. */
  @Test
  default void a_node_that_was_fenced_may_leave_and_its_runs_stay_with_the_next_owner() {
    var one = join();
    var two = joinOthers();
    long run = one.start("order-7");
    assertThat(store().fence(row(one))).isTrue();
    assertThat(two.claim(NOON)).containsExactly("order-7");

    store().leave(one.id());

    two.store(append(run, 2, 2));
    assertThat(store().find("order-7").map(RunRow::owner)).contains(two.id());
  }

  @Test
  default void released_runs_are_claimed_by_one_of_the_others() {
    var one = join();
    var two = joinOthers();
    var three = joinOthers();
    one.change(one.start("order-7"), new RunChange.Release(NOON));

    assertThat(two.claim(NOON)).containsExactly("order-7");
    assertThat(three.claim(NOON)).isEmpty();
  }

  @Test
  default void a_run_without_an_owner_is_started_for_whoever_serves_it() {
    var client = join();
    var node = joinOthers();
    var run = client.run("order-7");
    var unowned =
        new RunRow(
            run.key(),
            run.runId(),
            run.workflowId(),
            run.workflow(),
            run.status(),
            null,
            NOON,
            NOON,
            null,
            null,
            0);

    client.store(new Start(unowned, event(1)));

    assertThat(node.claim(NOON, 1, "Checkout")).extracting(RunRow::crashes).containsExactly(0);
    node.store(append(run.key(), 2, 2));
  }

  @Test
  default void a_fenced_node_commits_and_claims_nothing_and_its_runs_are_free() {
    var one = join();
    var two = joinOthers();
    long run = one.start("order-7");

    assertThat(store().fence(row(one))).isTrue();

    assertThatThrownBy(() -> one.commit(append(run, 2, 2))).isInstanceOf(Fenced.class);
    assertThatThrownBy(() -> one.claim(NOON)).isInstanceOf(Fenced.class);
    assertThat(two.claim(NOON)).containsExactly("order-7");
    two.store(append(run, 2, 2));
  }

  @Test
  default void a_node_that_has_shown_itself_since_is_not_fenced() {
    var one = join();
    var seen = row(one);
    one.commit();

    assertThat(store().fence(seen)).isFalse();
    one.start("order-7");
  }

  @Test
  default void a_node_is_fenced_once() {
    var one = join();
    var seen = row(one);

    assertThat(store().fence(seen)).isTrue();
    assertThat(store().fence(seen)).isFalse();
  }

  @Test
  default void each_batch_renews_the_lease() {
    var one = join();
    var before = row(one);

    one.commit();

    assertThat(row(one).leaseUntil()).isAfterOrEqualTo(before.leaseUntil());
    assertThat(row(one).sequence()).isEqualTo(before.sequence() + 1);
    assertThat(row(one).isLeaseOver()).isFalse();
  }

  @Test
  default void it_is_known_what_each_node_owns() {
    var one = join();
    var two = joinOthers();
    one.start("order-7");
    one.start("order-8");
    two.start("order-9");
    two.store(close(two.start("order-10"), 2));

    assertThat(store().ownedRuns()).containsEntry(one.id(), 2L).containsEntry(two.id(), 1L);
  }

  @Test
  default void the_codes_of_nodes_are_known_until_they_retire_or_leave() {
    var one = UUID.randomUUID();
    var two = UUID.randomUUID();
    store().join(new Joining(one, "host/1", false, TestNode.LEASE, Set.of("Order a", "Parcel")));
    store().join(new Joining(two, "host/2", false, TestNode.LEASE, Set.of("Order b", "Parcel")));
    joinOthers();
    assertThat(store().codes()).containsExactlyInAnyOrder("Order a", "Order b", "Parcel");

    store().retire(one);
    assertThat(store().codes()).containsExactlyInAnyOrder("Order b", "Parcel");
    assertThat(store().nodes()).hasSize(3).noneMatch(NodeRow::isFenced);

    store().leave(two);
    assertThat(store().codes()).isEmpty();
  }

  @Test
  default void a_client_is_known_as_one() {
    var client = UUID.randomUUID();
    store().join(new Joining(client, "laptop/7", true, TestNode.LEASE));

    assertThat(store().nodes())
        .filteredOn(NodeRow::isClient)
        .extracting(NodeRow::host)
        .containsExactly("laptop/7");
    assertThat(NodeView.of(store()))
        .filteredOn(NodeDescription::client)
        .singleElement()
        .satisfies(
            shown -> {
              assertThat(shown.state()).isEqualTo(NodeDescription.State.ALIVE);
              assertThat(shown.leaseUntil()).isEqualTo(Instant.MAX);
            });
  }

  @Test
  default void a_client_that_has_left_leaves_nothing_behind() {
    var client = UUID.randomUUID();
    store().join(new Joining(client, "laptop/7", true, TestNode.LEASE));

    store().leave(client);
    store().leave(client);

    assertThat(store().nodes()).isEmpty();
  }

  @Test
  default void a_node_that_others_fenced_is_shown_as_fenced_or_not_at_all() {
    var one = join();
    one.start("order-7");
    var two = joinOthers();

    assertThat(store().fence(row(one))).isTrue();
    store().leave(one.id());

    assertThat(NodeView.of(store()))
        .filteredOn(shown -> shown.id().equals(one.id()))
        .allSatisfy(shown -> assertThat(shown.state()).isEqualTo(NodeDescription.State.FENCED));
    assertThat(NodeView.of(store())).anyMatch(shown -> shown.id().equals(two.id()));
  }
}

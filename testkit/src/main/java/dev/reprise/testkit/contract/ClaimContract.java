package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Claim;
import dev.reprise.engine.store.Store.Trial;
import dev.reprise.engine.store.Suspicion;
import dev.reprise.engine.store.Transition.RunChange;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which runs a node takes over, and when it should look again. */
public interface ClaimContract extends StoreUnderTest {

  @Test
  default void runs_of_a_node_that_is_gone_are_taken_over() {
    long run = join().start("order-7");
    var heir = join();

    var claimed = heir.claim(NOON, 10, "Checkout");

    assertThat(claimed).extracting(RunRow::workflowId).containsExactly("order-7");
    assertThat(claimed).extracting(RunRow::owner).containsExactly(heir.id());
    assertThat(store().find("order-7")).contains(claimed.getFirst());
    heir.store(append(run, 2, 2));
  }

  @Test
  default void runs_of_a_node_that_has_left_are_taken_over() {
    var node = join();
    node.start("order-7");
    store().leave(node.id());

    assertThat(join().claim(NOON)).containsExactly("order-7");
  }

  @Test
  default void runs_of_all_earlier_nodes_are_taken_over() {
    join().start("order-7");
    join().start("order-8");
    join().start("order-9");

    assertThat(join().claim(NOON)).containsExactly("order-7", "order-8", "order-9");
  }

  @Test
  default void a_node_does_not_claim_what_it_has() {
    var node = join();
    node.start("order-7");

    assertThat(node.claim(NOON)).isEmpty();
  }

  @Test
  default void a_claimed_run_is_not_claimed_again() {
    join().start("order-7");
    var heir = join();

    assertThat(heir.claim(NOON)).containsExactly("order-7");
    assertThat(heir.claim(NOON)).isEmpty();
  }

  @Test
  default void runs_that_are_left_to_others_are_passed_by_however_long_they_are_due() {
    var node = join();
    long first = node.start("order-7");
    long second = node.start("order-8");
    node.start("order-9");
    node.store(signal(second, "now"));
    var heir = join();

    var workflows = List.of("Checkout");
    var left = Set.of(first, second);
    var claimed = store().claim(new Claim(heir.id(), workflows, NOON, Trial.NONE, 1, left));

    assertThat(claimed).extracting(RunRow::workflowId).containsExactly("order-9");
    assertThat(heir.claim(NOON)).containsExactly("order-7", "order-8");
  }

  @Test
  default void a_run_is_due_from_the_very_microsecond_on() {
    var node = join();
    node.start(node.run("order-7", "Checkout", NOON.plusSeconds(60)));
    var heir = join();

    assertThat(heir.claim(NOON.plusSeconds(60).minusNanos(1_000))).isEmpty();
    assertThat(heir.claim(NOON.plusSeconds(60))).containsExactly("order-7");
  }

  @Test
  default void a_node_claims_only_workflows_that_it_knows() {
    var node = join();
    node.start(node.run("order-7", "Checkout", NOON));
    node.start(node.run("parcel-1", "Ship \"it\"", NOON));
    var heir = join();

    assertThat(heir.claim(NOON, 10)).isEmpty();
    assertThat(heir.claim(NOON, 10, "Refund")).isEmpty();
    assertThat(heir.claim(NOON, 10, "Refund", "Ship \"it\""))
        .extracting(RunRow::workflowId)
        .containsExactly("parcel-1");
  }

  @Test
  default void the_longest_due_come_first_and_no_more_than_asked_for() {
    var node = join();
    node.start(node.run("order-7", "Checkout", NOON.minusSeconds(1)));
    node.start(node.run("order-8", "Checkout", NOON.minusSeconds(3)));
    var heir = join();
    heir.change(heir.start("order-9"), new RunChange.Release(NOON.minusSeconds(2)));

    assertThat(heir.claim(NOON, 2, "Checkout"))
        .extracting(RunRow::workflowId)
        .containsExactly("order-8", "order-9");
    assertThat(heir.claim(NOON, 2, "Checkout"))
        .extracting(RunRow::workflowId)
        .containsExactly("order-7");
  }

  @Test
  default void a_run_with_an_input_is_claimed_before_it_is_due() {
    var node = join();
    long sleeping = node.start(node.run("order-7", "Checkout", NOON.plusSeconds(3_600)));
    long waiting = node.start(node.run("order-8", "Checkout", null));
    node.start(node.run("order-9", "Checkout", NOON));
    node.start(node.run("order-10", "Checkout", null));
    var heir = join();
    heir.store(signal(waiting, "1"), signal(waiting, "2"), signal(sleeping, "1"));

    assertThat(heir.claim(NOON)).containsExactly("order-9", "order-7", "order-8");
    assertThat(heir.claim(NOON)).isEmpty();
  }

  @Test
  default void a_run_of_the_node_itself_is_not_claimed_for_its_inputs() {
    var node = join();
    node.store(signal(node.start("order-7"), "1"));

    assertThat(node.claim(NOON)).isEmpty();
  }

  @Test
  default void a_released_run_is_claimed_when_it_is_due() {
    var node = join();
    node.change(node.start("order-7"), new RunChange.Release(NOON));
    node.change(node.start("order-8"), new RunChange.Release(null));

    assertThat(node.claim(NOON)).containsExactly("order-7");
    assertThat(node.claim(NOON)).isEmpty();
  }

  @Test
  default void what_is_blocked_or_closed_is_not_claimed() {
    var node = join();
    node.store(close(node.start("order-7"), 2));
    long blocked = node.start("order-8");
    node.change(blocked, new RunChange.Block("R101 …"));
    node.store(signal(blocked, "1"));

    assertThat(join().claim(NOON)).isEmpty();
  }

  @Test
  default void an_unblocked_run_is_claimed() {
    var node = join();
    long run = node.start("order-7");
    node.change(run, new RunChange.Block("R101 …"));
    node.change(run, new RunChange.Unblock(NOON));

    assertThat(node.claim(NOON)).containsExactly("order-7");
  }

  @Test
  default void a_run_that_crashes_its_owners_becomes_a_suspect() {
    join().start("order-7");
    join().start("order-8");
    var heir = join();
    for (int crashes = 1; crashes < Claim.SUSPECT; crashes++) {
      assertThat(heir.claim(NOON)).containsExactlyInAnyOrder("order-7", "order-8");
      heir = join();
    }
    assertThat(heir.claim(NOON, 100, "Checkout"))
        .extracting(RunRow::crashes)
        .containsOnly(Claim.SUSPECT);

    heir = join();

    assertThat(heir.claim(NOON)).isEmpty();
    assertThat(heir.claimSuspects(NOON)).containsExactlyInAnyOrder("order-7", "order-8");
    assertThat(store().find("order-7").orElseThrow().crashes()).isEqualTo(Claim.SUSPECT + 1);
  }

  /** A run that has become a suspect, and a node that has claimed it so. */
  private TestNode suspecting(Trial trial) {
    join().start("order-7");
    for (int crashes = 1; crashes <= Claim.SUSPECT; crashes++) join().claim(NOON);
    var node = join();
    assertThat(node.claimSuspects(NOON, trial)).hasSize(1);
    return node;
  }

  private Suspicion suspicion() {
    return new Suspicion(store().find("order-7").orElseThrow().crashes());
  }

  @Test
  default void a_suspect_whose_owner_died_while_it_was_alone_is_proved_to_be_the_cause() {
    suspecting(Trial.ALONE);
    assertThat(suspicion().isProved()).isFalse();

    for (var trial : List.of(Trial.ALONE, Trial.IN_COMPANY)) {
      assertThat(join().claimSuspects(NOON, trial)).hasSize(1);
      assertThat(suspicion().isProved()).isTrue();
      assertThat(suspicion().deaths()).isEqualTo(5);
    }
  }

  @Test
  default void a_suspect_whose_owner_died_while_others_were_there_is_tried_again() {
    suspecting(Trial.IN_COMPANY);
    for (int deaths = 1; deaths <= 6; deaths++) {
      assertThat(suspicion().isProved()).isFalse();
      assertThat(suspicion().shared()).isEqualTo(deaths - 1);
      join().claimSuspects(NOON, Trial.IN_COMPANY);
    }
    join().claimSuspects(NOON, Trial.ALONE);
    assertThat(suspicion().isProved()).isFalse();

    join().claimSuspects(NOON, Trial.IN_COMPANY);
    assertThat(suspicion().isProved()).isTrue();
    assertThat(suspicion().deaths()).isEqualTo(4 + 7 + 1);
  }

  @Test
  default void how_a_suspect_is_tried_can_be_changed_again_and_again_by_its_owner_only() {
    var node = suspecting(Trial.ALONE);
    long run = store().find("order-7").orElseThrow().key();
    int alone = suspicion().crashes();

    for (int i = 0; i < 2; i++) store().tried(node.id(), run, Trial.IN_COMPANY);
    assertThat(suspicion().crashes()).isEqualTo(alone + 1);
    for (int i = 0; i < 2; i++) store().tried(node.id(), run, Trial.ALONE);
    assertThat(suspicion().crashes()).isEqualTo(alone);
    store().tried(node.id(), run, Trial.IN_COMPANY);

    var heir = join();
    heir.claimSuspects(NOON, Trial.ALONE);
    int tried = suspicion().crashes();
    var _ = catchThrowable(() -> store().tried(node.id(), run, Trial.IN_COMPANY)); // or nothing

    assertThat(suspicion().isProved()).isFalse();
    assertThat(suspicion().crashes()).isEqualTo(tried);
  }

  @Test
  default void a_run_that_records_something_is_no_suspect() {
    long run = join().start("order-7");
    for (int index = 2; index <= 2 + Claim.SUSPECT; index++) {
      var heir = join();
      assertThat(heir.claim(NOON, 1, "Checkout")).extracting(RunRow::crashes).containsExactly(1);
      heir.store(append(run, index, index));
    }
  }

  @Test
  default void a_run_that_was_released_has_crashed_nobody() {
    long run = join().start("order-7");
    var heir = join();
    heir.claim(NOON);
    heir.change(run, new RunChange.Release(NOON));

    assertThat(heir.claim(NOON, 1, "Checkout")).extracting(RunRow::crashes).containsExactly(0);
  }

  @Test
  default void there_is_no_next_wake_of_workflows_that_nobody_asks_for() {
    var old = join();
    old.start(old.run("order-7", "Checkout", NOON.plusSeconds(30)));
    var node = join();

    assertThat(store().nextWake(node.id(), List.of("Ship"))).isEmpty();
    assertThat(store().nextWake(node.id(), List.of())).isEmpty();
  }

  @Test
  default void the_next_wake_is_the_earliest_of_what_is_not_the_nodes_own() {
    var old = join();
    old.start(old.run("order-7", "Checkout", NOON.plusSeconds(30)));
    old.start(old.run("order-8", "Checkout", null));
    var node = join();
    node.start("order-9");

    assertThat(store().nextWake(node.id(), List.of("Checkout"))).contains(NOON.plusSeconds(30));

    node.change(node.start("order-10"), new RunChange.Release(NOON.plusSeconds(20)));
    assertThat(store().nextWake(node.id(), List.of("Checkout"))).contains(NOON.plusSeconds(20));
  }

  @Test
  default void there_is_no_next_wake_when_nothing_can_become_due() {
    var node = join();
    node.start("order-7");
    node.change(node.start("order-8"), new RunChange.Block("R101 …"));
    node.store(close(node.start("order-9"), 2));
    node.change(node.start("order-10"), new RunChange.Release(null));

    assertThat(store().nextWake(node.id(), List.of("Checkout"))).isEmpty();
  }

  @Test
  default void runs_that_nobody_has_are_known_by_their_workflows() {
    var node = join();
    node.start(node.run("order-7", "Checkout", NOON));
    node.start(node.run("order-8", "Checkout", NOON.minusSeconds(9)));
    node.start(node.run("ship-1", "Shipping", NOON.plusSeconds(60)));
    node.start(node.run("ship-2", "Shipping", null));
    long closed = node.start(node.run("bill-1", "Billing", NOON));
    node.store(close(closed, 2));
    assertThat(store().unclaimed(NOON.plusSeconds(1))).isEmpty();

    store().leave(node.id());

    assertThat(store().unclaimed(NOON.plusSeconds(1)))
        .isEqualTo(Map.of("Checkout", NOON.minusSeconds(9)));
    assertThat(store().unclaimed(NOON.minusSeconds(60))).isEmpty();
    assertThat(store().unclaimed(NOON.plusSeconds(61)))
        .isEqualTo(Map.of("Checkout", NOON.minusSeconds(9), "Shipping", NOON.plusSeconds(60)));
  }
}

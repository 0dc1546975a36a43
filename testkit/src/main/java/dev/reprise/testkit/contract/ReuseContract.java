package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.goOn;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ListQuery;
import dev.reprise.Status;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a workflow id is used again: for one new run, when the one before it is closed. */
public interface ReuseContract extends StoreUnderTest {

  private static Start again(RunRow next, long replaces) {
    return new Start(next, List.of(event(1)), List.of(), replaces);
  }

  private static Transition fail(long run, int index) {
    return append(run, index, index, new RunChange.Close(Status.FAILED, NOON.plusSeconds(60)));
  }

  @Test
  default void the_id_of_a_closed_run_is_used_again() {
    var node = join();
    long run = node.start("order-7");
    node.store(fail(run, 2));
    var next = node.run("order-7");

    node.store(again(next, run));
    node.store(append(next.key(), 2, 2), signal(next.key(), "1"));

    assertThat(found("order-7")).isEqualTo(next);
    assertThat(store().runs(List.of(run)).getFirst().status()).isEqualTo(Status.FAILED);
    assertThat(node.history(run)).extracting(EventRow::index).containsExactly(1, 2);
    assertThat(node.history(next.key())).extracting(EventRow::index).containsExactly(1, 2);
    assertThat(store().inputs(next.key())).hasSize(1);
    assertThat(store().inconsistencies(10)).isEmpty();
  }

  @Test
  default void all_runs_of_an_id_are_found_newest_first() {
    var node = join();
    long first = node.start("order-7");
    var second = node.run("order-7");
    var third = node.run("order-7");
    var fourth = node.run("order-7");
    node.store(fail(first, 2));
    node.store(again(second, first));
    node.store(goOn(second.key(), 2, third));
    node.store(fail(third.key(), 2));
    node.store(again(fourth, third.key()));

    assertThat(store().runsOf("order-7"))
        .extracting(RunRow::key)
        .containsExactly(fourth.key(), third.key(), second.key(), first);
    assertThat(listed(ListQuery.all().where("workflowId = 'order-7'"))).hasSize(4);
  }

  @Test
  default void an_open_run_is_not_replaced() {
    var node = join();
    long run = node.start("order-7");

    assertThat(node.commit(again(node.run("order-7"), run))).containsExactly(Outcome.EXISTS);

    node.store(append(run, 2, 2));
    assertThat(found("order-7").key()).isEqualTo(run);
    assertThat(store().runsOf("order-7")).hasSize(1);
  }

  @Test
  default void only_the_latest_run_is_replaced() {
    var node = join();
    long run = node.start("order-7");
    node.store(fail(run, 2));
    var next = node.run("order-7");
    node.store(again(next, run));
    node.store(fail(next.key(), 2));

    assertThat(node.commit(again(node.run("order-7"), run))).containsExactly(Outcome.EXISTS);
    assertThat(found("order-7").key()).isEqualTo(next.key());
  }

  @Test
  default void of_two_starts_that_replace_a_run_one_is_stored() {
    var node = join();
    long run = node.start("order-7");
    node.store(fail(run, 2));
    var one = node.run("order-7");
    var two = node.run("order-7");

    assertThat(node.commit(again(one, run), again(two, run)))
        .containsExactly(Outcome.STORED, Outcome.EXISTS);
    assertThat(node.commit(again(two, run))).containsExactly(Outcome.EXISTS);
    assertThat(found("order-7").key()).isEqualTo(one.key());
  }

  @Test
  default void a_start_in_vain_leaves_the_id_to_one_that_replaces_its_run() {
    var node = join();
    long run = node.start("order-7");
    node.store(fail(run, 2));
    var next = node.run("order-7");

    assertThat(node.commit(new Start(node.run("order-7"), event(1)), again(next, run)))
        .containsExactly(Outcome.EXISTS, Outcome.STORED);
    assertThat(found("order-7").key()).isEqualTo(next.key());
  }

  @Test
  default void a_run_is_replaced_in_a_batch_with_others() {
    var node = join();
    long seven = node.start("order-7");
    long eight = node.start("order-8");
    long other = node.start("other");
    node.store(fail(seven, 2), fail(eight, 2));
    var after = node.run("order-8");
    var before = node.run("order-7");

    node.store(
        again(after, eight),
        append(other, 2, 2),
        new Start(node.run("order-9"), event(1)),
        again(before, seven),
        close(other, 3));

    assertThat(found("order-7").key()).isEqualTo(before.key());
    assertThat(found("order-8").key()).isEqualTo(after.key());
    assertThat(store().inconsistencies(10)).isEmpty();
  }

  @Test
  default void a_run_that_was_deleted_meanwhile_needs_no_replacing() {
    var node = join();
    long run = node.start("order-7");
    node.store(fail(run, 2));
    assertThat(store().deleteClosed(NOON.plusSeconds(3600), 10)).isEqualTo(1);
    var next = node.run("order-7");

    node.store(again(next, run));

    assertThat(found("order-7")).isEqualTo(next);
  }

  @Test
  default void what_was_replaced_is_deleted_with_the_old_ones_and_the_id_stays_taken() {
    var node = join();
    long run = node.start("order-7");
    node.store(fail(run, 2));
    var next = node.run("order-7");
    node.store(again(next, run));

    assertThat(store().deleteClosed(NOON.plusSeconds(3600), 10)).isEqualTo(1);

    assertThat(store().runsOf("order-7")).containsExactly(next);
    assertThat(node.commit(new Start(node.run("order-7"), event(1))))
        .containsExactly(Outcome.EXISTS);
  }

  @Test
  default void a_batch_that_is_refused_replaces_nothing() {
    var node = join();
    long run = node.start("order-7");
    node.store(fail(run, 2));
    var next = node.run("order-7");

    assertThatThrownBy(() -> node.commit(again(next, run), append(next.key(), 1, 1)))
        .isInstanceOf(TransitionRefused.class);

    assertThat(found("order-7").key()).isEqualTo(run);
    assertThat(found("order-7").status()).isEqualTo(Status.FAILED);
    node.store(again(next, run));
  }
}

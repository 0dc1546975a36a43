package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.consume;
import static dev.reprise.testkit.contract.Rows.continued;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.goOn;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ListQuery;
import dev.reprise.Status;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How a workflow goes on with a new run: at once, and without losing an input. */
public interface ContinueContract extends StoreUnderTest {

  @Test
  default void a_workflow_goes_on_with_a_new_run() {
    var node = join();
    long run = node.start("order-7");
    var next = node.run("order-7", "Checkout", NOON.plusSeconds(5));

    node.store(
        append(
            run,
            2,
            2,
            new RunChange.Continue(next, List.of(event(1), event(2)), NOON.plusSeconds(60))));

    assertThat(found("order-7")).isEqualTo(next);
    var old = store().runs(List.of(run)).getFirst();
    assertThat(old.status()).isEqualTo(Status.CONTINUED);
    assertThat(old.closedAt()).isEqualTo(NOON.plusSeconds(60));
    assertThat(old.owner()).isNull();
    assertThat(old.wakeAt()).isNull();
    assertThat(node.history(run)).extracting(EventRow::index).containsExactly(1, 2);
    assertThat(node.history(next.key())).extracting(EventRow::index).containsExactly(1, 2);
    assertThat(store().ownedRuns()).containsEntry(node.id(), 1L);
    assertThat(store().inconsistencies(10)).isEmpty();
  }

  @Test
  default void the_new_run_is_the_owners_and_goes_on_and_on() {
    var node = join();
    long run = node.start("order-7");
    var second = node.run("order-7");
    var third = node.run("order-7");

    node.store(goOn(run, 2, second), append(second.key(), 2, 2), goOn(second.key(), 3, third));
    node.store(append(third.key(), 2, 2));
    node.store(close(third.key(), 3));

    assertThat(found("order-7").key()).isEqualTo(third.key());
    assertThat(found("order-7").status()).isEqualTo(Status.COMPLETED);
    assertThat(node.history(second.key())).hasSize(3);
  }

  @Test
  default void all_runs_of_a_workflow_are_found_newest_first() {
    var node = join();
    long run = node.start("order-7");
    var second = node.run("order-7");
    var third = node.run("order-7");
    node.start("order-8");
    node.store(goOn(run, 2, second));
    node.store(goOn(second.key(), 2, third));

    assertThat(store().runsOf("order-7"))
        .extracting(RunRow::key)
        .containsExactly(third.key(), second.key(), run);
    assertThat(store().runsOf("order-7").getFirst()).isEqualTo(found("order-7"));
    assertThat(store().runsOf("order-8")).hasSize(1);
    assertThat(store().runsOf("nobody")).isEmpty();
    assertThat(listed(ListQuery.all().with(Status.CONTINUED))).hasSize(2);
  }

  @Test
  default void a_workflow_id_that_goes_on_is_taken() {
    var node = join();
    long run = node.start("order-7");

    assertThat(
            node.commit(
                goOn(run, 2, node.run("order-7")), new Start(node.run("order-7"), event(1))))
        .containsExactly(Outcome.STORED, Outcome.EXISTS);
  }

  // ---- inputs ---------------------------------------------------------------------------------

  @Test
  default void inputs_that_wait_go_over_to_the_new_run() {
    var node = join();
    long run = node.start("order-7");
    long other = node.start("order-8");
    var next = node.run("order-7");
    node.store(signal(run, "1"), signal(run, "2", "m-2"), signal(other, "x"), signal(run, "3"));
    var before = store().inputs(run);

    node.store(consume(run, 2, List.of(before.getFirst().id()), continued(next)));

    assertThat(store().inputs(run)).isEmpty();
    assertThat(values(next.key())).containsExactly("2", "3");
    assertThat(values(other)).containsExactly("x");
    assertThat(store().inputs(next.key()))
        .extracting(InputRow::id)
        .containsExactly(before.get(1).id(), before.get(2).id());
    assertThat(store().runsWithInputs(node.id(), List.of("Checkout")))
        .containsExactlyInAnyOrder(next.key(), other);
    node.store(signal(next.key(), "2", "m-2"));
    assertThat(values(next.key())).containsExactly("2", "3");
  }

  @Test
  default void inputs_that_went_over_are_taken_in_by_the_new_run() {
    var node = join();
    long run = node.start("order-7");
    var next = node.run("order-7");
    node.store(signal(run, "1"), goOn(run, 2, next));
    var inputs = store().inputs(next.key()).stream().map(InputRow::id).toList();

    assertThat(node.commit(close(next.key(), 2))).containsExactly(Outcome.INPUTS_WAITING);
    node.store(consume(next.key(), 2, inputs, Rows.completed()));

    assertThat(found("order-7").status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  default void the_old_run_takes_nothing_any_more() {
    var node = join();
    long run = node.start("order-7");
    var next = node.run("order-7");

    var outcomes =
        node.commit(goOn(run, 2, next), signal(run, "late"), signal(next.key(), "right"));

    assertThat(outcomes).containsExactly(Outcome.STORED, Outcome.NOT_OPEN, Outcome.STORED);
    assertThat(node.commit(signal(run, "late"))).containsExactly(Outcome.NOT_OPEN);
    assertThat(node.commit(append(run, 3, 3))).containsExactly(Outcome.NOT_OPEN);
    assertThat(node.commit(close(run, 3))).containsExactly(Outcome.NOT_OPEN);
    assertThat(node.commit(goOn(run, 3, node.run("order-7")))).containsExactly(Outcome.NOT_OPEN);
    assertThat(values(next.key())).containsExactly("right");
    assertThat(found("order-7")).isEqualTo(next);
  }

  // ---- who may --------------------------------------------------------------------------------

  @Test
  default void only_a_run_that_goes_by_itself_goes_on_with_another() {
    var node = join();
    long held = node.start("order-7");
    node.change(held, new RunChange.Block("R101 …"));

    assertThat(node.commit(goOn(held, 2, node.run("order-7")))).containsExactly(Outcome.NOT_OPEN);
    assertThat(node.commit(goOn(-1, 2, node.run("order-8")))).containsExactly(Outcome.NOT_OPEN);
    assertThat(found("order-7").status()).isEqualTo(Status.BLOCKED);
    assertThat(store().find("order-8")).isEmpty();
  }

  @Test
  default void a_new_run_of_another_node_is_refused() {
    var node = join();
    long run = node.start("order-7");
    var strange = owned(node.run("order-7"), UUID.randomUUID());

    assertThatThrownBy(() -> node.commit(goOn(run, 2, strange)))
        .isInstanceOf(TransitionRefused.class);
    assertThat(found("order-7").key()).isEqualTo(run);
  }

  private static RunRow owned(RunRow run, UUID owner) {
    return new RunRow(
        run.key(),
        run.runId(),
        run.workflowId(),
        run.workflow(),
        run.status(),
        owner,
        run.wakeAt(),
        run.startedAt(),
        null,
        null,
        0);
  }

  @Test
  default void a_new_run_whose_key_is_in_use_is_refused_and_nothing_changes() {
    var node = join();
    long run = node.start("order-7");
    var other = node.run("order-8");
    node.start(other);
    node.store(signal(run, "1"));
    var clash =
        new RunRow(
            other.key(),
            UUID.randomUUID(),
            "order-7",
            "Checkout",
            Status.RUNNING,
            node.id(),
            NOON,
            NOON,
            null,
            null,
            0);

    assertThatThrownBy(() -> node.commit(append(run, 2, 2), goOn(run, 3, clash)))
        .isInstanceOf(TransitionRefused.class);

    assertThat(found("order-7").key()).isEqualTo(run);
    assertThat(found("order-7").status()).isEqualTo(Status.RUNNING);
    assertThat(values(run)).containsExactly("1");
    assertThat(node.history(run)).hasSize(1);
    node.store(append(run, 2, 2));
  }

  @Test
  default void an_input_that_does_not_wait_is_not_taken_in_with_going_on() {
    var node = join();
    long run = node.start("order-7");
    var next = node.run("order-7");

    assertThatThrownBy(() -> node.commit(consume(run, 2, List.of(77L), continued(next))))
        .isInstanceOf(TransitionRefused.class);
    assertThat(found("order-7").key()).isEqualTo(run);
  }

  @Test
  default void the_new_run_of_a_dead_owner_is_taken_over() {
    var dead = join();
    long run = dead.start("order-7");
    dead.store(goOn(run, 2, dead.run("order-7")));

    var heir = join();

    assertThat(heir.claim(NOON)).containsExactly("order-7");
    assertThat(found("order-7").owner()).isEqualTo(heir.id());
  }
}

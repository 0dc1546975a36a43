package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.bytes;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.completed;
import static dev.reprise.testkit.contract.Rows.consume;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Status;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.Transition.Accept;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How inputs wait for a run and become part of its history, each exactly once. */
public interface InputContract extends StoreUnderTest {

  @Test
  default void an_accepted_input_waits_as_it_came() {
    var node = join();
    long run = node.start("order-7");

    node.store(signal(run, "\"ops\""));

    var input = store().inputs(run).getFirst();
    assertThat(input.run()).isEqualTo(run);
    assertThat(input.kind()).isEqualTo(Kind.SIGNAL);
    assertThat(input.name()).isEqualTo("approval");
    assertThat(input.value()).isEqualTo(bytes("\"ops\""));
    assertThat(input.acceptedAt()).isEqualTo(NOON);
  }

  @Test
  default void inputs_wait_in_the_order_of_acceptance() {
    var node = join();
    long run = node.start("order-7");
    long other = node.start("order-8");

    node.store(signal(run, "1"), signal(other, "x"), signal(run, "2"));
    node.store(signal(run, "3"));

    assertThat(values(run)).containsExactly("1", "2", "3");
    assertThat(ids(run)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  default void a_message_waits_once() {
    var node = join();
    long run = node.start("order-7");
    long other = node.start("order-8");

    node.store(signal(run, "1", "m-1"), signal(run, "2", "m-2"), signal(other, "3", "m-1"));
    node.store(signal(run, "1", "m-1"), signal(run, "4", "m-4"), signal(run, "4", "m-4"));

    assertThat(values(run)).containsExactly("1", "2", "4");
    assertThat(values(other)).containsExactly("3");
    assertThat(store().inputs(run).getFirst().message()).isEqualTo("m-1");
  }

  @Test
  default void a_message_id_counts_among_inputs_of_one_kind_and_name() {
    var node = join();
    long run = node.start("order-7");
    var signal = new InputRow(0, run, Kind.SIGNAL, "approval", "m-1", bytes("1"), NOON);
    var other = new InputRow(0, run, Kind.SIGNAL, "refusal", "m-1", bytes("2"), NOON);
    var update = new InputRow(0, run, Kind.UPDATE, "approval", "m-1", bytes("3"), NOON);

    node.store(new Accept(signal), new Accept(other));
    node.store(new Accept(update), new Accept(update), new Accept(signal), new Accept(other));

    assertThat(values(run)).containsExactly("1", "2", "3");
  }

  @Test
  default void a_cancel_waits_among_the_signals() {
    var node = join();
    long run = node.start("order-7");

    node.store(
        signal(run, "1"),
        new Accept(new InputRow(0, run, Kind.CANCEL, "ops", "m-2", bytes("\"late\""), NOON)));

    assertThat(store().inputs(run))
        .extracting(InputRow::kind)
        .containsExactly(Kind.SIGNAL, Kind.CANCEL);
  }

  @Test
  default void a_node_finds_its_runs_with_inputs() {
    var node = join();
    long run = node.start("order-7");
    long other = node.start(node.run("parcel-1", "Ship", NOON));
    node.start("order-8");
    node.store(signal(run, "1"), signal(run, "2"), signal(other, "1"));

    assertThat(store().runsWithInputs(node.id(), List.of("Checkout"))).containsExactly(run);
    assertThat(store().runsWithInputs(node.id(), List.of("Checkout", "Ship")))
        .containsExactlyInAnyOrder(run, other);

    node.change(run, new RunChange.Release(null));
    assertThat(store().runsWithInputs(node.id(), List.of("Checkout"))).isEmpty();
  }

  private List<Long> ids(long run) {
    return store().inputs(run).stream().map(InputRow::id).toList();
  }

  @Test
  default void a_blocked_run_accepts_inputs() {
    var node = join();
    long run = node.start("order-7");
    node.change(run, new RunChange.Block("R101 …"));

    node.store(signal(run, "1"));

    assertThat(values(run)).containsExactly("1");
  }

  @Test
  default void a_run_that_is_closed_or_unknown_accepts_none() {
    var node = join();
    long run = node.start("order-7");

    var outcomes = node.commit(close(run, 2), signal(run, "1"), signal(9_999, "1"));

    assertThat(outcomes).containsExactly(Outcome.STORED, Outcome.NOT_OPEN, Outcome.NOT_OPEN);
    assertThat(store().inputs(run)).isEmpty();
  }

  @Test
  default void a_consumed_input_is_in_the_history_and_waits_no_more() {
    var node = join();
    long run = node.start("order-7");
    node.store(signal(run, "1"), signal(run, "2"));

    node.store(consume(run, 2, List.of(ids(run).getFirst()), new RunChange.None()));

    assertThat(values(run)).containsExactly("2");
    assertThat(node.history(run)).hasSize(2);
  }

  @Test
  default void an_input_is_consumed_once() {
    var node = join();
    long run = node.start("order-7");
    node.store(signal(run, "1"));
    var inputs = ids(run);
    node.store(consume(run, 2, inputs, new RunChange.None()));

    assertThatThrownBy(() -> node.commit(consume(run, 3, inputs, new RunChange.None())))
        .isInstanceOf(TransitionRefused.class);
    assertThat(node.history(run)).hasSize(2);
  }

  @Test
  default void an_input_is_consumed_by_its_own_run() {
    var node = join();
    long run = node.start("order-7");
    long other = node.start("order-8");
    node.store(signal(run, "1"));
    var inputs = ids(run);

    assertThatThrownBy(() -> node.commit(consume(other, 2, inputs, new RunChange.None())))
        .isInstanceOf(TransitionRefused.class);
    assertThat(values(run)).containsExactly("1");
  }

  @Test
  default void an_id_is_not_given_again_when_its_input_is_gone() {
    var node = join();
    long run = node.start("order-7");
    node.store(signal(run, "1"));
    var first = ids(run);
    node.store(consume(run, 2, first, new RunChange.None()));

    node.store(signal(run, "2"));

    assertThat(ids(run)).doesNotContainAnyElementsOf(first);
  }

  @Test
  default void a_run_does_not_close_over_a_waiting_input() {
    var node = join();
    long run = node.start("order-7");
    node.store(signal(run, "1"), signal(run, "2"));

    var outcomes = node.commit(consume(run, 2, List.of(ids(run).getFirst()), completed()));

    assertThat(outcomes).containsExactly(Outcome.INPUTS_WAITING);
    assertThat(store().find("order-7").orElseThrow().status()).isEqualTo(Status.RUNNING);
    assertThat(node.history(run)).hasSize(1);
    assertThat(values(run)).containsExactly("1", "2");
    node.store(append(run, 2, 2));
  }

  @Test
  default void of_runs_that_end_together_only_the_one_with_a_waiting_input_does_not_close() {
    var node = join();
    long run = node.start("order-7");
    long other = node.start("order-8");
    node.store(signal(run, "1"));

    var outcomes =
        node.commit(close(run, 2), new Start(node.run("order-9"), event(1)), close(other, 2));

    assertThat(outcomes).containsExactly(Outcome.INPUTS_WAITING, Outcome.STORED, Outcome.STORED);
    assertThat(store().find("order-7").orElseThrow().status()).isEqualTo(Status.RUNNING);
    assertThat(store().find("order-8").orElseThrow().status()).isEqualTo(Status.COMPLETED);
    assertThat(node.history(run)).hasSize(1);
    assertThat(node.history(other)).hasSize(2);
    node.store(signal(run, "2"), append(run, 2, 2)); // its door is open again
  }

  @Test
  default void a_run_does_not_close_over_an_input_ahead_of_it_in_the_batch() {
    var node = join();
    long run = node.start("order-7");

    var outcomes = node.commit(signal(run, "1"), close(run, 2));

    assertThat(outcomes).containsExactly(Outcome.STORED, Outcome.INPUTS_WAITING);
    assertThat(store().find("order-7").orElseThrow().status()).isEqualTo(Status.RUNNING);
  }

  @Test
  default void a_run_closes_with_the_inputs_it_takes_in() {
    var node = join();
    long run = node.start("order-7");
    node.store(signal(run, "1"), signal(run, "2"));

    node.store(consume(run, 2, ids(run), completed()));

    assertThat(store().find("order-7").orElseThrow().status()).isEqualTo(Status.COMPLETED);
    assertThat(store().inputs(run)).isEmpty();
  }

  @Test
  default void inputs_of_others_do_not_keep_a_run_from_closing() {
    var node = join();
    long run = node.start("order-7");
    long other = node.start("order-8");
    node.store(signal(other, "1"));

    node.store(close(run, 2));

    assertThat(values(other)).containsExactly("1");
  }
}

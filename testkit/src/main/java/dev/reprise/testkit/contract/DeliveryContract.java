package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.bytes;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.completed;
import static dev.reprise.testkit.contract.Rows.consume;
import static dev.reprise.testkit.contract.Rows.delivery;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.goOn;
import static dev.reprise.testkit.contract.Rows.sending;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Status;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.Delivery;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a run sends inputs to others: with what it records, and only with it. */
public interface DeliveryContract extends StoreUnderTest {

  // ---- with an append -------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  default void an_input_of_any_kind_waits_as_it_was_sent(Kind kind) {
    var node = join();
    long sender = node.start("order-7");
    long target = node.start("parcel-7");
    var sent = new Delivery("parcel-7", null, kind, "call:1", "m-1", bytes("\"x\""), NOON);

    node.store(sending(append(sender, 2, 2), sent));

    assertThat(store().inputs(sender)).isEmpty();
    assertThat(store().inputs(target)).hasSize(1);
    var input = store().inputs(target).getFirst();
    assertThat(input.run()).isEqualTo(target);
    assertThat(input.kind()).isEqualTo(kind);
    assertThat(input.name()).isEqualTo("call:1");
    assertThat(input.message()).isEqualTo("m-1");
    assertThat(input.value()).isEqualTo(bytes("\"x\""));
    assertThat(input.acceptedAt()).isEqualTo(NOON);
  }

  @Test
  default void inputs_are_sent_to_many_in_order() {
    var node = join();
    long sender = node.start("order-7");
    long one = node.start("parcel-1");
    long two = node.start("parcel-2");

    node.store(
        sending(
            append(sender, 2, 2),
            delivery("parcel-2", "1"),
            delivery("parcel-1", "2"),
            delivery("parcel-2", "3")),
        sending(append(sender, 3, 3), delivery("parcel-2", "4")));

    assertThat(values(one)).containsExactly("2");
    assertThat(values(two)).containsExactly("1", "3", "4");
    assertThat(store().runsWithInputs(node.id(), List.of("Checkout")))
        .containsExactlyInAnyOrder(one, two);
  }

  @Test
  default void what_is_sent_twice_waits_once() {
    var node = join();
    long sender = node.start("order-7");
    long target = node.start("parcel-7");
    var sent = delivery("parcel-7", null, "1", "m-1");

    node.store(sending(append(sender, 2, 2), sent, sent), signal(target, "2", "m-1"));
    node.store(sending(append(sender, 3, 3), sent));

    assertThat(store().inputs(target)).hasSize(1);
  }

  @Test
  default void an_input_may_be_for_one_run_only() {
    var node = join();
    long sender = node.start("order-7");
    var target = node.run("parcel-7");
    node.start(target);

    node.store(
        sending(
            append(sender, 2, 2),
            delivery("parcel-7", UUID.randomUUID(), "1", "m-1"),
            delivery("parcel-7", target.runId(), "2", "m-2")));

    assertThat(values(target.key())).containsExactly("2");
  }

  @Test
  default void what_is_sent_to_nobody_or_a_closed_workflow_is_dropped() {
    var node = join();
    long sender = node.start("order-7");
    long closed = node.start("parcel-7");
    node.store(close(closed, 2));

    node.store(sending(append(sender, 2, 2), delivery("parcel-7", "1"), delivery("nobody", "2")));

    assertThat(store().inputs(closed)).isEmpty();
    assertThat(node.history(sender)).hasSize(2);
  }

  @Test
  default void a_held_run_gets_what_is_sent() {
    var node = join();
    long sender = node.start("order-7");
    long held = node.start("parcel-7");
    node.change(held, new RunChange.Block("R101 …"));

    node.store(sending(append(sender, 2, 2), delivery("parcel-7", "1")));

    assertThat(values(held)).containsExactly("1");
  }

  @Test
  default void a_run_may_send_to_itself() {
    var node = join();
    long run = node.start("order-7");

    node.store(sending(append(run, 2, 2), delivery("order-7", "1")));

    assertThat(values(run)).containsExactly("1");
  }

  @Test
  default void a_run_that_starts_in_the_same_batch_gets_what_is_sent_after_it() {
    var node = join();
    long sender = node.start("order-7");
    var before = node.run("parcel-1");
    var after = node.run("parcel-2");

    node.store(
        new Start(before, event(1)),
        sending(append(sender, 2, 2), delivery("parcel-1", "1"), delivery("parcel-2", "2")),
        new Start(after, event(1)));

    assertThat(values(before.key())).containsExactly("1");
    assertThat(values(after.key())).isEmpty();
  }

  @Test
  default void an_append_that_is_not_stored_sends_nothing() {
    var node = join();
    long closed = node.start("order-7");
    long target = node.start("parcel-7");
    node.store(close(closed, 2));

    assertThat(node.commit(sending(append(closed, 3, 3), delivery("parcel-7", "1"))))
        .containsExactly(Outcome.NOT_OPEN);
    assertThat(store().inputs(target)).isEmpty();
  }

  @Test
  default void a_batch_that_is_refused_sends_nothing() {
    var node = join();
    long sender = node.start("order-7");
    long target = node.start("parcel-7");

    assertThatThrownBy(
            () ->
                node.commit(
                    sending(append(sender, 2, 2), delivery("parcel-7", "1")), append(target, 1, 1)))
        .isInstanceOf(TransitionRefused.class);
    assertThat(store().inputs(target)).isEmpty();
  }

  @Test
  default void what_is_sent_is_taken_in_like_any_other_input() {
    var node = join();
    long sender = node.start("order-7");
    long target = node.start("parcel-7");
    node.store(sending(append(sender, 2, 2), delivery("parcel-7", "1")));

    assertThat(node.commit(close(target, 2))).containsExactly(Outcome.INPUTS_WAITING);
    node.store(consume(target, 2, ids(target), completed()));

    assertThat(found("parcel-7").status()).isEqualTo(Status.COMPLETED);
  }

  private List<Long> ids(long run) {
    return store().inputs(run).stream().map(InputRow::id).toList();
  }

  // ---- with the end ---------------------------------------------------------------------------

  @Test
  default void a_run_that_ends_sends_with_its_end() {
    var node = join();
    long child = node.start("parcel-7");
    long parent = node.start("order-7");

    node.store(sending(close(child, 2), delivery("order-7", "1"), delivery("nobody", "2")));

    assertThat(found("parcel-7").status()).isEqualTo(Status.COMPLETED);
    assertThat(values(parent)).containsExactly("1");
  }

  @Test
  default void many_that_end_send_to_one() {
    var node = join();
    long parent = node.start("order-7");
    var ends = new Append[8];
    for (int i = 0; i < ends.length; i++) {
      ends[i] = sending(close(node.start("parcel-" + i), 2), delivery("order-7", "" + i));
    }

    node.store(ends);

    assertThat(values(parent)).containsExactly("0", "1", "2", "3", "4", "5", "6", "7");
  }

  @Test
  default void an_end_that_is_put_off_sends_nothing() {
    var node = join();
    long child = node.start("parcel-7");
    long parent = node.start("order-7");
    node.store(signal(child, "1"));

    assertThat(node.commit(sending(close(child, 2), delivery("order-7", "1"))))
        .containsExactly(Outcome.INPUTS_WAITING);
    assertThat(store().inputs(parent)).isEmpty();
    assertThat(node.history(child)).hasSize(1);

    node.store(sending(consume(child, 2, ids(child), completed()), delivery("order-7", "1")));
    assertThat(values(parent)).containsExactly("1");
  }

  @Test
  default void an_end_is_not_held_up_by_a_closed_target() {
    var node = join();
    long child = node.start("parcel-7");
    long parent = node.start("order-7");
    node.store(close(parent, 2));

    node.store(sending(close(child, 2), delivery("order-7", "1"), delivery("parcel-7", "2")));

    assertThat(found("parcel-7").status()).isEqualTo(Status.COMPLETED);
    assertThat(store().inputs(parent)).isEmpty();
    assertThat(store().inputs(child)).isEmpty();
  }

  @Test
  default void of_two_that_end_in_a_batch_and_send_to_each_other_the_first_ends() {
    var node = join();
    long child = node.start("parcel-7");
    long parent = node.start("order-7");

    var outcomes =
        node.commit(
            sending(close(child, 2), delivery("order-7", "done")),
            sending(close(parent, 2), delivery("parcel-7", "cancel")));

    assertThat(outcomes).containsExactly(Outcome.STORED, Outcome.INPUTS_WAITING);
    assertThat(values(parent)).containsExactly("done");
    assertThat(store().inputs(child)).isEmpty();
  }

  @Test
  default void what_is_sent_to_a_run_that_has_ended_earlier_in_the_batch_is_dropped() {
    var node = join();
    long parent = node.start("order-7");
    long child = node.start("parcel-7");
    long other = node.start("order-8");

    node.store(
        close(parent, 2),
        sending(close(child, 2), delivery("order-7", "1")),
        sending(append(other, 2, 2), delivery("order-7", "2"), delivery("parcel-7", "3")));

    assertThat(store().inputs(parent)).isEmpty();
    assertThat(store().inputs(child)).isEmpty();
  }

  @Test
  default void what_is_sent_to_a_run_keeps_it_from_ending_later_in_the_batch() {
    var node = join();
    long sender = node.start("order-7");
    long target = node.start("parcel-7");

    assertThat(
            node.commit(sending(append(sender, 2, 2), delivery("parcel-7", "1")), close(target, 2)))
        .containsExactly(Outcome.STORED, Outcome.INPUTS_WAITING);
    assertThat(values(target)).containsExactly("1");
  }

  @Test
  default void a_run_that_goes_on_as_another_sends_with_that() {
    var node = join();
    long run = node.start("order-7");
    long target = node.start("parcel-7");
    var next = node.run("order-7");

    node.store(
        sending(goOn(run, 2, next), delivery("parcel-7", "1"), delivery("order-7", "to myself")));

    assertThat(values(target)).containsExactly("1");
    assertThat(values(next.key())).containsExactly("to myself");
  }

  @Test
  default void a_run_that_has_gone_on_gets_what_is_sent_to_its_workflow() {
    var node = join();
    var first = node.run("order-7");
    node.start(first);
    long sender = node.start("parcel-7");
    var next = node.run("order-7");

    node.store(
        goOn(first.key(), 2, next),
        sending(
            append(sender, 2, 2),
            delivery("order-7", "1"),
            delivery("order-7", first.runId(), "2", "m-2"),
            delivery("order-7", next.runId(), "3", "m-3")));

    assertThat(values(next.key())).containsExactly("1", "3");
    assertThat(store().inputs(first.key())).isEmpty();
  }
}

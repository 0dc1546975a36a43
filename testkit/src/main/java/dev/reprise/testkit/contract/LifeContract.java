package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.bytes;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.describing;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ListQuery;
import dev.reprise.Status;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a run can be beside running and closed, what it begins with, and what it can be found by.
 */
public interface LifeContract extends StoreUnderTest {

  // ---- how it begins --------------------------------------------------------------------------

  @Test
  default void a_run_may_begin_with_several_events() {
    var node = join();
    var fork = node.run("order-7");
    var other = node.run("order-8");

    node.store(new Start(fork, List.of(event(1), event(2), event(3))), new Start(other, event(1)));

    assertThat(node.history(fork.key())).extracting(EventRow::index).containsExactly(1, 2, 3);
    assertThat(node.history(other.key())).extracting(EventRow::index).containsExactly(1);
  }

  @Test
  default void a_lone_run_may_begin_with_several_events() {
    var node = join();
    var fork = node.run("order-7");

    node.store(new Start(fork, List.of(event(1), event(2))));

    assertThat(node.history(fork.key())).extracting(EventRow::index).containsExactly(1, 2);
  }

  @Test
  default void a_start_that_is_too_late_leaves_no_events() {
    var node = join();
    node.start("order-7");
    var late = node.run("order-7");

    assertThat(node.commit(new Start(late, List.of(event(1), event(2)))))
        .containsExactly(Outcome.EXISTS);
    assertThat(node.history(late.key())).isEmpty();
  }

  @Test
  default void a_run_has_its_parent_and_its_attributes() {
    var node = join();
    var child = with(node.run("parcel-7"), "order-7", "{\"city\":\"Bonn\"}");
    var plain = node.run("order-7");

    node.store(new Start(child, event(1)));
    node.store(new Start(plain, event(1)));

    assertThat(found("parcel-7")).isEqualTo(child);
    assertThat(found("order-7")).isEqualTo(plain);
    assertThat(store().runs(List.of(child.key()))).containsExactly(child);
    assertThat(listed(ListQuery.all())).containsExactly(plain, child);
  }

  @Test
  default void a_run_that_is_taken_over_has_its_parent_and_its_attributes() {
    var node = join();
    var child = with(node.run("parcel-7"), "order-7", "{\"city\":\"Bonn\"}");
    node.store(new Start(child, event(1)));
    node.change(child.key(), new RunChange.Release(NOON));

    var claimed = node.claim(NOON, 10, "Checkout");

    assertThat(claimed).extracting(RunRow::parent).containsExactly("order-7");
    assertThat(claimed).extracting(RunRow::attributes).containsExactly("{\"city\":\"Bonn\"}");
  }

  private static RunRow with(RunRow run, String parent, String attributes) {
    return new RunRow(
        run.key(),
        run.runId(),
        run.workflowId(),
        run.workflow(),
        run.status(),
        run.owner(),
        run.wakeAt(),
        run.startedAt(),
        run.closedAt(),
        run.blockedBy(),
        run.crashes(),
        parent,
        attributes);
  }

  // ---- attributes -----------------------------------------------------------------------------

  @Test
  default void attributes_change_with_an_append_and_stay_without() {
    var node = join();
    long run = node.start("order-7");
    long other = node.start("order-8");

    node.store(describing(append(run, 2, 2), "{\"city\":\"Bonn\"}"), append(other, 2, 2));
    node.store(append(run, 3, 3));

    assertThat(found("order-7").attributes()).isEqualTo("{\"city\":\"Bonn\"}");
    assertThat(found("order-8").attributes()).isNull();
  }

  @Test
  default void the_last_attributes_of_a_batch_count() {
    var node = join();
    long run = node.start("order-7");

    node.store(
        describing(append(run, 2, 2), "{\"n\":1}"),
        append(run, 3, 3),
        describing(append(run, 4, 4, new RunChange.WakeAt(NOON)), "{\"n\":2}"));

    assertThat(found("order-7").attributes()).isEqualTo("{\"n\":2}");
  }

  @Test
  default void attributes_change_with_the_end_if_it_is_the_end() {
    var node = join();
    long ends = node.start("order-7");
    long waits = node.start("order-8");
    node.store(describing(append(waits, 2, 2), "{\"n\":1}"), signal(waits, "1"));

    var outcomes =
        node.commit(
            describing(close(ends, 2), "{\"n\":2}"), describing(close(waits, 3), "{\"n\":2}"));

    assertThat(outcomes).containsExactly(Outcome.STORED, Outcome.INPUTS_WAITING);
    assertThat(found("order-7").attributes()).isEqualTo("{\"n\":2}");
    assertThat(found("order-8").attributes()).isEqualTo("{\"n\":1}");
  }

  @Test
  default void attributes_of_a_held_run_do_not_change() {
    var node = join();
    long run = node.start("order-7");
    node.change(run, new RunChange.Block("R101 …"));

    assertThat(node.commit(describing(append(run, 2, 2), "{\"n\":1}")))
        .containsExactly(Outcome.NOT_OPEN);
    assertThat(found("order-7").attributes()).isNull();
  }

  // ---- undone ---------------------------------------------------------------------------------

  @Test
  default void a_run_is_undone_by_its_owner() {
    var node = join();
    long run = node.start("order-7");

    node.store(append(run, 2, 2, new RunChange.Compensate(NOON.plusSeconds(1))));
    node.store(append(run, 3, 3), append(run, 4, 4, new RunChange.WakeAt(NOON.plusSeconds(2))));

    var row = found("order-7");
    assertThat(row.status()).isEqualTo(Status.COMPENSATING);
    assertThat(row.owner()).isEqualTo(node.id());
    assertThat(row.wakeAt()).isEqualTo(NOON.plusSeconds(2));
    assertThat(node.history(run)).hasSize(4);
  }

  @Test
  default void what_could_not_be_undone_is_held_until_somebody_resumes_it() {
    var node = join();
    long run = node.start("order-7");
    node.store(append(run, 2, 2, new RunChange.Compensate(NOON)));

    node.store(append(run, 3, 3, new RunChange.Block("refund failed")));
    var held = found("order-7");
    node.store(append(run, 4, 4, new RunChange.Unblock(NOON)));
    var resumed = found("order-7");

    assertThat(held.status()).isEqualTo(Status.COMPENSATION_FAILED);
    assertThat(held.blockedBy()).isEqualTo("refund failed");
    assertThat(held.owner()).isNull();
    assertThat(held.wakeAt()).isNull();
    assertThat(resumed.status()).isEqualTo(Status.COMPENSATING);
    assertThat(resumed.blockedBy()).isNull();
    assertThat(node.claim(NOON)).containsExactly("order-7");
    assertThat(found("order-7").status()).isEqualTo(Status.COMPENSATING);
  }

  @Test
  default void a_held_run_may_be_undone() {
    var node = join();
    long run = node.start("order-7");
    node.change(run, new RunChange.Block("R101 …"));

    node.store(append(run, 2, 2, new RunChange.Compensate(NOON)));

    var row = found("order-7");
    assertThat(row.status()).isEqualTo(Status.COMPENSATING);
    assertThat(row.owner()).isNull();
    assertThat(row.wakeAt()).isEqualTo(NOON);
    assertThat(row.blockedBy()).isNull();
    assertThat(node.claim(NOON)).containsExactly("order-7");
    node.store(append(run, 3, 3));
  }

  @Test
  default void an_undone_run_of_a_dead_owner_is_taken_over_and_counted() {
    var dead = join();
    long run = dead.start("order-7");
    dead.store(append(run, 2, 2, new RunChange.Compensate(NOON)));

    var heir = join();
    var claimed = heir.claim(NOON, 10, "Checkout");

    assertThat(claimed).extracting(RunRow::status).containsExactly(Status.COMPENSATING);
    assertThat(claimed).extracting(RunRow::crashes).containsExactly(1);
    assertThat(store().ownedRuns()).containsEntry(heir.id(), 1L);
  }

  @Test
  default void inputs_wait_for_an_undone_run() {
    var node = join();
    long run = node.start("order-7");
    node.store(append(run, 2, 2, new RunChange.Compensate(NOON)));

    node.store(signal(run, "1"));

    assertThat(store().runsWithInputs(node.id(), List.of("Checkout"))).containsExactly(run);
    assertThat(node.commit(close(run, 3))).containsExactly(Outcome.INPUTS_WAITING);
  }

  @ParameterizedTest
  @EnumSource(names = {"CANCELLED", "FAILED", "TIMED_OUT", "TERMINATED"})
  default void an_undone_run_closes_like_any_other(Status status) {
    var node = join();
    long run = node.start("order-7");
    node.store(append(run, 2, 2, new RunChange.Compensate(NOON)));

    node.store(append(run, 3, 3, new RunChange.Close(status, NOON)));

    assertThat(found("order-7").status()).isEqualTo(status);
    assertThat(node.commit(append(run, 4, 4, new RunChange.Compensate(NOON))))
        .containsExactly(Outcome.NOT_OPEN);
  }

  @Test
  default void runs_are_listed_by_what_they_are_in_the_end() {
    var node = join();
    node.start("order-1");
    node.change(node.start("order-2"), new RunChange.Block("R101 …"));
    long undone = node.start("order-3");
    long stuck = node.start("order-4");
    node.change(undone, new RunChange.Compensate(NOON));
    node.change(stuck, new RunChange.Compensate(NOON));
    node.change(stuck, new RunChange.Block("refund failed"));
    node.change(node.start("order-5"), new RunChange.Close(Status.TIMED_OUT, NOON));

    assertThat(listed(Status.RUNNING)).containsExactly("order-1");
    assertThat(listed(Status.BLOCKED)).containsExactly("order-2");
    assertThat(listed(Status.COMPENSATING)).containsExactly("order-3");
    assertThat(listed(Status.COMPENSATION_FAILED)).containsExactly("order-4");
    assertThat(listed(Status.TIMED_OUT)).containsExactly("order-5");
    assertThat(listed(Status.TERMINATED)).isEmpty();
  }

  private List<String> listed(Status status) {
    return listed(ListQuery.all().with(status)).stream().map(RunRow::workflowId).toList();
  }

  // ---- events by type -------------------------------------------------------------------------

  @Test
  default void events_of_one_type_are_found_in_order() {
    var node = join();
    long run = node.start("order-7");
    long other = node.start("order-8");
    int signal = EventType.SIGNAL_RECEIVED.code();
    var second = new EventRow(2, NOON, signal, null, bytes("{\"signal\":\"a\"}"), bytes("1"));
    var fourth = new EventRow(4, NOON, signal, null, bytes("{\"signal\":\"b\"}"), bytes("2"));
    node.store(events(run, second, event(3), fourth), events(other, second, event(3)));

    assertThat(store().eventsOfType(run, signal)).extracting(EventRow::index).containsExactly(2, 4);
    assertThat(store().eventsOfType(run, EventType.TIMER_FIRED.code())).isEmpty();
    assertThat(store().eventsOfType(-1, signal)).isEmpty();
  }

  private static Append events(long run, EventRow... events) {
    return new Append(run, List.of(events), List.of(), new RunChange.None());
  }
}

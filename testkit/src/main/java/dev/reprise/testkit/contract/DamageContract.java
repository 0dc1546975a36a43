package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.bytes;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.delivery;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.goOn;
import static dev.reprise.testkit.contract.Rows.sending;
import static dev.reprise.testkit.contract.Rows.signal;
import static dev.reprise.testkit.contract.TaskSpec.activity;
import static dev.reprise.testkit.contract.TaskSpec.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition.Start;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What was changed behind the back of the store is marked where it is read, and nothing else is.
 */
public interface DamageContract extends TasksUnderTest {

  /** Changes a bit of the value of a stored event. */
  void damageEvent(long run, int index);

  /** Changes a bit of the value of each input that waits for a run. */
  void damageInputs(long run);

  /** Changes a bit of the first event of a run that waits on a queue. */
  void damageStart(long run);

  private long waiting(TestNode node, String workflowId) {
    var row =
        new RunRow(
            store().reserveKeys(1),
            UUID.randomUUID(),
            workflowId,
            "Checkout",
            Status.QUEUED,
            null,
            null,
            NOON,
            null,
            null,
            0);
    int type = EventType.WORKFLOW_STARTED.code();
    var first = new EventRow(1, NOON, type, null, bytes("{\"workflow\":\"Checkout\"}"), bytes("7"));
    node.store(new Start(row, List.of(first), TasksUnderTest.tasks(run())));
    return row.key();
  }

  @Test
  default void a_damaged_event_is_marked_wherever_it_is_read() {
    var node = join();
    long run = node.start("order-7");
    node.store(append(run, 2, 3));

    damageEvent(run, 3);

    assertThat(store().history(run, 1, 10))
        .extracting(EventRow::damaged)
        .containsExactly(false, false, true);
    assertThat(Objects.requireNonNull(store().load(List.of(run), 10).get(run)).events())
        .extracting(EventRow::damaged)
        .containsExactly(false, false, true);
    assertThat(store().lastEvent(run).orElseThrow().damaged()).isTrue();
    assertThat(store().eventsOfType(run, event(3).type()))
        .extracting(EventRow::damaged)
        .containsExactly(false, false, true);
  }

  @Test
  default void a_damaged_event_is_refused_where_it_would_be_acted_on() {
    long run = join().start("order-7");

    damageEvent(run, 1);

    assertThatThrownBy(() -> store().lastEvent(run).orElseThrow().recorded())
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R145))
        .hasMessageContaining("event #1");
  }

  @Test
  default void the_damage_of_one_run_is_no_concern_of_another() {
    var node = join();
    long one = node.start("order-7");
    long two = node.start("order-8");

    damageEvent(one, 1);

    assertThat(store().history(two, 1, 10)).extracting(EventRow::damaged).containsExactly(false);
  }

  @Test
  default void a_damaged_input_is_marked_and_can_be_taken_out() {
    var node = join();
    long run = node.start("order-7");
    node.store(signal(run, "1"));

    damageInputs(run);

    var waiting = store().inputs(run);
    assertThat(waiting).extracting(InputRow::damaged).containsExactly(true);
    assertThat(store().inputs(List.of(run)).get(run)).extracting(InputRow::damaged).contains(true);
    var ids = waiting.stream().map(InputRow::id).toList();
    node.store(Rows.consume(run, 2, ids, Rows.completed()));
    assertThat(store().inputs(run)).isEmpty();
  }

  @Test
  default void a_damaged_event_is_handed_out_marked() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));

    damageEvent(run, 2);

    assertThat(takeOne().event().damaged()).isTrue();
  }

  @Test
  default void a_damaged_start_of_a_run_that_waits_is_marked() {
    var node = join();
    long run = waiting(node, "order-7");
    assertThat(tasks().startOf(run).orElseThrow().damaged()).isFalse();

    damageStart(run);

    assertThat(tasks().startOf(run).orElseThrow().damaged()).isTrue();
    assertThat(takeOne().event().damaged()).isTrue();
  }

  @Test
  default void what_a_store_wrote_in_any_way_is_not_marked() {
    var node = join();
    long one = node.start("order-1");
    long two = node.start("order-2");
    long three = node.start("order-3");
    node.store(append(one, 2, 2), append(two, 2, 4));
    node.store(sending(append(one, 3, 3), delivery("order-2", "1")), signal(two, "2"));
    var next = node.run("order-3");
    node.store(signal(three, "3"), goOn(three, 2, next));
    node.store(close(one, 4));
    var scheduled = scheduled(node, "order-4", activity(2));
    waiting(node, "order-5");

    assertThat(Stream.of(one, two, three, next.key(), scheduled))
        .allSatisfy(
            run ->
                assertThat(store().history(run, 1, 10)).isNotEmpty().noneMatch(EventRow::damaged));
    assertThat(Stream.of(two, next.key()))
        .allSatisfy(
            run -> assertThat(store().inputs(run)).isNotEmpty().noneMatch(InputRow::damaged));
    assertThat(take(10)).hasSize(2).noneMatch(handout -> handout.event().damaged());
  }
}

package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Status;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.TestNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same with batches that leave the row of their node as it was: their events tell. */
class PostgresUnknownEventsTest extends LostAnswers {
  @Test
  void events_of_a_lost_batch_that_left_the_node_as_it_was_are_recorded_once() {
    long first = node.start("order-7");
    long second = node.start("order-8");
    var one = lose(node.briefBatch(append(first, 2, 2)));
    assertThat(store.commit(one)).containsExactly(Outcome.STORED);

    var many = brief(one.sequence() + 1, append(first, 3, 3), append(second, 2, 2));
    assertThat(store.commit(lose(many))).containsExactly(Outcome.STORED, Outcome.STORED);

    var next = brief(many.sequence() + 1, append(first, 4, 4));
    assertThat(store.commit(next)).containsExactly(Outcome.STORED);
    assertThat(node.history(first)).hasSize(4);
    assertThat(node.history(second)).hasSize(2);
  }

  private Batch brief(long sequence, Transition... transitions) {
    return new Batch(node.id(), sequence, List.of(transitions), false);
  }

  @Test
  void a_connection_that_nobody_heard_of_again_is_ended_before_its_events_are_looked_for()
      throws Exception {
    long run = node.start("order-7");
    var batch = node.briefBatch(append(run, 2, 2));

    try (var blocker = database.connect()) {
      blocker.setAutoCommit(false);
      blocker.createStatement().execute("LOCK TABLE events IN EXCLUSIVE MODE");
      var first = thread.submit(() -> store.commit(batch));
      TestDatabase.await("batch waits", () -> database.isWaitingForLock("reprise-journal"));
      var cutOff = writers();
      proxy.cut(); // and the server goes on with what it has
      assertThatThrownBy(first::get).hasCauseInstanceOf(StoreUnavailable.class);
      var second = thread.submit(() -> store.commit(batch));
      TestDatabase.await("the first has ended", () -> !writers().containsAll(cutOff));
      TestDatabase.await("the second waits", () -> database.isWaitingForLock("reprise-journal"));
      blocker.rollback();

      assertThat(second.get()).containsExactly(Outcome.STORED);
    }
    assertThat(node.history(run)).hasSize(2);
    assertThat(store.commit(brief(batch.sequence() + 1, append(run, 3, 3))))
        .containsExactly(Outcome.STORED);
  }

  private List<String> writers() {
    return database.query(
        """
        SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'reprise-journal'
        """);
  }

  @Test
  void a_lost_start_and_a_lost_end_are_found_by_their_events() {
    var run = node.run("order-7");
    var start = lose(node.briefBatch(new Start(run, event(1))));
    assertThat(store.commit(start)).containsExactly(Outcome.STORED);

    var end = lose(brief(start.sequence() + 1, close(run.key(), 2)));
    assertThat(store.commit(end)).containsExactly(Outcome.STORED);

    assertThat(node.history(run.key())).hasSize(2);
    assertThat(store.find("order-7").orElseThrow().status()).isEqualTo(Status.COMPLETED);
    assertThat(store.inconsistencies(10)).isEmpty();
  }

  @Test
  void a_lost_batch_of_many_things_is_found_by_its_events() {
    long goesOn = node.start("order-7");
    long ends = node.start("order-8");
    long closed = node.start("order-9");
    node.store(close(closed, 2));
    var batch =
        node.briefBatch(
            new Start(node.run("order-10"), event(1)),
            append(closed, 3, 3),
            append(goesOn, 2, 2),
            close(ends, 2),
            signal(goesOn, "1"));

    assertThat(store.commit(lose(batch)))
        .containsExactly(
            Outcome.STORED, Outcome.NOT_OPEN, Outcome.STORED, Outcome.STORED, Outcome.STORED);

    assertThat(store.commit(brief(batch.sequence() + 1, append(goesOn, 3, 3))))
        .containsExactly(Outcome.STORED);
    assertThat(node.history(goesOn)).hasSize(3);
    assertThat(store.inputs(goesOn)).hasSize(1);
    assertThat(store.inconsistencies(10)).isEmpty();
  }

  @Test
  void a_start_that_was_cut_off_is_stored_the_second_time() throws Exception {
    var run = node.run("order-7");
    var batch = node.briefBatch(new Start(run, event(1)));

    cutOff(batch);

    assertThat(store.commit(batch)).containsExactly(Outcome.STORED);
    assertThat(store.find("order-7")).contains(run);
  }

  @Test
  void events_that_were_cut_off_are_recorded_the_second_time() throws Exception {
    long run = node.start("order-7");
    var batch = node.briefBatch(append(run, 2, 2));

    cutOff(batch);

    assertThat(store.commit(batch)).containsExactly(Outcome.STORED);
    assertThat(store.commit(brief(batch.sequence() + 1, append(run, 3, 3))))
        .containsExactly(Outcome.STORED);
    assertThat(node.history(run)).hasSize(3);
  }

  @Test
  void events_that_were_recorded_count_also_if_the_node_was_fenced_since() {
    long run = node.start("order-7");
    var lost = lose(node.briefBatch(append(run, 2, 2)));
    store.nodes().forEach(store::fence);

    assertThat(store.commit(lost)).containsExactly(Outcome.STORED);
    assertThatThrownBy(() -> store.commit(brief(lost.sequence() + 1, append(run, 3, 3))))
        .isInstanceOf(Fenced.class);
  }

  @Test
  void events_that_another_node_has_recorded_since_are_not_taken_for_those_of_this_one()
      throws Exception {
    long run = node.start("order-7");
    var batch = node.briefBatch(append(run, 2, 2));
    cutOff(batch);
    store.nodes().forEach(store::fence);
    try (var other = TestDatabase.open(database.url())) {
      var heir = TestNode.join(other);
      heir.claim(NOON);
      heir.store(new Append(run, List.of(later(event(2))), List.of(), new RunChange.None()));

      assertThatThrownBy(() -> store.commit(batch)).isInstanceOf(Fenced.class);
    }
    assertThat(node.history(run)).hasSize(2);
  }

  private static EventRow later(EventRow row) {
    var at = row.at().plusMillis(1);
    return new EventRow(row.index(), at, row.type(), row.site(), row.attributes(), row.value());
  }
}

package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.delivery;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.goOn;
import static dev.reprise.testkit.contract.Rows.sending;
import static dev.reprise.testkit.contract.Rows.signal;
import static dev.reprise.testkit.contract.TaskSpec.QUEUE;
import static dev.reprise.testkit.contract.TaskSpec.activity;
import static dev.reprise.testkit.contract.TasksUnderTest.scheduling;
import static dev.reprise.testkit.contract.TasksUnderTest.taking;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Status;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Claim;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Store.Trial;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.TaskSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The connection is lost while a batch is being committed, and nobody says what became of it. */
class PostgresUnknownCommitTest extends LostAnswers {
  @Test
  void a_batch_whose_answer_is_lost_is_committed_once() {
    long run = node.start("order-7");
    var lost = lose(node.batch(append(run, 2, 2)));

    assertThat(store.commit(lost)).containsExactly(Outcome.STORED);

    assertThat(node.history(run)).hasSize(2);
    var next = new Batch(node.id(), lost.sequence() + 1, List.of(append(run, 3, 3)));
    assertThat(store.commit(next)).containsExactly(Outcome.STORED);
  }

  @Test
  void its_outcomes_are_those_of_what_is_stored() {
    node.start("order-6");
    long closing = node.start("order-7");
    long called = node.start("order-8");
    long closed = node.start("order-9");
    node.store(signal(called, "1"), close(closed, 2));

    var lost =
        lose(
            node.batch(
                new Start(node.run("order-6"), event(1)),
                new Start(node.run("order-10"), event(1)),
                close(closing, 2),
                close(called, 2),
                signal(closed, "2"),
                signal(called, "3"),
                append(closed, 3, 3)));
    var outcomes = store.commit(lost);

    assertThat(outcomes)
        .containsExactly(
            Outcome.EXISTS,
            Outcome.STORED,
            Outcome.STORED,
            Outcome.INPUTS_WAITING,
            Outcome.NOT_OPEN,
            Outcome.STORED,
            Outcome.NOT_OPEN);
    assertThat(store.inputs(called)).hasSize(2);
  }

  @Test
  void a_lost_answer_tells_who_has_gone_on_and_what_was_sent() {
    long goes = node.start("order-7");
    long child = node.start("order-8");
    long parent = node.start("order-9");
    long busy = node.start("order-10");
    node.store(signal(goes, "1"), signal(busy, "1"));
    var next = node.run("order-7");

    var lost =
        lose(
            node.batch(
                goOn(goes, 2, next),
                sending(close(child, 2), delivery("order-9", "2")),
                sending(close(busy, 2), delivery("order-9", "3")),
                append(parent, 2, 2, new RunChange.Compensate(NOON))));
    var outcomes = store.commit(lost);

    assertThat(outcomes)
        .containsExactly(Outcome.STORED, Outcome.STORED, Outcome.INPUTS_WAITING, Outcome.STORED);
    assertThat(store.inputs(next.key())).hasSize(1);
    assertThat(store.inputs(parent)).hasSize(1);
    var after = new Batch(node.id(), lost.sequence() + 1, List.of(append(next.key(), 2, 2)));
    assertThat(store.commit(after)).containsExactly(Outcome.STORED);
  }

  private RunRow queued(String workflowId) {
    var run = node.run(workflowId);
    return new RunRow(
        run.key(),
        run.runId(),
        workflowId,
        run.workflow(),
        Status.QUEUED,
        null,
        null,
        run.startedAt(),
        null,
        null,
        0);
  }

  @Test
  void a_lost_answer_tells_who_has_begun_and_who_is_a_duplicate() {
    var waits = TaskSpec.run().unique("customer-3").task();
    var plain = TaskSpec.run().task();
    var first = queued("order-7");
    var other = queued("order-8");
    node.store(new Start(first, List.of(event(1)), List.of(waits)));
    node.store(new Start(other, List.of(event(1)), List.of(plain)));
    var next = queued("order-9");

    var lost =
        lose(
            node.batch(
                new Start(next, List.of(event(1)), List.of(plain)),
                new Start(queued("order-10"), List.of(event(1)), List.of(waits)),
                new Start(queued("order-8"), List.of(event(1)), List.of(waits)),
                append(first.key(), 1, 1, new RunChange.Begin(NOON)),
                append(-1, 1, 1, new RunChange.Begin(NOON))));
    var outcomes = store.commit(lost);

    assertThat(outcomes)
        .containsExactly(
            Outcome.STORED, Outcome.DUPLICATE, Outcome.EXISTS, Outcome.STORED, Outcome.NOT_OPEN);
    assertThat(store.find("order-10")).isEmpty();
    assertThat(store.tasks().ofRun(next.key())).hasSize(1);
    var end = new Batch(node.id(), lost.sequence() + 1, List.of(close(first.key(), 2)));
    assertThat(store.commit(end)).containsExactly(Outcome.STORED);
    assertThat(store.tasks().ofRun(first.key())).isEmpty();
    assertThat(store.inconsistencies(10)).isEmpty();
  }

  @Test
  void a_run_leaves_its_queue_also_after_a_lost_answer() {
    var run = queued("order-7");
    node.store(new Start(run, List.of(event(1)), List.of(TaskSpec.run().task())));
    node.store(append(run.key(), 1, 1, new RunChange.Begin(NOON)));
    var lost = lose(node.batch(append(run.key(), 2, 2)));
    assertThat(store.commit(lost)).containsExactly(Outcome.STORED);

    var end = new Batch(node.id(), lost.sequence() + 1, List.of(close(run.key(), 3)));
    assertThat(store.commit(end)).containsExactly(Outcome.STORED);

    assertThat(store.tasks().ofRun(run.key())).isEmpty();
  }

  @Test
  void what_was_taken_with_a_lost_answer_is_taken_once() {
    long run = node.start("order-7");
    node.store(scheduling(run, activity(2), activity(3)));
    var take = taking(QUEUE, 1, NOON);
    proxy.swallowAnswerTo("taken AS");
    assertThatThrownBy(() -> store.tasks().take(take)).isInstanceOf(StoreUnavailable.class);
    proxy.swallowAnswerTo(null);

    assertThat(store.tasks().take(take)).hasSize(1);

    assertThat(store.tasks().count(QUEUE).getFirst().leased()).isEqualTo(1);
  }

  @Test
  void steps_that_depend_on_each_other_are_committed_once() {
    var run = node.run("order-7");
    var lost = node.batch(new Start(run, event(1)), append(run.key(), 2, 2));

    lose(lost); // the answer to the first statement
    lose(lost, "COMMIT");

    assertThat(store.commit(lost)).containsExactly(Outcome.STORED, Outcome.STORED);
    assertThat(node.history(run.key())).hasSize(2);
  }

  @Test
  void a_batch_that_was_cut_off_is_committed_the_second_time() throws Exception {
    long run = node.start("order-7");
    var batch = node.batch(append(run, 2, 2));

    cutOff(batch);

    assertThat(store.commit(batch)).containsExactly(Outcome.STORED);
    assertThat(node.history(run)).hasSize(2);
  }

  @Test
  void a_lost_batch_does_not_come_back_as_another_one() {
    long run = node.start("order-7");
    var lost = lose(node.batch(append(run, 2, 2)));
    var other = new Batch(node.id(), lost.sequence(), List.of(append(run, 2, 3)));

    assertThatThrownBy(() -> store.commit(other)).isInstanceOf(Fenced.class);
    assertThat(node.history(run)).hasSize(2);
  }

  @Test
  void a_batch_that_was_stored_counts_also_if_the_node_was_fenced_since() {
    long run = node.start("order-7");
    var lost = lose(node.batch(append(run, 2, 2)));
    store.nodes().forEach(store::fence);

    assertThat(store.commit(lost)).containsExactly(Outcome.STORED);

    var next = new Batch(node.id(), lost.sequence() + 1, List.of(append(run, 3, 3)));
    assertThatThrownBy(() -> store.commit(next)).isInstanceOf(Fenced.class);
    assertThat(node.history(run)).hasSize(2);
  }

  @Test
  void claimed_runs_are_not_lost_with_the_answer() {
    long run = node.start("order-7");
    node.change(run, new RunChange.Release(NOON));
    var claim = new Claim(node.id(), List.of("Checkout"), NOON, Trial.NONE, 10);

    proxy.swallowAnswerAfter("UPDATE runs", 1); // which is to commit it
    assertThatThrownBy(() -> store.claim(claim)).isInstanceOf(StoreUnavailable.class);
    proxy.swallowAnswerTo(null);

    assertThat(database.query("SELECT count(*) FROM runs WHERE owner > 0")).containsExactly("1");
    assertThat(store.claim(claim)).extracting(RunRow::key).containsExactly(run);
    assertThat(store.claim(claim)).isEmpty();
    node.store(append(run, 2, 2));
  }

  @Test
  void a_node_shows_itself_again_when_its_connection_was_cut() {
    assertThat(store.isPresent()).isTrue();
    database.query(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'reprise-presence'
        """);

    TestDatabase.await("noticed", () -> isShown(1, "reprise-presence"));
    TestDatabase.await("present", () -> store.isPresent() && isPresent());
  }

  private boolean isPresent() {
    return store.nodes().getFirst().isPresent();
  }

  private boolean isShown(int count, String role) {
    var connections =
        """
        SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = '%s'
        """;
    return database.query(connections.formatted(role)).size() == count;
  }

  @Test
  void a_database_that_comes_back_is_used_again() {
    long run = node.start("order-7");
    proxy.swallowAnswerTo("");
    var batch = node.batch(append(run, 2, 2));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> store.commit(batch)).isInstanceOf(StoreUnavailable.class);
      assertThatThrownBy(() -> store.find("order-7")).isInstanceOf(StoreUnavailable.class);
    }
    TestDatabase.await("absent", () -> !store.isPresent());

    proxy.swallowAnswerTo(null);

    assertThat(store.commit(batch)).containsExactly(Outcome.STORED);
    assertThat(node.history(run)).hasSize(2);
    TestDatabase.await("present", store::isPresent);
  }
}

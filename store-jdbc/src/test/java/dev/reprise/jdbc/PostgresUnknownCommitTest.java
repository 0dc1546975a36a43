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
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Claim;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.TaskSpec;
import dev.reprise.testkit.contract.TestNode;
import dev.reprise.testpostgres.PostgresServer;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The connection is lost while a batch is being committed, and nobody says what became of it. */
class PostgresUnknownCommitTest {
  private final TestDatabase database = TestDatabase.create();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private SilentProxy proxy;
  private Store store;
  private TestNode node;

  @BeforeEach
  void open() throws Exception {
    var server = PostgresServer.shared();
    proxy = new SilentProxy(server.host(), server.port());
    var address = server.host() + ":" + server.port();
    store = TestDatabase.open(database.url().replace(address, "127.0.0.1:" + proxy.port()));
    node = TestNode.join(store);
  }

  @AfterEach
  void end() throws Exception {
    thread.shutdownNow();
    store.close();
    proxy.close();
  }

  /** Commits, and loses the answer. */
  private Batch lose(Batch batch) {
    return lose(batch, "");
  }

  private Batch lose(Batch batch, String answerTo) {
    proxy.swallowAnswerTo(answerTo);
    assertThatThrownBy(() -> store.commit(batch)).isInstanceOf(StoreUnavailable.class);
    proxy.swallowAnswerTo(null);
    return batch;
  }

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

  /** Ends its connection while the server is at work on it. */
  private void cutOff(Batch batch) throws Exception {
    try (var blocker = database.connect()) {
      blocker.setAutoCommit(false);
      blocker.createStatement().execute("LOCK TABLE events IN EXCLUSIVE MODE");
      var first = thread.submit(() -> store.commit(batch));
      TestDatabase.await("batch waits", () -> database.isWaitingForLock("reprise-journal"));
      database.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'reprise-journal'
          """);
      assertThatThrownBy(first::get).hasCauseInstanceOf(StoreUnavailable.class);
      blocker.rollback();
    }
  }

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
  void events_that_nobody_heard_of_again_and_that_come_through_late_are_recorded_once()
      throws Exception {
    long run = node.start("order-7");
    var batch = node.briefBatch(append(run, 2, 2));

    try (var blocker = database.connect()) {
      blocker.setAutoCommit(false);
      blocker.createStatement().execute("LOCK TABLE events IN EXCLUSIVE MODE");
      var first = thread.submit(() -> store.commit(batch));
      TestDatabase.await("batch waits", () -> database.isWaitingForLock("reprise-journal"));
      proxy.cut(); // and the server goes on with what it has
      assertThatThrownBy(first::get).hasCauseInstanceOf(StoreUnavailable.class);
      var second = thread.submit(() -> store.commit(batch));
      TestDatabase.await("both wait", () -> database.areWaitingForLock("reprise-journal") == 2);
      blocker.rollback();

      assertThat(second.get()).containsExactly(Outcome.STORED);
    }
    assertThat(node.history(run)).hasSize(2);
    assertThat(store.commit(brief(batch.sequence() + 1, append(run, 3, 3))))
        .containsExactly(Outcome.STORED);
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
    var claim = new Claim(node.id(), List.of("Checkout"), NOON, false, 10);

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

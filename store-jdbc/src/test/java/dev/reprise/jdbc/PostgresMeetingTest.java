package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.completed;
import static dev.reprise.testkit.contract.Rows.consume;
import static dev.reprise.testkit.contract.Rows.continued;
import static dev.reprise.testkit.contract.Rows.delivery;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.goOn;
import static dev.reprise.testkit.contract.Rows.sending;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Status;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.TestNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes whose runs send to each other at the moment in which they end, or go on as new runs. */
class PostgresMeetingTest {
  private static final int ROUNDS = 40;

  private final TestDatabase database = TestDatabase.create();
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final List<Store> stores = new ArrayList<>();

  private Store open() {
    stores.add(database.open());
    return stores.getLast();
  }

  @AfterEach
  void close_stores() {
    threads.shutdownNow();
    stores.forEach(Store::close);
  }

  // ---- one after the other, as it was found to go wrong
  // -------------------------------------------

  @Test
  void a_sender_that_waits_for_a_run_to_go_on_is_told_that_it_is_not_open() throws Exception {
    var sender = TestNode.join(open());
    long run = sender.start("order-7");
    long next = 1_000_000;

    try (var owner = goesOn(run, next)) {
      var sent = threads.submit(() -> sender.commit(signal(run, "1")));
      TestDatabase.await("sender waits", () -> database.isWaitingForLock("reprise-journal"));
      owner.commit();

      assertThat(sent.get()).containsExactly(Outcome.NOT_OPEN);
    }
    assertThat(database.query("SELECT run_key FROM inbox")).isEmpty();
    assertThat(sender.commit(signal(next, "1"))).containsExactly(Outcome.STORED);
  }

  @Test
  void what_a_run_sends_to_a_workflow_that_goes_on_meanwhile_is_for_the_new_run() throws Exception {
    var sender = TestNode.join(open());
    long run = sender.start("order-7");
    long other = sender.start("parcel-7");
    long next = 1_000_000;

    try (var owner = goesOn(run, next)) {
      var sent =
          threads.submit(
              () -> sender.commit(sending(append(other, 2, 2), delivery("order-7", "1"))));
      TestDatabase.await("sender waits", () -> database.isWaitingForLock("reprise-journal"));
      owner.commit();

      assertThat(sent.get()).containsExactly(Outcome.STORED);
    }
    assertThat(database.query("SELECT run_key || ' ' || workflow FROM inbox"))
        .containsExactly(next + " Later");
  }

  /** Another owner in the middle of it. */
  private Connection goesOn(long run, long next) throws SQLException {
    return inTransaction(
        """
        UPDATE workflows SET run_key = %2$d WHERE run_key = %1$d;
        UPDATE runs SET status = 'CONTINUED', closed_at = now() WHERE run_key = %1$d;
        INSERT INTO runs (run_key, run_id, workflow_id, workflow, status, owner, started_at)
        VALUES (%2$d, gen_random_uuid(), 'order-7', 'Later', 'RUNNING', 0, now());
        """
            .formatted(run, next));
  }

  private Connection inTransaction(String statements) throws SQLException {
    var connection = database.connect();
    connection.setAutoCommit(false);
    connection.createStatement().execute(statements);
    return connection;
  }

  @Test
  void what_a_run_sends_to_a_workflow_that_closes_meanwhile_is_dropped() throws Exception {
    var sender = TestNode.join(open());
    sender.start("order-7");
    long other = sender.start("parcel-7");

    try (var owner =
        inTransaction(
            """
            UPDATE workflows SET open = false WHERE workflow_id = 'order-7';
            UPDATE runs SET status = 'COMPLETED', closed_at = now() WHERE workflow_id = 'order-7';
            """)) {
      var sent =
          threads.submit(
              () -> sender.commit(sending(append(other, 2, 2), delivery("order-7", "1"))));
      TestDatabase.await("sender waits", () -> database.isWaitingForLock("reprise-journal"));
      owner.commit();

      assertThat(sent.get()).containsExactly(Outcome.STORED);
    }
    assertThat(database.query("SELECT run_key FROM inbox")).isEmpty();
    assertThat(sender.history(other)).hasSize(2);
  }

  @Test
  void a_run_that_ends_does_not_wait_for_a_target_that_somebody_closes() throws Exception {
    var node = TestNode.join(open());
    long parent = node.start("order-7");
    long child = node.start("parcel-7");
    long other = node.start("parcel-8");
    var end = sending(close(child, 2), delivery("order-7", "done"));

    try (var closing =
        inTransaction("UPDATE workflows SET open = open WHERE run_key = " + parent)) {
      assertThat(node.commit(end, close(other, 2)))
          .containsExactly(Outcome.INPUTS_WAITING, Outcome.STORED);
      closing.rollback();
    }
    node.store(end);
    assertThat(node.commit(close(parent, 2))).containsExactly(Outcome.INPUTS_WAITING);
  }

  @Test
  void two_that_end_may_send_to_one_target_at_the_same_moment() throws Exception {
    var node = TestNode.join(open());
    long parent = node.start("order-7");
    long child = node.start("parcel-7");

    try (var sender =
        inTransaction("SELECT 1 FROM workflows WHERE run_key = %d FOR SHARE".formatted(parent))) {
      node.store(sending(close(child, 2), delivery("order-7", "done")));
      sender.rollback();
    }
    assertThat(database.query("SELECT run_key FROM inbox")).containsExactly("" + parent);
  }

  @Test
  void a_run_of_which_somebody_is_at_the_door_does_not_go_on_this_time() throws Exception {
    var node = TestNode.join(open());
    long run = node.start("order-7");
    var next = node.run("order-7");

    try (var sender =
        inTransaction("SELECT 1 FROM workflows WHERE run_key = %d FOR SHARE".formatted(run))) {
      assertThat(node.commit(goOn(run, 2, next))).containsExactly(Outcome.INPUTS_WAITING);
      sender.rollback();
    }
    node.store(goOn(run, 2, next));
    assertThat(stores.getFirst().find("order-7")).contains(next);
  }

  @Test
  void two_who_delete_old_runs_delete_each_once() throws Exception {
    var node = TestNode.join(open());
    open();
    var starts = new ArrayList<Start>();
    for (int i = 0; i < 200; i++) starts.add(new Start(node.run("order-" + i), event(1)));
    node.store(starts.toArray(Start[]::new));
    node.store(starts.stream().map(s -> close(s.run().key(), 2)).toArray(Append[]::new));
    var begin = new CyclicBarrier(2);

    var deleted =
        both(() -> deleteAll(stores.getFirst(), begin), () -> deleteAll(stores.getLast(), begin));

    assertThat(deleted.stream().mapToInt(Integer::intValue).sum()).isEqualTo(200);
    assertThat(database.query("SELECT run_key FROM events")).isEmpty();
    assertThat(database.query("SELECT run_key FROM workflows")).isEmpty();
  }

  private int deleteAll(Store store, CyclicBarrier begin) throws Exception {
    int deleted = 0;
    begin.await();
    while (!database.query("SELECT 1 FROM runs LIMIT 1").isEmpty()) {
      deleted += store.deleteClosed(store.clock().instant(), 7);
    }
    return deleted;
  }

  private <T> List<T> both(Callable<T> one, Callable<T> other) throws Exception {
    var results = new ArrayList<T>();
    for (var done : threads.invokeAll(List.of(one, other))) results.add(done.get());
    return results;
  }

  // ---- many times
  // ---------------------------------------------------------------------------------

  @Test
  void parents_and_children_that_end_crosswise_end_all_and_report_once() throws Exception {
    var parents = new Party(TestNode.join(open()), stores.getFirst(), "parent-", "child-");
    var children = new Party(TestNode.join(open()), stores.getLast(), "child-", "parent-");
    parents.startAll();
    children.startAll();
    var begin = new CyclicBarrier(2);

    both(() -> parents.endAll(begin), () -> children.endAll(begin));

    for (int i = 0; i < ROUNDS; i++) {
      var parent = parents.row(i);
      var child = children.row(i);
      assertThat(parent.status()).isEqualTo(Status.COMPLETED);
      assertThat(child.status()).isEqualTo(Status.COMPLETED);
      // Who ends first reports to the other, and the other reports to nobody.
      assertThat(parents.taken(i) + children.taken(i)).isEqualTo(1);
    }
    assertThat(database.query("SELECT run_key FROM inbox")).isEmpty();
  }

  /** A node with runs that end and send to those of the other party, all in one batch. */
  private record Party(TestNode node, Store store, String own, String others) {

    private void startAll() {
      for (int i = 0; i < ROUNDS; i++) node.start(own + i);
    }

    private RunRow row(int i) {
      return store.find(own + i).orElseThrow();
    }

    /** How many inputs it took in: one event for each, beside the first and the last. */
    private int taken(int i) {
      return node.history(row(i).key()).size() - 2;
    }

    private boolean endAll(CyclicBarrier begin) throws Exception {
      begin.await();
      var left = new ArrayList<Integer>();
      for (int i = 0; i < ROUNDS; i++) left.add(i);
      while (!left.isEmpty()) {
        var ends = left.stream().map(this::end).toArray(Append[]::new);
        var outcomes = node.commit(ends);
        for (int i = left.size() - 1; i >= 0; i--) {
          if (outcomes.get(i) == Outcome.STORED) left.remove(i);
        }
      }
      return true;
    }

    /** With what waits now. */
    private Append end(int i) {
      long run = row(i).key();
      var inputs = store.inputs(run).stream().map(InputRow::id).toList();
      var events = new ArrayList<EventRow>();
      for (int index = 2; index <= inputs.size() + 2; index++) events.add(event(index));
      var end = new Append(run, events, inputs, completed());
      return sending(end, delivery(others + i, null, "" + i, own + i));
    }
  }

  @Test
  void senders_and_a_run_that_goes_on_and_on_lose_nothing() throws Exception {
    var owner = TestNode.join(open());
    var sender = TestNode.join(open());
    owner.start("order-7");
    var begin = new CyclicBarrier(2);

    Callable<Integer> sending = () -> sendAll(sender, begin);
    Callable<Integer> going = () -> goOnAndOn(owner, begin);
    int taken = both(sending, going).getLast();

    var store = stores.getFirst();
    long last = store.find("order-7").orElseThrow().key();
    assertThat(taken + store.inputs(last).size()).isEqualTo(ROUNDS);
    assertThat(database.query("SELECT DISTINCT run_key FROM inbox WHERE run_key <> " + last))
        .isEmpty();
    assertThat(store.inconsistencies(10)).isEmpty();
  }

  /** Each until it is accepted, by the run that is the latest then. */
  private int sendAll(TestNode sender, CyclicBarrier begin) throws Exception {
    begin.await();
    for (int i = 0; i < ROUNDS; i++) {
      Outcome outcome;
      do {
        long run = stores.getLast().find("order-7").orElseThrow().key();
        outcome = sender.commit(signal(run, "" + i, "m-" + i)).getFirst();
      } while (outcome != Outcome.STORED);
    }
    return ROUNDS;
  }

  /** Takes in what waits and goes on, again and again. */
  private int goOnAndOn(TestNode owner, CyclicBarrier begin) throws Exception {
    var store = stores.getFirst();
    int taken = 0;
    begin.await();
    for (int i = 0; i < ROUNDS; i++) {
      long run = store.find("order-7").orElseThrow().key();
      var inputs = store.inputs(run).stream().map(InputRow::id).toList();
      var some = inputs.subList(0, Math.min(1, inputs.size()));
      var change = continued(owner.run("order-7"));
      var outcome = owner.commit(consume(run, 2, some, change)).getFirst();
      if (outcome == Outcome.STORED) taken += some.size();
    }
    return taken;
  }
}

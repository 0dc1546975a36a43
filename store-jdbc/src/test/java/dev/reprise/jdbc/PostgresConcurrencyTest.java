package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.completed;
import static dev.reprise.testkit.contract.Rows.consume;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Status;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.NodeRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.TestNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several processes at the same time, each with its own connections. */
class PostgresConcurrencyTest {
  private static final RunChange FAILED = new RunChange.Close(Status.FAILED, NOON);

  private final TestDatabase database = TestDatabase.create();
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final List<Store> stores = new ArrayList<>();

  private Store open() {
    stores.add(database.open());
    return stores.getLast();
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    stores.forEach(Store::close);
  }

  @Test
  void each_workflow_id_is_taken_once_when_two_start_the_same_at_once() throws Exception {
    var one = TestNode.join(open());
    var two = TestNode.join(open());
    var begin = new CyclicBarrier(2);

    var first = threads.submit(() -> startAll(one, 1, begin));
    var second = threads.submit(() -> startAll(two, 2, begin));

    var outcomes = new ArrayList<>(first.get());
    outcomes.addAll(second.get());
    assertThat(outcomes).hasSize(400);
    assertThat(Collections.frequency(outcomes, Outcome.STORED)).isEqualTo(200);
    assertThat(Collections.frequency(outcomes, Outcome.EXISTS)).isEqualTo(200);
    assertThat(database.query("SELECT count(*) FROM runs")).containsExactly("200");
  }

  /** In an order of its own, and in batches, which is what could lock in a circle. */
  private static List<Outcome> startAll(TestNode node, long seed, CyclicBarrier begin)
      throws Exception {
    var ids = new ArrayList<>(IntStream.range(0, 200).mapToObj(i -> "order-" + i).toList());
    Collections.shuffle(ids, new Random(seed));
    var starts = new ArrayList<Transition>();
    for (var id : ids) starts.add(new Start(node.run(id), event(1)));
    var outcomes = new ArrayList<Outcome>();
    begin.await();
    for (int from = 0; from < 200; from += 20) {
      outcomes.addAll(node.commit(starts.subList(from, from + 20).toArray(Transition[]::new)));
    }
    return outcomes;
  }

  @Test
  void each_workflow_id_is_used_again_once_when_two_replace_the_same_run_at_once()
      throws Exception {
    var one = TestNode.join(open());
    var two = TestNode.join(open());
    var before = new HashMap<String, Long>();
    for (int i = 0; i < 200; i++) before.put("order-" + i, one.start("order-" + i));
    for (long run : before.values()) one.store(append(run, 2, 2, FAILED));
    var begin = new CyclicBarrier(2);

    var first = threads.submit(() -> replaceAll(one, before, 1, begin));
    var second = threads.submit(() -> replaceAll(two, before, 2, begin));

    var outcomes = new ArrayList<>(first.get());
    outcomes.addAll(second.get());
    assertThat(Collections.frequency(outcomes, Outcome.STORED)).isEqualTo(200);
    assertThat(Collections.frequency(outcomes, Outcome.EXISTS)).isEqualTo(200);
    assertThat(database.query("SELECT count(*) FROM runs WHERE closed_at IS NULL"))
        .containsExactly("200");
    assertThat(database.query("SELECT count(*) FROM workflows WHERE open")).containsExactly("200");
  }

  /** In an order of its own, and in batches with other starts. */
  private static List<Outcome> replaceAll(
      TestNode node, Map<String, Long> before, long seed, CyclicBarrier begin) throws Exception {
    var ids = new ArrayList<>(before.keySet());
    Collections.shuffle(ids, new Random(seed));
    var starts = new ArrayList<Transition>();
    for (var id : ids) {
      starts.add(new Start(node.run(id), List.of(event(1)), List.of(), before.get(id)));
    }
    var outcomes = new ArrayList<Outcome>();
    begin.await();
    for (int from = 0; from < 200; from += 20) {
      outcomes.addAll(node.commit(starts.subList(from, from + 20).toArray(Transition[]::new)));
    }
    return outcomes;
  }

  @Test
  void an_input_is_either_in_the_history_or_refused_when_its_run_closes() throws Exception {
    var owner = open();
    var node = TestNode.join(owner);
    var sender = TestNode.join(open());

    for (int i = 0; i < 500; i++) {
      long run = node.start("order-" + i);
      var begin = new CyclicBarrier(2);
      var sent = threads.submit(() -> send(sender, run, begin));
      int consumed = closeWhenAllIsTakenIn(owner, node, run, begin);

      assertThat(consumed).isEqualTo(sent.get() == Outcome.STORED ? 1 : 0);
      assertThat(owner.inputs(run)).isEmpty();
    }
    assertThat(database.query("SELECT count(*) FROM workflows WHERE open")).containsExactly("0");
  }

  private static Outcome send(TestNode sender, long run, CyclicBarrier begin) throws Exception {
    begin.await();
    return sender.commit(signal(run, "1")).getFirst();
  }

  /** How many inputs went into the history. */
  private static int closeWhenAllIsTakenIn(
      Store store, TestNode node, long run, CyclicBarrier begin) throws Exception {
    List<Long> inputs = List.of();
    begin.await();
    while (node.commit(consume(run, 2, inputs, completed())).getFirst() != Outcome.STORED) {
      inputs = store.inputs(run).stream().map(InputRow::id).toList();
    }
    return inputs.size();
  }

  @Test
  void claims_at_the_same_time_never_overlap() throws Exception {
    var before = TestNode.join(open());
    before.store(
        IntStream.range(0, 400)
            .mapToObj(i -> new Start(before.run("order-" + i), event(1)))
            .toArray(Transition[]::new));
    stores.getFirst().leave(before.id());
    var nodes = IntStream.range(0, 4).mapToObj(_ -> TestNode.join(open())).toList();
    var begin = new CyclicBarrier(4);

    var claims = new ArrayList<Future<List<String>>>();
    for (var node : nodes) claims.add(threads.submit(() -> claimAll(node, begin)));

    var claimed = new ArrayList<String>();
    for (var claim : claims) claimed.addAll(claim.get());
    assertThat(claimed).hasSize(400).doesNotHaveDuplicates();
    var owned = stores.getFirst().ownedRuns();
    assertThat(owned.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(400);
  }

  private List<String> claimAll(TestNode node, CyclicBarrier begin) throws Exception {
    var claimed = new ArrayList<String>();
    begin.await();
    while (isSomethingLeft(node)) {
      node.claim(NOON, 7, "Checkout").stream().map(RunRow::workflowId).forEach(claimed::add);
    }
    return claimed;
  }

  private boolean isSomethingLeft(TestNode node) {
    return stores.getFirst().nextWake(node.id(), List.of("Checkout")).isPresent();
  }

  @Test
  void a_fence_waits_for_a_batch_in_flight_and_then_lets_it_count() throws Exception {
    var node = TestNode.join(open());
    var other = open();
    long run = node.start("order-7");
    var seen = other.nodes().getFirst();

    try (var blocker = takeEvent(run, 2)) {
      var batch = threads.submit(() -> node.commit(append(run, 2, 2)));
      TestDatabase.await("batch waits", () -> database.isWaitingForLock("reprise-journal"));
      var fence = threads.submit(() -> other.fence(seen));
      TestDatabase.await("fence waits", () -> database.isWaitingForLock("reprise-reader"));
      blocker.rollback();

      assertThat(batch.get()).containsExactly(Outcome.STORED);
      assertThat(fence.get()).isFalse();
    }
  }

  /** A transaction that has written an event, which holds up whoever writes the same one. */
  private Connection takeEvent(long run, int index) throws SQLException {
    var connection = database.connect();
    connection.setAutoCommit(false);
    connection
        .createStatement()
        .execute(
            "INSERT INTO events (run_key, idx, type, at, attributes) VALUES (%d, %d, 2, now(), '')"
                .formatted(run, index));
    return connection;
  }

  @Test
  void a_frozen_batch_is_ended_so_that_its_node_can_be_fenced() throws Exception {
    var node = TestNode.join(open());
    var other = open();
    long run = node.start("order-7");

    try (var blocker = takeEvent(run, 2)) {
      var batch = threads.submit(() -> node.commit(append(run, 2, 2)));
      TestDatabase.await("batch waits", () -> database.isWaitingForLock("reprise-journal"));
      var seen = withLeaseOver(other.nodes().getFirst());

      assertThat(other.fence(seen)).isTrue();

      assertThatThrownBy(batch::get).hasCauseInstanceOf(StoreUnavailable.class);
      blocker.rollback();
    }
    assertThatThrownBy(() -> node.commit(append(run, 2, 2))).isInstanceOf(Fenced.class);
    assertThat(node.history(run)).hasSize(1);
  }

  static NodeRow withLeaseOver(NodeRow row) {
    return new NodeRow(
        row.node(),
        row.host(),
        row.isClient(),
        row.joinedAt(),
        row.lease(),
        row.leaseUntil(),
        true,
        row.isPresent(),
        row.isFenced(),
        row.sequence());
  }

  @Test
  void a_slow_sender_does_not_hold_up_the_owner() throws Exception {
    var node = TestNode.join(open());
    long run = node.start("order-7");
    long other = node.start("order-8");

    try (var sender = database.connect()) {
      sender.setAutoCommit(false);
      sender
          .createStatement()
          .execute("SELECT 1 FROM workflows WHERE workflow_id = 'order-7' FOR SHARE");

      assertThat(node.commit(consume(run, 2, List.of(), completed()), append(other, 2, 2)))
          .containsExactly(Outcome.INPUTS_WAITING, Outcome.STORED);
      sender.rollback();
    }
    node.store(consume(run, 2, List.of(), completed()));
  }

  @Test
  void sleeping_runs_of_a_dead_node_do_not_slow_down_the_claim_of_the_due_ones() throws Exception {
    var before = TestNode.join(open());
    var after = TestNode.join(open());
    before.start("order-7");
    database.execute(
        """
        INSERT INTO runs (run_key, run_id, workflow_id, workflow, status, owner, wake_at, started_at)
        SELECT 1000000 + i, gen_random_uuid(), 'sleeper-' || i, 'Checkout', 'RUNNING',
               (SELECT min(node_key) FROM nodes), timestamptz '2027-01-01', now()
          FROM generate_series(1, 100000) AS i
        """);
    stores.getFirst().leave(before.id());

    assertThat(after.claim(NOON)).containsExactly("order-7");
    assertThat(after.claim(NOON)).isEmpty();
    assertThat(rowsLookedAtByAClaim()).isLessThan(100);
  }

  /** By the count of PostgreSQL itself, of the rows of {@code runs} that the index gave out. */
  private long rowsLookedAtByAClaim() throws SQLException {
    try (var connection = database.connect();
        var statement =
            connection.prepareStatement("EXPLAIN (ANALYZE, FORMAT JSON) " + PostgresClaims.CLAIM)) {
      connection.createStatement().execute("SET enable_seqscan = off");
      var workflows = new String[] {"Checkout"};
      var none = new long[0];
      var values =
          new Object[] {
            workflows, Micros.of(NOON), false, none, 100, workflows, false, none, 100, 100, 1, 0, 0
          };
      for (int i = 0; i < values.length; i++) statement.setObject(i + 1, values[i]);
      try (var rows = statement.executeQuery()) {
        rows.next();
        return Pattern.compile("\"Actual Rows\": ([0-9]+)")
            .matcher(rows.getString(1))
            .results()
            .mapToLong(found -> Long.parseLong(found.group(1)))
            .max()
            .orElseThrow();
      }
    }
  }

  @Test
  void two_who_unblock_a_run_do_it_once() throws Exception {
    var one = TestNode.join(open());
    var two = TestNode.join(open());
    long run = one.start("order-7");
    for (int i = 0; i < 20; i++) {
      one.change(run, new RunChange.Block("R101"));
      var begin = new CyclicBarrier(2);
      Callable<Outcome> first = () -> unblock(one, run, begin);
      Callable<Outcome> second = () -> unblock(two, run, begin);
      var outcomes = new ArrayList<Outcome>();
      for (var done : threads.invokeAll(List.of(first, second))) outcomes.add(done.get());

      assertThat(outcomes).containsExactlyInAnyOrder(Outcome.STORED, Outcome.NOT_OPEN);
      assertThat(one.claim(NOON)).containsExactly("order-7");
    }
  }

  private static Outcome unblock(TestNode node, long run, CyclicBarrier begin) throws Exception {
    begin.await();
    return node.commit(
            new Transition.Append(run, List.of(), List.of(), new RunChange.Unblock(NOON)))
        .getFirst();
  }
}

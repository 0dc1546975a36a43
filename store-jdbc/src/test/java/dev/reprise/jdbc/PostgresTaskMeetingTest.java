package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.completed;
import static dev.reprise.testkit.contract.Rows.consume;
import static dev.reprise.testkit.contract.TaskSpec.QUEUE;
import static dev.reprise.testkit.contract.TaskSpec.activity;
import static dev.reprise.testkit.contract.TasksUnderTest.cancelling;
import static dev.reprise.testkit.contract.TasksUnderTest.from;
import static dev.reprise.testkit.contract.TasksUnderTest.scheduling;
import static dev.reprise.testkit.contract.TasksUnderTest.sweeping;
import static dev.reprise.testkit.contract.TasksUnderTest.taking;
import static dev.reprise.testkit.contract.TasksUnderTest.telling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.QueueLimits;
import dev.reprise.Status;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.Report.Change;
import dev.reprise.engine.store.Report.Reply;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.Rows;
import dev.reprise.testkit.contract.TaskSpec;
import dev.reprise.testkit.contract.TestNode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Workers, sweepers and owners that want the same tasks and runs at the same moment. */
class PostgresTaskMeetingTest {
  private static final int TASKS = 300;
  private static final int ROUNDS = 40;

  private final TestDatabase database = TestDatabase.create();
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final List<Store> stores = new ArrayList<>();
  private final CyclicBarrier begin = new CyclicBarrier(2);

  private Store open() {
    stores.add(database.open());
    return stores.getLast();
  }

  @AfterEach
  void close_stores() {
    threads.shutdownNow();
    stores.forEach(Store::close);
  }

  private <T> List<T> both(Callable<T> one, Callable<T> other) throws Exception {
    var results = new ArrayList<T>();
    for (var done : threads.invokeAll(List.of(one, other))) results.add(done.get());
    return results;
  }

  private static TaskSpec[] activities(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(TaskSpec::activity)
        .toArray(TaskSpec[]::new);
  }

  // ---- taking -----------------------------------------------------------------------------------

  @Test
  void two_who_take_never_get_the_same_and_together_get_all() throws Exception {
    var node = TestNode.join(open());
    long run = node.start("order-7");
    node.store(scheduling(run, activities(2, TASKS)));

    var taken = both(() -> takeAll(open()), () -> takeAll(open()));

    var refs = new ArrayList<>(taken.getFirst());
    refs.addAll(taken.getLast());
    assertThat(refs).hasSize(TASKS).doesNotHaveDuplicates();
  }

  /** Until nothing is ready: what the other has just locked is passed by. */
  private List<TaskRef> takeAll(Store store) throws Exception {
    var taken = new ArrayList<TaskRef>();
    begin.await();
    while (store.tasks().count(QUEUE).getFirst().ready() > 0) {
      store.tasks().take(taking(QUEUE, 7, NOON)).forEach(each -> taken.add(each.ref()));
    }
    return taken;
  }

  @Test
  void two_who_take_under_a_limit_never_exceed_it() throws Exception {
    var node = TestNode.join(open());
    long run = node.start("order-7");
    node.store(scheduling(run, activities(2, TASKS)));
    stores.getFirst().tasks().limit(QUEUE, QueueLimits.none().concurrency(5));
    var most = new AtomicInteger();

    var done = both(() -> workAll(open(), most), () -> workAll(open(), most));

    assertThat(done.getFirst() + done.getLast()).isEqualTo(TASKS);
    assertThat(most.get()).isBetween(1, 5);
  }

  private int workAll(Store store, AtomicInteger most) throws Exception {
    int done = 0;
    begin.await();
    while (!store.tasks().ofRun(1).isEmpty()) {
      var taken = store.tasks().take(taking(QUEUE, 3, NOON));
      long leased = store.tasks().count(QUEUE).getFirst().leased();
      most.accumulateAndGet((int) leased, Math::max);
      var reports = taken.stream().map(each -> from(each, new Change.Finish())).toList();
      assertThat(store.tasks().report(reports, NOON)).hasSize(taken.size());
      done += taken.size();
    }
    return done;
  }

  // ---- reporting --------------------------------------------------------------------------------

  @Test
  void a_task_is_reported_once_when_a_worker_and_a_sweeper_do_it_at_once() throws Exception {
    var node = TestNode.join(open());
    var other = open();
    long run = node.start("order-7");
    node.store(scheduling(run, activities(2, TASKS)));
    var taken = stores.getFirst().tasks().take(taking(QUEUE, TASKS, NOON));
    var late = NOON.plusSeconds(60);
    var backwards = taken.reversed();

    var replies =
        both(
            () -> reported(stores.getFirst(), taken, each -> from(each, new Change.Finish())),
            () ->
                reported(
                    other,
                    backwards,
                    each -> sweeping(each.ref(), each.attempt(), late, new Change.Again(late))));

    var swept = replies.getLast().reversed();
    for (int i = 0; i < TASKS; i++) {
      var both = List.of(replies.getFirst().get(i), swept.get(i));
      assertThat(both).containsOnlyOnce(Reply.ACCEPTED);
    }
    long left = swept.stream().filter(reply -> reply == Reply.ACCEPTED).count();
    assertThat(other.tasks().ofRun(run)).hasSize((int) left);
  }

  private interface Saying {
    Report about(Handout handout);
  }

  /** In small lots, so that they meet in between. */
  private List<Reply> reported(Store store, List<Handout> taken, Saying saying) throws Exception {
    var replies = new ArrayList<Reply>();
    begin.await();
    for (int i = 0; i < taken.size(); i += 6) {
      var lot = taken.subList(i, Math.min(i + 6, taken.size()));
      replies.addAll(
          store.tasks().report(lot.stream().map(saying::about).toList(), NOON.plusSeconds(60)));
    }
    return replies;
  }

  @Test
  void a_report_is_in_the_inbox_of_an_open_run_or_dropped_when_its_run_closes() throws Exception {
    var node = TestNode.join(open());
    var worker = open();
    var runs = new ArrayList<Long>();
    for (int i = 0; i < ROUNDS; i++) {
      runs.add(node.start("order-" + i));
      node.store(scheduling(runs.getLast(), activity(2)));
    }
    var taken = worker.tasks().take(taking(QUEUE, ROUNDS, NOON));

    var closed = both(() -> closeAll(node, runs), () -> tellAll(worker, taken));

    assertThat(closed).containsExactly(ROUNDS, ROUNDS);
    for (int i = 0; i < ROUNDS; i++) {
      assertThat(worker.find("order-" + i).orElseThrow().status()).isEqualTo(Status.COMPLETED);
    }
    assertThat(database.query("SELECT run_key FROM inbox")).isEmpty();
    assertThat(database.query("SELECT run_key FROM tasks")).isEmpty();
    assertThat(worker.inconsistencies(10)).isEmpty();
  }

  /** All in one batch, with what waits for each, until all are closed. */
  private int closeAll(TestNode node, List<Long> runs) throws Exception {
    var store = stores.getFirst();
    var left = new ArrayList<>(runs);
    begin.await();
    while (!left.isEmpty()) {
      var inputs = store.inputs(left);
      var ends = new ArrayList<Transition>();
      for (long run : left) {
        var ids = inputs.getOrDefault(run, List.of()).stream().map(InputRow::id).toList();
        ends.add(consume(run, 3, ids, completed()));
      }
      var outcomes = node.commit(ends.toArray(Transition[]::new));
      for (int i = left.size() - 1; i >= 0; i--) {
        if (outcomes.get(i) == Outcome.STORED) left.remove(i);
      }
    }
    return runs.size();
  }

  private int tellAll(Store worker, List<Handout> taken) throws Exception {
    begin.await();
    int accepted = 0;
    for (int i = 0; i < taken.size(); i += 4) {
      var lot = taken.subList(i, Math.min(i + 4, taken.size()));
      var reports = lot.stream().map(each -> telling(each, new Change.Finish(), "1")).toList();
      for (var reply : worker.tasks().report(reports, NOON)) {
        if (reply == Reply.ACCEPTED) accepted++;
      }
    }
    return accepted;
  }

  @Test
  void owners_that_cancel_and_workers_that_report_never_wait_in_a_circle() throws Exception {
    var node = TestNode.join(open());
    var worker = open();
    long run = node.start("order-7");
    node.store(scheduling(run, activities(2, TASKS)));
    var taken = worker.tasks().take(taking(QUEUE, TASKS, NOON)).reversed();

    Callable<Integer> cancelling =
        () -> {
          begin.await();
          for (int i = 0; i < ROUNDS; i++) {
            var indexes = IntStream.range(2, TASKS + 2).boxed().toArray(Integer[]::new);
            node.store(cancelling(run, TASKS + 2 + i, indexes));
          }
          return ROUNDS;
        };

    assertThat(both(cancelling, () -> tellAll(worker, taken))).containsExactly(ROUNDS, TASKS);
  }

  // ---- runs on queues ---------------------------------------------------------------------------

  private static RunRow queued(TestNode node, String workflowId) {
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
  void a_run_begins_once_when_two_begin_it_at_once() throws Exception {
    var one = TestNode.join(open());
    var other = TestNode.join(open());
    for (int i = 0; i < ROUNDS; i++) {
      var run = queued(one, "order-" + i);
      one.store(new Start(run, List.of(Rows.event(1)), List.of(TaskSpec.run().task())));

      var outcomes = both(() -> begin(one, run.key()), () -> begin(other, run.key()));

      assertThat(outcomes).containsExactlyInAnyOrder(Outcome.STORED, Outcome.NOT_OPEN);
      assertThat(one.history(run.key())).hasSize(1);
    }
    assertThat(stores.getFirst().inconsistencies(10)).isEmpty();
  }

  private Outcome begin(TestNode node, long run) throws Exception {
    begin.await();
    return node.commit(append(run, 1, 1, new RunChange.Begin(NOON))).getFirst();
  }

  @Test
  void of_two_with_the_same_unique_key_one_starts_when_both_do_at_once() throws Exception {
    var one = TestNode.join(open());
    var other = TestNode.join(open());
    for (int i = 0; i < ROUNDS; i++) {
      var unique = "only-" + i;

      var outcomes = both(() -> start(one, unique), () -> start(other, unique));

      assertThat(outcomes).containsExactlyInAnyOrder(Outcome.STORED, Outcome.DUPLICATE);
    }
    assertThat(database.query("SELECT workflow_id FROM workflows")).hasSize(ROUNDS);
    assertThat(stores.getFirst().inconsistencies(10)).isEmpty();
  }

  private Outcome start(TestNode node, String unique) throws Exception {
    var run = queued(node, UUID.randomUUID().toString());
    var task = TaskSpec.run().unique(unique).task();
    begin.await();
    return node.commit(new Start(run, List.of(Rows.event(1)), List.of(task))).getFirst();
  }

  /** Its place is known by the row: who takes a run over has not seen it begin. */
  @Test
  void a_run_that_was_taken_over_leaves_its_queue_when_it_closes() throws Exception {
    var first = TestNode.join(open());
    var run = queued(first, "order-7");
    first.store(new Start(run, List.of(Rows.event(1)), List.of(TaskSpec.run().task())));
    first.store(append(run.key(), 1, 1, new RunChange.Begin(NOON)));
    stores.getFirst().leave(first.id());
    var second = TestNode.join(open());
    assertThat(second.claim(NOON)).containsExactly("order-7");

    second.store(close(run.key(), 2));

    assertThat(database.query("SELECT run_key FROM tasks")).isEmpty();
  }

  @Test
  void a_place_is_known_again_after_a_failure() {
    var node = TestNode.join(open());
    var run = queued(node, "order-7");
    node.store(new Start(run, List.of(Rows.event(1)), List.of(TaskSpec.run().task())));
    node.store(append(run.key(), 1, 1, new RunChange.Begin(NOON)));
    assertThat(refused(node, append(run.key(), 1, 1))).isTrue();
    node.store(append(run.key(), 2, 2));

    node.store(close(run.key(), 3));

    assertThat(database.query("SELECT run_key FROM tasks")).isEmpty();
  }

  private static boolean refused(TestNode node, Append append) {
    try {
      node.commit(append);
      return false;
    } catch (Store.TransitionRefused expected) {
      return true;
    }
  }
}

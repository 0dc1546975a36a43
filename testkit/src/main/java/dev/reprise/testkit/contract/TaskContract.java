package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.completed;
import static dev.reprise.testkit.contract.Rows.consume;
import static dev.reprise.testkit.contract.Rows.continued;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.signal;
import static dev.reprise.testkit.contract.TaskSpec.QUEUE;
import static dev.reprise.testkit.contract.TaskSpec.activity;
import static dev.reprise.testkit.contract.TasksUnderTest.cancelling;
import static dev.reprise.testkit.contract.TasksUnderTest.indexes;
import static dev.reprise.testkit.contract.TasksUnderTest.scheduling;
import static dev.reprise.testkit.contract.TasksUnderTest.taking;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore.Take;
import dev.reprise.engine.store.TaskView;
import dev.reprise.engine.store.TaskView.State;
import dev.reprise.engine.store.Transition.Start;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How tasks come with events, and are handed out. */
public interface TaskContract extends TasksUnderTest {

  // ---- with transitions -------------------------------------------------------------------------

  @Test
  default void a_task_comes_with_the_event_that_asked_for_it() {
    var node = join();
    var spec =
        activity(2)
            .key("tenant-3")
            .priority(-4)
            .attemptLimit(Duration.ofMinutes(2))
            .waitUntil(NOON.plusSeconds(5))
            .until(NOON.plusSeconds(9));

    long run = scheduled(node, "order-7", spec);

    var expected =
        new TaskView(
            new TaskRef(run, 2),
            spec.task(),
            State.READY,
            0,
            NOON,
            null,
            null,
            false,
            null,
            null,
            null,
            null);
    assertThat(tasks().ofRun(run)).containsExactly(expected);
    assertThat(tasks().find(new TaskRef(run, 2))).contains(expected);
    assertThat(tasks().find(new TaskRef(run, 3))).isEmpty();
    assertThat(tasks().ofRun(run + 1)).isEmpty();
    assertThat(store().inconsistencies(10)).isEmpty();
  }

  @Test
  default void what_is_not_stored_puts_nothing_on_a_queue() {
    var node = join();
    long run = node.start("order-7");

    assertThat(node.commit(scheduling(-1, activity(2)))).containsExactly(Outcome.NOT_OPEN);
    assertThatThrownBy(() -> node.commit(scheduling(run, activity(2)), append(run, 2, 2)))
        .isInstanceOf(TransitionRefused.class);

    assertThat(tasks().ofRun(run)).isEmpty();
    assertThat(take(10)).isEmpty();
    node.store(scheduling(run, activity(2)));
    assertThat(indexes(take(10))).containsExactly(2);
  }

  @Test
  default void what_a_refused_batch_cancelled_is_wanted_still() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));

    assertThatThrownBy(() -> node.commit(cancelling(run, 3, 2), append(run, 3, 3)))
        .isInstanceOf(TransitionRefused.class);

    assertThat(view(run, 2).cancelled()).isFalse();
    assertThat(indexes(take(10))).containsExactly(2);
  }

  @Test
  default void an_end_puts_tasks_on_queues_and_only_if_it_is_one() {
    var node = join();
    long run = node.start("order-7");
    node.store(signal(run, "1"));

    assertThat(node.commit(scheduling(run, completed(), activity(2))))
        .containsExactly(Outcome.INPUTS_WAITING);
    assertThat(tasks().ofRun(run)).isEmpty();
    node.store(consume(run, 2, ids(run), Rows.append(run, 2, 2).change()));
    node.store(scheduling(run, completed(), activity(3)));

    var handout = takeOne();
    assertThat(handout.ref()).isEqualTo(new TaskRef(run, 3));
    assertThat(handout.workflowId()).isEqualTo("order-7");
    assertThat(store().inconsistencies(10)).isEmpty();
  }

  private List<Long> ids(long run) {
    return store().inputs(run).stream().map(InputRow::id).toList();
  }

  @Test
  default void tasks_stay_with_the_run_that_asked_for_them() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var next = node.run("order-7");
    node.store(scheduling(run, continued(next), activity(3)));

    assertThat(take(10))
        .extracting(Handout::ref)
        .containsExactly(new TaskRef(run, 2), new TaskRef(run, 3));
    assertThat(tasks().ofRun(next.key())).isEmpty();
  }

  @Test
  default void a_fork_begins_with_tasks() {
    var node = join();
    var run = node.run("order-7");
    var tasks = TasksUnderTest.tasks(activity(2), activity(3).visibleAt(NOON.plusSeconds(1)));

    node.store(new Start(run, List.of(event(1), event(2), event(3)), tasks));

    assertThat(tasks().ofRun(run.key()))
        .extracting(TaskView::state)
        .containsExactly(State.READY, State.DELAYED);
    assertThat(node.history(run.key())).hasSize(3);
    assertThat(node.commit(new Start(node.run("order-7"), List.of(event(1)), tasks)))
        .containsExactly(Outcome.EXISTS);
    assertThat(indexes(take(10, NOON.plusSeconds(1)))).containsExactly(2, 3);
  }

  // ---- handing out ------------------------------------------------------------------------------

  @Test
  default void a_worker_gets_all_that_it_needs_to_begin() {
    var node = join();
    var started = node.run("order-7");
    node.start(started);
    node.store(scheduling(started.key(), activity(2).attemptLimit(Duration.ofSeconds(5))));
    var now = NOON.plusSeconds(1);

    var take = taking(QUEUE, 1, now);
    var handout = tasks().take(take).getFirst();

    var expected =
        new Handout(
            new TaskRef(started.key(), 2),
            QUEUE,
            1,
            take.hand(),
            now.plus(TaskSpec.LEASE),
            now.plusSeconds(5),
            event(2),
            "order-7",
            started.runId(),
            null);
    assertThat(handout).usingRecursiveComparison().isEqualTo(expected);
    var view = view(started.key(), 2);
    assertThat(view.state()).isEqualTo(State.LEASED);
    assertThat(view.attempt()).isEqualTo(1);
    assertThat(view.worker()).isEqualTo("host/1");
    assertThat(view.leaseUntil()).isEqualTo(now.plus(TaskSpec.LEASE));
    assertThat(view.deadline()).isEqualTo(now.plusSeconds(5));
  }

  @Test
  default void the_deadline_is_the_earlier_of_two() {
    var node = join();
    var limit = Duration.ofSeconds(5);
    scheduled(
        node,
        "order-7",
        activity(2).attemptLimit(limit).until(NOON.plusSeconds(3)),
        activity(3).attemptLimit(limit).until(NOON.plusSeconds(8)),
        activity(4));

    assertThat(take(10))
        .extracting(Handout::deadline)
        .containsExactly(NOON.plusSeconds(3), NOON.plusSeconds(5), null);
  }

  @Test
  default void what_was_taken_with_a_lost_answer_is_in_the_next() {
    var node = join();
    scheduled(node, "order-7", activity(2), activity(3), activity(4));
    var take = taking(QUEUE, 2, NOON);

    var first = tasks().take(take);
    var second = tasks().take(take);

    assertThat(first).hasSize(2);
    assertThat(second)
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactlyInAnyOrderElementsOf(first);
    assertThat(indexes(take(10))).containsExactly(4);
    first.forEach(this::finish);
    assertThat(tasks().take(take)).isEmpty();
  }

  @Test
  default void what_a_hand_has_no_more_is_not_in_its_answer() {
    var node = join();
    scheduled(node, "order-7", activity(2), activity(3), activity(4));
    var take = taking(QUEUE, 3, NOON);
    var taken = tasks().take(take);

    finish(taken.get(0));
    leaveOpen(taken.get(1));

    assertThat(indexes(tasks().take(take))).containsExactly(4);
  }

  @Test
  default void a_worker_gets_only_what_it_has() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2).name("Images.crop"), activity(3));
    var crop = taking(QUEUE, 10, NOON);
    var policies = Map.of("Images.crop", "{\"attempts\":3}", "Images.other", "");

    assertThat(indexes(take(10))).containsExactly(3);
    assertThat(indexes(tasks().take(new Take(crop.hand(), QUEUE, "host/2", policies, 10, 0, NOON))))
        .containsExactly(2);
    assertThat(view(run, 2).retry()).isEqualTo("{\"attempts\":3}");
    assertThat(view(run, 2).worker()).isEqualTo("host/2");
    assertThat(view(run, 3).retry()).isNull();
  }

  @Test
  default void a_worker_gets_only_from_its_queue() {
    var node = join();
    scheduled(node, "order-7", activity(2).queue("cpu"), activity(3));

    assertThat(indexes(take(10))).containsExactly(3);
    assertThat(indexes(tasks().take(taking("cpu", 10, NOON)))).containsExactly(2);
    assertThat(tasks().take(taking("nothing", 10, NOON))).isEmpty();
  }

  @Test
  default void lower_numbers_come_first_and_then_the_longest_ready() {
    var node = join();
    scheduled(
        node,
        "order-7",
        activity(2).priority(1),
        activity(3).visibleAt(NOON.minusSeconds(1)),
        activity(4),
        activity(5).visibleAt(NOON.minusSeconds(2)),
        activity(6).priority(-1));
    scheduled(node, "order-8", activity(2).visibleAt(NOON.minusSeconds(1)));

    assertThat(indexes(take(1))).containsExactly(6);
    assertThat(indexes(take(2))).containsExactly(5, 3);
    assertThat(indexes(take(10))).containsExactly(2, 4, 2);
    assertThat(take(10)).isEmpty();
  }

  @Test
  default void what_waits_for_its_time_is_handed_out_then() {
    var node = join();
    var later = NOON.plusSeconds(10);
    long run = scheduled(node, "order-7", activity(2).visibleAt(later));

    assertThat(view(run, 2).state()).isEqualTo(State.DELAYED);
    assertThat(tasks().nextReady(QUEUE)).contains(later);
    assertThat(tasks().nextReady("cpu")).isEmpty();
    assertThat(take(10, later.minusMillis(1))).isEmpty();
    assertThat(indexes(take(10, later))).containsExactly(2);
    assertThat(tasks().nextReady(QUEUE)).isEmpty();
  }
}

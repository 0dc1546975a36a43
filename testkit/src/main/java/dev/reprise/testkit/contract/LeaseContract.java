package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.bytes;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.TaskSpec.LEASE;
import static dev.reprise.testkit.contract.TaskSpec.QUEUE;
import static dev.reprise.testkit.contract.TaskSpec.activity;
import static dev.reprise.testkit.contract.TasksUnderTest.cancelling;
import static dev.reprise.testkit.contract.TasksUnderTest.indexes;
import static dev.reprise.testkit.contract.TasksUnderTest.scheduling;
import static dev.reprise.testkit.contract.TasksUnderTest.sweeping;
import static dev.reprise.testkit.contract.TasksUnderTest.taking;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.store.Report.Change;
import dev.reprise.engine.store.Report.Reply;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore.Beat;
import dev.reprise.engine.store.TaskView;
import dev.reprise.engine.store.TaskView.State;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a worker has a task, and when somebody else has to look at it. */
public interface LeaseContract extends TasksUnderTest {

  // ---- heartbeats -------------------------------------------------------------------------------

  @Test
  default void a_heartbeat_extends_the_lease() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var handout = takeOne();
    var later = NOON.plusSeconds(20);

    var answer = beat(handout, null, later);

    assertThat(answer).isEqualTo(new Beat.Answer(true, later.plus(LEASE), false));
    assertThat(view(run, 2).leaseUntil()).isEqualTo(later.plus(LEASE));
    assertThat(view(run, 2).heartbeatAt()).isEqualTo(later);
    assertThat(overdue(NOON.plus(LEASE))).isEmpty();
    assertThat(tasks().nextOverdue()).contains(later.plus(LEASE));
  }

  @Test
  default void the_last_details_are_handed_to_the_next_attempt() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var first = takeOne();
    assertThat(first.heartbeat()).isNull();

    beat(first, "1 of 3", NOON.plusSeconds(1));
    beat(first, "2 of 3", NOON.plusSeconds(2));
    beat(first, null, NOON.plusSeconds(3));

    assertThat(view(run, 2).heartbeat()).isEqualTo(bytes("2 of 3"));
    assertThat(view(run, 2).heartbeatAt()).isEqualTo(NOON.plusSeconds(3));
    again(first, NOON, NOON);
    assertThat(takeOne().heartbeat()).isEqualTo(bytes("2 of 3"));
  }

  @Test
  default void who_has_a_task_no_more_is_told_so() {
    var node = join();
    scheduled(node, "order-7", activity(2), activity(3), activity(4));
    var taken = take(10);

    finish(taken.get(0));
    leaveOpen(taken.get(1));
    again(taken.get(2), NOON, NOON);

    assertThat(taken)
        .allSatisfy(lost -> assertThat(beat(lost, "x", NOON)).isEqualTo(Beat.Answer.LOST));
    var second = takeOne();
    assertThat(beat(taken.get(2), "x", NOON)).isEqualTo(Beat.Answer.LOST);
    assertThat(second.heartbeat()).isNull();
    assertThat(beat(second, null, NOON).isHeld()).isTrue();
  }

  @Test
  default void each_heartbeat_has_its_answer_in_order() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2), activity(3));
    take(10);
    node.store(cancelling(run, 4, 3));

    var answers =
        tasks()
            .heartbeat(
                List.of(
                    new Beat(new TaskRef(run, 3), 1, null, bytes("c")),
                    new Beat(new TaskRef(run, 9), 1, null, null),
                    new Beat(new TaskRef(run, 2), 1, null, null)),
                NOON);

    assertThat(answers)
        .containsExactly(
            new Beat.Answer(true, NOON.plus(LEASE), true),
            Beat.Answer.LOST,
            new Beat.Answer(true, NOON.plus(LEASE), false));
    assertThat(tasks().heartbeat(List.of(), NOON)).isEmpty();
  }

  @Test
  default void a_lease_that_is_over_can_still_be_extended_if_nobody_has_noticed() {
    var node = join();
    scheduled(node, "order-7", activity(2));
    var handout = takeOne();
    var late = NOON.plus(LEASE).plusSeconds(5);
    assertThat(overdue(late)).containsExactly(2);

    assertThat(beat(handout, null, late).isHeld()).isTrue();

    assertThat(overdue(late)).isEmpty();
    assertThat(report(sweeping(handout.ref(), 1, late, new Change.Again(late)), late))
        .isEqualTo(Reply.STALE);
    finish(handout);
  }

  // ---- what is overdue --------------------------------------------------------------------------

  @Test
  default void a_task_whose_worker_is_silent_is_overdue() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var over = NOON.plus(LEASE);
    var handout = takeOne();

    assertThat(overdue(over.minusMillis(1))).isEmpty();
    assertThat(report(sweeping(handout.ref(), 1, over.minusMillis(1), new Change.Again(over))))
        .isEqualTo(Reply.STALE);
    assertThat(tasks().nextOverdue()).contains(over);
    assertThat(tasks().overdue(over, 10))
        .singleElement()
        .usingRecursiveComparison()
        .isEqualTo(view(run, 2));

    var taken = sweeping(handout.ref(), 1, over, new Change.Again(over));
    assertThat(report(taken, over)).isEqualTo(Reply.ACCEPTED);
    assertThat(report(taken, over)).isEqualTo(Reply.STALE);
    assertThat(tasks().nextOverdue()).isEmpty();
    assertThat(takeOne(over).attempt()).isEqualTo(2);
    assertThat(report(TasksUnderTest.from(handout, new Change.Finish()))).isEqualTo(Reply.STALE);
  }

  @Test
  default void what_is_not_overdue_any_more_is_left_alone() {
    var node = join();
    scheduled(node, "order-7", activity(2));
    var over = NOON.plus(LEASE);
    var first = takeOne();
    again(first, over, over);
    takeOne(over);

    assertThat(report(sweeping(first.ref(), 1, over, new Change.Finish()))).isEqualTo(Reply.STALE);
    assertThat(report(sweeping(first.ref(), 2, over, new Change.Finish()))).isEqualTo(Reply.STALE);
    assertThat(report(sweeping(new TaskRef(first.ref().run(), 7), 1, over, new Change.Finish())))
        .isEqualTo(Reply.GONE);
  }

  @Test
  default void an_attempt_that_takes_too_long_is_overdue_whatever_its_worker_says() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2).attemptLimit(Duration.ofSeconds(40)));
    var handout = takeOne();
    var end = NOON.plusSeconds(40);

    beat(handout, null, NOON.plusSeconds(20));

    assertThat(overdue(end.minusMillis(1))).isEmpty();
    assertThat(overdue(end)).containsExactly(2);
    assertThat(tasks().nextOverdue()).contains(end);
    again(handout, end, end);
    assertThat(view(run, 2).deadline()).isNull();
    assertThat(takeOne(end).deadline()).isEqualTo(end.plusSeconds(40));
  }

  @Test
  default void what_waits_to_be_completed_from_outside_has_a_deadline_too() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2).attemptLimit(Duration.ofSeconds(40)));
    var handout = takeOne();

    leaveOpen(handout);

    assertThat(view(run, 2).deadline()).isEqualTo(NOON.plusSeconds(40));
    assertThat(overdue(NOON.plusSeconds(39))).isEmpty();
    assertThat(overdue(NOON.plusSeconds(40))).containsExactly(2);
    assertThat(report(sweeping(handout.ref(), 1, NOON.plusSeconds(40), new Change.Finish())))
        .isEqualTo(Reply.ACCEPTED);
  }

  @Test
  default void a_task_waits_so_long_for_its_first_worker_and_no_longer() {
    var node = join();
    var patience = NOON.plusSeconds(5);
    scheduled(
        node,
        "order-7",
        activity(2).waitUntil(patience),
        activity(3).waitUntil(patience).priority(-1),
        activity(4).waitUntil(patience).visibleAt(NOON.plusSeconds(9)));

    var taken = take(1);

    assertThat(indexes(taken)).containsExactly(3);
    assertThat(overdue(patience.minusMillis(1))).isEmpty();
    assertThat(overdue(patience)).containsExactly(2, 4);
    assertThat(tasks().nextOverdue()).contains(patience);
    again(taken.getFirst(), NOON, NOON);
    assertThat(overdue(patience)).containsExactly(2, 4);
    assertThat(tasks().overdue(patience, 1)).hasSize(1);
    assertThat(
            tasks()
                .report(
                    tasks().overdue(patience, 10).stream()
                        .map(view -> sweeping(view.ref(), 0, patience, new Change.Finish()))
                        .toList(),
                    patience))
        .containsOnly(Reply.ACCEPTED);
    assertThat(overdue(patience)).isEmpty();
  }

  @Test
  default void the_whole_time_of_a_task_ends_wherever_it_is() {
    var node = join();
    var end = NOON.plusSeconds(20);
    scheduled(
        node,
        "order-7",
        activity(2).until(end).priority(1),
        activity(3).until(end).priority(2),
        activity(4).until(end).priority(3),
        activity(5).until(end).visibleAt(end.plusSeconds(60)),
        activity(6).until(end).priority(4));
    var taken = take(3);
    leaveOpen(taken.get(1));
    again(taken.get(2), NOON, NOON);

    assertThat(overdue(end.minusMillis(1))).isEmpty();
    assertThat(overdue(end)).containsExactly(2, 3, 4, 5, 6);
    assertThat(tasks().nextOverdue()).contains(end);
  }

  @Test
  default void nothing_is_overdue_where_nothing_is() {
    join();

    assertThat(tasks().overdue(NOON, 10)).isEmpty();
    assertThat(tasks().nextOverdue()).isEmpty();
    assertThat(tasks().nextReady(QUEUE)).isEmpty();
  }

  // ---- what nobody wants ------------------------------------------------------------------------

  @Test
  default void what_nobody_wants_is_overdue_at_once_and_not_handed_out() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2), activity(3).visibleAt(NOON.plusSeconds(9)));

    node.store(cancelling(run, 4, 2, 3));

    assertThat(take(10, NOON.plusSeconds(9))).isEmpty();
    assertThat(overdue(NOON)).containsExactly(2, 3);
    assertThat(tasks().nextOverdue().orElseThrow()).isBefore(NOON);
    assertThat(view(run, 2).cancelled()).isTrue();
    assertThat(report(sweeping(new TaskRef(run, 2), 0, NOON, new Change.Finish())))
        .isEqualTo(Reply.ACCEPTED);
    assertThat(overdue(NOON)).containsExactly(3);
  }

  @Test
  default void who_has_what_nobody_wants_is_told_by_the_heartbeat() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var handout = takeOne();

    node.store(cancelling(run, 3, 2));

    assertThat(overdue(NOON.plusSeconds(29))).isEmpty();
    assertThat(beat(handout, null, NOON.plusSeconds(1)).cancelled()).isTrue();
    assertThat(view(run, 2).state()).isEqualTo(State.LEASED);
    again(handout, NOON.plusSeconds(60), NOON);
    assertThat(overdue(NOON)).containsExactly(2);
  }

  @Test
  default void what_waits_for_somebody_outside_and_nobody_wants_is_overdue_at_once() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    leaveOpen(takeOne());

    node.store(cancelling(run, 3, 2));

    assertThat(overdue(NOON)).containsExactly(2);
  }

  @Test
  default void what_is_gone_cannot_be_cancelled_and_that_is_no_error() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    finish(takeOne());

    node.store(cancelling(run, 3, 2, 17));

    assertThat(tasks().ofRun(run)).isEmpty();
  }

  @Test
  default void what_is_asked_for_and_cancelled_at_once_is_cancelled() {
    var node = join();
    long run = node.start("order-7");

    node.store(scheduling(run, activity(2)), cancelling(run, 3, 2), close(run, 4));

    assertThat(tasks().ofRun(run)).extracting(TaskView::cancelled).containsExactly(true);
    assertThat(overdue(NOON)).containsExactly(2);
  }

  @Test
  default void a_lost_answer_of_a_take_does_not_bring_back_what_is_taken_over() {
    var node = join();
    scheduled(node, "order-7", activity(2));
    var take = taking(QUEUE, 1, NOON);
    var first = tasks().take(take).getFirst();
    var over = NOON.plus(LEASE);
    var change = new Change.Again(over);
    assertThat(report(sweeping(first.ref(), 1, over, change), over)).isEqualTo(Reply.ACCEPTED);
    takeOne(over);

    assertThat(tasks().take(take)).isEmpty();
  }
}

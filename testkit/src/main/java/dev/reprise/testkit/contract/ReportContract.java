package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.bytes;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.completed;
import static dev.reprise.testkit.contract.Rows.consume;
import static dev.reprise.testkit.contract.Rows.goOn;
import static dev.reprise.testkit.contract.Rows.signal;
import static dev.reprise.testkit.contract.TaskSpec.QUEUE;
import static dev.reprise.testkit.contract.TaskSpec.activity;
import static dev.reprise.testkit.contract.TasksUnderTest.from;
import static dev.reprise.testkit.contract.TasksUnderTest.telling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.Report.Change;
import dev.reprise.engine.store.Report.Reply;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore.Beat;
import dev.reprise.engine.store.TaskView.State;
import dev.reprise.engine.store.Transition.Accept;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of tasks that were handed out, and what their runs are told. */
public interface ReportContract extends TasksUnderTest {

  @Test
  default void what_is_finished_is_gone() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var handout = takeOne();

    finish(handout);

    assertThat(tasks().ofRun(run)).isEmpty();
    assertThat(report(from(handout, new Change.Finish()))).isEqualTo(Reply.GONE);
    assertThat(tasks().nextOverdue()).isEmpty();
  }

  @Test
  default void each_handing_out_counts() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2).attemptLimit(Duration.ofSeconds(5)));
    var first = takeOne();
    var later = NOON.plusSeconds(20);

    again(first, later, NOON.plusSeconds(1));

    var view = view(run, 2);
    assertThat(view.state()).isEqualTo(State.DELAYED);
    assertThat(view.attempt()).isEqualTo(1);
    assertThat(view.task().visibleAt()).isEqualTo(later);
    assertThat(view.leaseUntil()).isNull();
    assertThat(view.deadline()).isNull();
    assertThat(tasks().nextReady(QUEUE)).contains(later);
    assertThat(take(10, later.minusSeconds(1))).isEmpty();
    assertThat(takeOne(later).attempt()).isEqualTo(2);
  }

  @Test
  default void what_may_be_tried_again_at_once_is_ready() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var now = NOON.plusSeconds(3);

    again(takeOne(), now, now);

    assertThat(view(run, 2).state()).isEqualTo(State.READY);
    assertThat(takeOne(now).attempt()).isEqualTo(2);
  }

  @Test
  default void an_attempt_that_is_given_back_does_not_count() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var handout = takeOne();

    assertThat(report(from(handout, new Change.GiveBack(NOON)))).isEqualTo(Reply.ACCEPTED);

    assertThat(view(run, 2).attempt()).isZero();
    assertThat(view(run, 2).state()).isEqualTo(State.READY);
    assertThat(takeOne().attempt()).isEqualTo(1);
  }

  /** The attempt has the same number as before, since the first did not count. */
  @Test
  default void what_was_given_back_is_another_hand_out_the_next_time() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var first = takeOne();
    var back = from(first, new Change.GiveBack(NOON));
    assertThat(report(back)).isEqualTo(Reply.ACCEPTED);
    assertThat(report(back)).isEqualTo(Reply.STALE);
    var second = takeOne();
    assertThat(second.attempt()).isEqualTo(first.attempt());
    var before = view(run, 2);

    var finish = telling(first, new Change.Finish(), "late").withHeartbeat(bytes("late"));
    var again = telling(first, new Change.Again(NOON), "late");
    var open = from(first, new Change.LeaveOpen());
    assertThat(tasks().report(List.of(back, finish, again, open), NOON))
        .containsExactly(Reply.STALE, Reply.STALE, Reply.STALE, Reply.STALE);
    assertThat(beat(first, "late", NOON.plusSeconds(5))).isEqualTo(Beat.Answer.LOST);

    assertThat(view(run, 2)).usingRecursiveComparison().isEqualTo(before);
    assertThat(values(run)).isEmpty();
    assertThat(beat(second, null, NOON).isHeld()).isTrue();
    finish(second);
  }

  @Test
  default void of_what_is_said_in_one_call_only_the_last_hand_out_counts() {
    var node = join();
    scheduled(node, "order-7", activity(2));
    var first = takeOne();
    assertThat(report(from(first, new Change.GiveBack(NOON)))).isEqualTo(Reply.ACCEPTED);
    var second = takeOne();

    var beats =
        List.of(
            new Beat(first.ref(), 1, first.hand(), bytes("late")),
            new Beat(second.ref(), 1, second.hand(), bytes("half")));
    assertThat(tasks().heartbeat(beats, NOON))
        .extracting(Beat.Answer::isHeld)
        .containsExactly(false, true);
    var finish = new Change.Finish();
    assertThat(tasks().report(List.of(from(first, finish), from(second, finish)), NOON))
        .containsExactly(Reply.STALE, Reply.ACCEPTED);
  }

  @Test
  default void who_does_not_know_the_hand_is_believed_by_the_attempt() {
    var node = join();
    scheduled(node, "order-7", activity(2), activity(3));
    var taken = take(10);
    leaveOpen(taken.get(1));

    var finish = new Change.Finish();
    var reports =
        taken.stream().map(task -> new Report(task.ref(), 1, null, null, finish, null, null));
    assertThat(tasks().report(reports.toList(), NOON))
        .containsExactly(Reply.ACCEPTED, Reply.ACCEPTED);
  }

  @Test
  default void a_worker_may_say_again_that_others_complete_it() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var handout = takeOne();
    leaveOpen(handout);

    leaveOpen(handout);

    assertThat(view(run, 2).state()).isEqualTo(State.EXTERNAL);
  }

  @Test
  default void what_waits_to_be_completed_from_outside_is_completed_by_its_last_attempt() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var handout = takeOne();

    leaveOpen(handout);

    assertThat(view(run, 2).state()).isEqualTo(State.EXTERNAL);
    assertThat(view(run, 2).leaseUntil()).isNull();
    assertThat(tasks().nextOverdue()).isEmpty();
    assertThat(take(10, NOON.plusSeconds(3600))).isEmpty();
    assertThat(report(telling(handout, new Change.Finish(), "42"))).isEqualTo(Reply.ACCEPTED);
    assertThat(values(run)).containsExactly("42");
    assertThat(tasks().ofRun(run)).isEmpty();
  }

  @Test
  default void only_the_last_attempt_counts() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var first = takeOne();
    again(first, NOON, NOON);

    assertThat(report(telling(first, new Change.Finish(), "early"))).isEqualTo(Reply.STALE);
    var second = takeOne();
    assertThat(report(telling(first, new Change.Finish(), "late"))).isEqualTo(Reply.STALE);

    assertThat(values(run)).isEmpty();
    assertThat(view(run, 2).state()).isEqualTo(State.LEASED);
    finish(second);
  }

  @Test
  default void details_that_come_with_a_report_are_kept() {
    var node = join();
    scheduled(node, "order-7", activity(2));
    var first = takeOne();

    var change = new Change.Again(NOON);
    assertThat(report(from(first, change).withHeartbeat(bytes("half")))).isEqualTo(Reply.ACCEPTED);

    assertThat(takeOne().heartbeat()).isEqualTo(bytes("half"));
  }

  @Test
  default void each_report_has_its_answer_in_order() {
    var node = join();
    scheduled(node, "order-7", activity(2), activity(3), activity(4));
    var taken = take(10);
    again(taken.get(1), NOON, NOON);

    var replies =
        tasks()
            .report(
                List.of(
                    telling(taken.get(2), new Change.Finish(), "c"),
                    telling(taken.get(1), new Change.Finish(), "b"),
                    telling(taken.get(0), new Change.Finish(), "a"),
                    telling(taken.get(0), new Change.Finish(), "a")),
                NOON);

    assertThat(replies).containsExactly(Reply.ACCEPTED, Reply.STALE, Reply.ACCEPTED, Reply.GONE);
    assertThat(values(taken.getFirst().ref().run())).containsExactly("c", "a");
    assertThat(tasks().report(List.of(), NOON)).isEmpty();
  }

  @Test
  default void what_never_was_is_gone() {
    join();

    var report = new Report(new TaskRef(77, 2), 1, null, null, new Change.Finish(), null, null);
    assertThat(report(report)).isEqualTo(Reply.GONE);
  }

  // ---- what the run is told ---------------------------------------------------------------------

  @Test
  default void a_run_is_told_with_the_change() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var first = takeOne();

    var retry = telling(first, new Change.Again(NOON), "again");
    assertThat(report(retry)).isEqualTo(Reply.ACCEPTED);
    assertThat(report(telling(takeOne(), new Change.Finish(), "done"))).isEqualTo(Reply.ACCEPTED);

    assertThat(store().inputs(run))
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("id")
        .containsExactly(
            TasksUnderTest.told(first.ref(), 1, "again"),
            TasksUnderTest.told(first.ref(), 2, "done"));
    assertThat(store().runsWithInputs(node.id(), List.of("Checkout"))).containsExactly(run);
    node.store(consume(run, 3, ids(run), completed()));
  }

  private List<Long> ids(long run) {
    return store().inputs(run).stream().map(InputRow::id).toList();
  }

  @Test
  default void a_run_that_is_told_something_does_not_close_before_it_knows() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    assertThat(report(telling(takeOne(), new Change.Finish(), "42"))).isEqualTo(Reply.ACCEPTED);

    assertThat(node.commit(close(run, 3))).containsExactly(Outcome.INPUTS_WAITING);
    assertThat(values(run)).containsExactly("42");
  }

  @Test
  default void a_closed_run_is_told_nothing_and_its_task_ends() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var handout = takeOne();
    node.store(close(run, 3));

    assertThat(report(telling(handout, new Change.Finish(), "42"))).isEqualTo(Reply.ACCEPTED);

    assertThat(store().inputs(run)).isEmpty();
    assertThat(tasks().ofRun(run)).isEmpty();
    assertThat(store().inconsistencies(10)).isEmpty();
  }

  @Test
  default void a_workflow_that_goes_on_is_not_told_what_its_last_run_asked_for() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var handout = takeOne();
    var next = node.run("order-7");
    node.store(goOn(run, 3, next));

    assertThat(report(telling(handout, new Change.Finish(), "42"))).isEqualTo(Reply.ACCEPTED);

    assertThat(store().inputs(run)).isEmpty();
    assertThat(store().inputs(next.key())).isEmpty();
  }

  @Test
  default void a_held_run_is_told() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var handout = takeOne();
    node.change(run, new RunChange.Block("R101 …"));

    assertThat(report(telling(handout, new Change.Finish(), "42"))).isEqualTo(Reply.ACCEPTED);

    assertThat(values(run)).containsExactly("42");
  }

  @Test
  default void a_run_that_nobody_has_is_found_by_what_it_is_told() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var handout = takeOne();
    node.change(run, new RunChange.Release(null));
    assertThat(node.claim(NOON)).isEmpty();

    assertThat(report(telling(handout, new Change.Finish(), "42"))).isEqualTo(Reply.ACCEPTED);

    assertThat(node.claim(NOON)).containsExactly("order-7");
  }

  @Test
  default void what_is_told_twice_waits_once() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var handout = takeOne();
    node.store(new Accept(TasksUnderTest.told(handout.ref(), 1, "41")));

    assertThat(report(telling(handout, new Change.Finish(), "42"))).isEqualTo(Reply.ACCEPTED);

    assertThat(values(run)).containsExactly("41");
  }

  @Test
  default void a_signal_with_the_message_id_of_a_report_does_not_replace_it() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    var handout = takeOne();
    node.store(signal(run, "41", TasksUnderTest.told(handout.ref(), 1, "42").message()));

    assertThat(report(telling(handout, new Change.Finish(), "42"))).isEqualTo(Reply.ACCEPTED);

    assertThat(values(run)).containsExactly("41", "42");
  }

  @Test
  default void inputs_of_many_runs_are_read_together() {
    var node = join();
    long one = node.start("order-1");
    long two = node.start("order-2");
    long three = node.start("order-3");
    node.store(signal(one, "1"), signal(three, "3"), signal(one, "2"));

    var found = store().inputs(List.of(one, two, three, -1L));

    assertThat(found).containsOnlyKeys(one, three);
    assertThat(found.get(one)).extracting(InputRow::id).containsExactlyElementsOf(ids(one));
    assertThat(found.get(three))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactlyElementsOf(store().inputs(three));
    assertThat(store().inputs(List.of())).isEmpty();
  }

  // ---- old runs ---------------------------------------------------------------------------------

  @Test
  default void a_closed_run_is_kept_as_long_as_it_has_tasks() {
    var node = join();
    long run = scheduled(node, "order-7", activity(2));
    node.store(close(run, 3));
    long other = node.start("order-8");
    node.store(close(other, 2));
    var old = NOON.plusSeconds(3600);

    assertThat(store().deleteClosed(old, 1)).isEqualTo(1);
    assertThat(store().find("order-8")).isEmpty();
    assertThat(store().deleteClosed(old, 1)).isZero();
    finish(takeOne());
    assertThat(store().deleteClosed(old, 1)).isEqualTo(1);

    assertThat(store().find("order-7")).isEmpty();
    assertThat(store().inconsistencies(10)).isEmpty();
  }
}

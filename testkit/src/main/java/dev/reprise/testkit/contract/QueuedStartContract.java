package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.append;
import static dev.reprise.testkit.contract.Rows.bytes;
import static dev.reprise.testkit.contract.Rows.close;
import static dev.reprise.testkit.contract.Rows.consume;
import static dev.reprise.testkit.contract.Rows.delivery;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.goOn;
import static dev.reprise.testkit.contract.Rows.sending;
import static dev.reprise.testkit.contract.Rows.signal;
import static dev.reprise.testkit.contract.TaskSpec.QUEUE;
import static dev.reprise.testkit.contract.TaskSpec.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ListQuery;
import dev.reprise.QueueLimits;
import dev.reprise.Status;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Report.Change;
import dev.reprise.engine.store.Report.Reply;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskView.State;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How runs wait on queues, begin, and keep their place until they close. */
public interface QueuedStartContract extends TasksUnderTest {

  private static EventRow started(String input) {
    var type = EventType.WORKFLOW_STARTED.code();
    return new EventRow(1, NOON, type, null, bytes("{\"workflow\":\"Checkout\"}"), bytes(input));
  }

  private RunRow row(String workflowId) {
    return new RunRow(
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
  }

  private Start start(String workflowId, TaskSpec spec) {
    return new Start(row(workflowId), List.of(started("{}")), TasksUnderTest.tasks(spec));
  }

  private long queued(TestNode node, String workflowId, TaskSpec spec) {
    var start = start(workflowId, spec);
    node.store(start);
    return start.run().key();
  }

  private static Append begin(Handout handout, Instant at) {
    var begin = new RunChange.Begin(at);
    return new Append(handout.ref().run(), List.of(handout.event()), List.of(), begin);
  }

  /** A run that has waited and begun; gives its key. */
  private long begun(TestNode node, String workflowId, TaskSpec spec) {
    long run = queued(node, workflowId, spec);
    node.store(begin(takeOne(), NOON));
    return run;
  }

  // ---- waiting ----------------------------------------------------------------------------------

  @Test
  default void a_run_on_a_queue_is_there_and_has_not_begun() {
    var node = join();

    var start = start("order-7", run().key("tenant-3"));
    node.store(start);

    long run = start.run().key();
    assertThat(found("order-7")).isEqualTo(start.run());
    assertThat(node.history(run)).isEmpty();
    assertThat(store().lastEvent(run)).isEmpty();
    assertThat(view(run, 0).state()).isEqualTo(State.READY);
    assertThat(view(run, 0).task()).isEqualTo(start.tasks().getFirst());
    assertThat(listed(ListQuery.all().with(Status.QUEUED))).containsExactly(start.run());
    assertThat(node.claim(NOON.plusSeconds(3600))).isEmpty();
    assertThat(store().nextWake(node.id(), List.of("Checkout"))).isEmpty();
    assertThat(store().ownedRuns()).doesNotContainKey(node.id());
    assertThat(node.commit(new Start(node.run("order-7"), event(1))))
        .containsExactly(Outcome.EXISTS);
    assertThat(store().inconsistencies(10)).isEmpty();
  }

  @Test
  default void a_run_that_waits_takes_inputs_and_nothing_else() {
    var node = join();
    long sender = node.start("order-1");
    long run = queued(node, "order-7", run());

    node.store(signal(run, "1"), sending(append(sender, 2, 2), delivery("order-7", "2")));

    assertThat(values(run)).containsExactly("1", "2");
    assertThat(node.claim(NOON.plusSeconds(3600))).isEmpty();
    assertThat(store().runsWithInputs(node.id(), List.of("Checkout"))).isEmpty();
    assertThat(
            node.commit(
                append(run, 1, 1),
                append(run, 1, 1, new RunChange.WakeAt(NOON)),
                append(run, 1, 1, new RunChange.Release(NOON)),
                append(run, 1, 1, new RunChange.Block("R101 …")),
                append(run, 1, 1, new RunChange.Unblock(NOON)),
                append(run, 1, 1, new RunChange.Compensate(NOON)),
                goOn(run, 1, node.run("order-7"))))
        .containsOnly(Outcome.NOT_OPEN);
    assertThat(found("order-7").status()).isEqualTo(Status.QUEUED);
  }

  @Test
  default void the_next_node_finds_runs_waiting_as_they_were() {
    var dead = join();
    long run = queued(dead, "order-7", run());

    var heir = join();

    assertThat(heir.claim(NOON.plusSeconds(3600))).isEmpty();
    heir.store(begin(takeOne(), NOON));
    assertThat(found("order-7").owner()).isEqualTo(heir.id());
    assertThat(heir.history(run)).hasSize(1);
  }

  // ---- beginning --------------------------------------------------------------------------------

  @Test
  default void a_run_begins_with_the_event_that_was_kept() {
    var node = join();
    var start = start("order-7", run());
    node.store(start);
    long run = start.run().key();

    var handout = takeOne();

    assertThat(handout)
        .usingRecursiveComparison()
        .isEqualTo(
            new Handout(
                TaskRef.ofRun(run),
                QUEUE,
                1,
                handout.hand(),
                NOON.plus(TaskSpec.LEASE),
                null,
                started("{}"),
                "order-7",
                start.run().runId(),
                null));
    node.store(signal(run, "1"), begin(handout, NOON.plusSeconds(2)));
    var row = found("order-7");
    assertThat(row.status()).isEqualTo(Status.RUNNING);
    assertThat(row.owner()).isEqualTo(node.id());
    assertThat(row.wakeAt()).isEqualTo(NOON.plusSeconds(2));
    assertThat(node.history(run))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(started("{}"));
    assertThat(store().runsWithInputs(node.id(), List.of("Checkout"))).containsExactly(run);
    node.store(append(run, 2, 2));
    assertThat(store().inconsistencies(10)).isEmpty();
  }

  @Test
  default void a_run_begins_once() {
    var node = join();
    long run = queued(node, "order-7", run());
    var handout = takeOne();
    node.store(begin(handout, NOON));

    assertThat(node.commit(begin(handout, NOON))).containsExactly(Outcome.NOT_OPEN);
    assertThat(node.commit(append(run, 2, 2, new RunChange.Begin(NOON))))
        .containsExactly(Outcome.NOT_OPEN);
    assertThat(node.commit(append(-1, 1, 1, new RunChange.Begin(NOON))))
        .containsExactly(Outcome.NOT_OPEN);
    assertThat(node.history(run)).hasSize(1);
  }

  @Test
  default void a_run_that_has_begun_is_in_nobodys_hand_and_never_overdue() {
    var node = join();
    long run = queued(node, "order-7", run().until(NOON.plusSeconds(60)));
    var handout = takeOne();
    node.store(begin(handout, NOON));

    var view = view(run, 0);
    assertThat(view.state()).isEqualTo(State.OPEN);
    assertThat(view.leaseUntil()).isNull();
    assertThat(view.deadline()).isNull();
    assertThat(overdue(NOON.plusSeconds(3600))).isEmpty();
    assertThat(tasks().nextOverdue()).isEmpty();
    assertThat(take(10, NOON.plusSeconds(3600))).isEmpty();
    assertThat(beat(handout, null, NOON).isHeld()).isFalse();
    assertThat(report(TasksUnderTest.from(handout, new Change.Finish()))).isEqualTo(Reply.STALE);
    assertThat(report(TasksUnderTest.from(handout, new Change.GiveBack(NOON))))
        .isEqualTo(Reply.STALE);
  }

  @Test
  default void a_run_whose_beginning_is_refused_still_waits() {
    var node = join();
    long run = queued(node, "order-7", run().debounced("u"));
    var handout = takeOne();

    assertThatThrownBy(() -> node.commit(begin(handout, NOON), append(run, 1, 1)))
        .isInstanceOf(TransitionRefused.class);

    assertThat(found("order-7").status()).isEqualTo(Status.QUEUED);
    assertThat(view(run, 0).state()).isEqualTo(State.LEASED);
    assertThat(tasks().runWith(QUEUE, "u")).contains(run);
    again(handout, NOON, NOON);
    assertThat(takeOne().event()).usingRecursiveComparison().isEqualTo(started("{}"));
  }

  @Test
  default void a_run_that_was_given_back_is_handed_out_with_the_same_event() {
    var node = join();
    queued(node, "order-7", run());
    var first = takeOne();
    var back = TasksUnderTest.from(first, new Change.GiveBack(NOON));

    assertThat(report(back)).isEqualTo(Reply.ACCEPTED);

    var second = takeOne();
    assertThat(second).usingRecursiveComparison().ignoringFields("hand").isEqualTo(first);
    assertThat(report(back)).isEqualTo(Reply.STALE);
    node.store(begin(second, NOON));
  }

  @Test
  default void a_run_that_only_waits_for_its_time_is_on_no_queue() {
    var node = join();
    var later = NOON.plusSeconds(60);
    long run = queued(node, "order-7", run().queue("").visibleAt(later));

    assertThat(view(run, 0).state()).isEqualTo(State.DELAYED);
    assertThat(tasks().nextReady("")).contains(later);
    var taken = tasks().take(TasksUnderTest.taking("", 10, later));
    assertThat(taken).extracting(Handout::ref).containsExactly(TaskRef.ofRun(run));
  }

  // ---- its place --------------------------------------------------------------------------------

  @Test
  default void a_run_has_its_place_until_it_closes() {
    var node = join();
    tasks().limit(QUEUE, QueueLimits.none().concurrency(1));
    long first = begun(node, "order-1", run());
    queued(node, "order-2", run());

    assertThat(take(10)).isEmpty();
    assertThat(tasks().count(QUEUE).getFirst().open()).isEqualTo(1);
    node.change(first, new RunChange.Block("R101 …"));
    assertThat(take(10)).isEmpty();
    node.store(close(first, 2));
    assertThat(tasks().ofRun(first)).isEmpty();
    assertThat(take(10)).hasSize(1);
    assertThat(store().inconsistencies(10)).isEmpty();
  }

  @Test
  default void an_end_that_is_refused_leaves_it_its_place() {
    var node = join();
    long run = begun(node, "order-7", run());
    node.store(signal(run, "1"));

    assertThat(node.commit(close(run, 2))).containsExactly(Outcome.INPUTS_WAITING);

    assertThat(view(run, 0).state()).isEqualTo(State.OPEN);
  }

  @Test
  default void the_next_run_of_a_workflow_has_the_place_of_the_last() {
    var node = join();
    var spec = run().key("tenant-3").unique("u");
    long run = begun(node, "order-7", spec);
    var next = node.run("order-7");

    node.store(goOn(run, 2, next));

    assertThat(tasks().ofRun(run)).isEmpty();
    assertThat(view(next.key(), 0).state()).isEqualTo(State.OPEN);
    assertThat(view(next.key(), 0).task().key()).isEqualTo("tenant-3");
    assertThat(tasks().runWith(QUEUE, "u")).contains(next.key());
    assertThat(tasks().count(QUEUE).getFirst().open()).isEqualTo(1);
    assertThat(store().inconsistencies(10)).isEmpty();
    node.store(close(next.key(), 2));
    assertThat(tasks().count(QUEUE).getFirst().open()).isZero();
    assertThat(tasks().runWith(QUEUE, "u")).isEmpty();
  }

  @Test
  default void a_run_that_waits_can_be_ended() {
    var node = join();
    long run = queued(node, "order-7", run().unique("u"));
    var handed = takeOne();
    node.store(signal(run, "1"));
    var end = new RunChange.Close(Status.TERMINATED, NOON.plusSeconds(60));

    assertThat(node.commit(append(run, 1, 2, end))).containsExactly(Outcome.INPUTS_WAITING);
    var inputs = store().inputs(run).stream().map(InputRow::id).toList();
    node.store(consume(run, 1, inputs, end));

    assertThat(found("order-7").status()).isEqualTo(Status.TERMINATED);
    assertThat(tasks().ofRun(run)).isEmpty();
    assertThat(tasks().runWith(QUEUE, "u")).isEmpty();
    assertThat(node.commit(begin(handed, NOON))).containsExactly(Outcome.NOT_OPEN);
    assertThat(report(TasksUnderTest.from(handed, new Change.Finish()))).isEqualTo(Reply.GONE);
    assertThat(store().inconsistencies(10)).isEmpty();
  }

  // ---- one of a kind ----------------------------------------------------------------------------

  @Test
  default void of_two_runs_with_a_unique_key_there_is_one_until_it_closes() {
    var node = join();
    long run = queued(node, "order-7", run().unique("u"));

    var clash = start("order-8", run().unique("u"));
    assertThat(node.commit(clash)).containsExactly(Outcome.DUPLICATE);
    assertThat(store().find("order-8")).isEmpty();
    assertThat(tasks().runWith(QUEUE, "u")).contains(run);
    assertThat(tasks().runWith("cpu", "u")).isEmpty();
    node.store(start("order-9", run().unique("u").queue("cpu")));
    node.store(begin(takeOne(), NOON));
    assertThat(node.commit(clash)).containsExactly(Outcome.DUPLICATE);
    node.store(close(run, 2));
    assertThat(tasks().runWith(QUEUE, "u")).isEmpty();
    node.store(clash);
    assertThat(tasks().runWith(QUEUE, "u")).contains(clash.run().key());
  }

  @Test
  default void a_start_sees_those_ahead_of_it_in_the_batch() {
    var node = join();

    assertThat(
            node.commit(
                start("order-7", run().unique("u")),
                start("order-8", run().unique("u")),
                start("order-7", run().unique("u")),
                start("order-9", run().unique("v"))))
        .containsExactly(Outcome.STORED, Outcome.DUPLICATE, Outcome.EXISTS, Outcome.STORED);
  }

  @Test
  default void a_debounced_run_is_the_only_one_until_it_begins() {
    var node = join();
    long run = queued(node, "order-7", run().debounced("u"));
    var next = start("order-8", run().debounced("u"));

    assertThat(node.commit(next)).containsExactly(Outcome.DUPLICATE);
    var handout = takeOne();
    assertThat(node.commit(next)).containsExactly(Outcome.DUPLICATE);
    node.store(begin(handout, NOON), next);

    assertThat(tasks().runWith(QUEUE, "u")).contains(next.run().key());
    assertThat(found("order-7").key()).isEqualTo(run);
  }

  @Test
  default void a_run_that_was_not_handed_out_gets_another_start() {
    var node = join();
    var later = NOON.plusSeconds(5);
    long run = queued(node, "order-7", run().debounced("u").visibleAt(NOON.plusSeconds(1)));

    assertThat(tasks().replace(QUEUE, "u", started("{\"n\":2}"), later, NOON)).isTrue();
    assertThat(tasks().replace(QUEUE, "other", started("{}"), later, NOON)).isFalse();
    assertThat(tasks().replace("cpu", "u", started("{}"), later, NOON)).isFalse();

    assertThat(view(run, 0).task().visibleAt()).isEqualTo(later);
    assertThat(take(10, NOON.plusSeconds(4))).isEmpty();
    var handout = takeOne(later);
    assertThat(handout.event()).usingRecursiveComparison().isEqualTo(started("{\"n\":2}"));
    assertThat(handout.attempt()).isEqualTo(1);
    assertThat(tasks().replace(QUEUE, "u", started("{}"), later, NOON)).isFalse();
  }
}

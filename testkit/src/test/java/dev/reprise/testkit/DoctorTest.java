package dev.reprise.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityOptions;
import dev.reprise.FailureInfo;
import dev.reprise.Status;
import dev.reprise.engine.doctor.Check;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.doctor.Finding;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ActivityCompleted;
import dev.reprise.engine.event.Event.ActivityFailed;
import dev.reprise.engine.event.Event.ActivityRetryScheduled;
import dev.reprise.engine.event.Event.ActivityScheduled;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Event.TimerFired;
import dev.reprise.engine.event.Event.TimerScheduled;
import dev.reprise.engine.event.Event.WaitTimedOut;
import dev.reprise.engine.event.Event.WorkflowCompleted;
import dev.reprise.engine.event.Event.WorkflowStarted;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Queueing;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.replay.Tasks;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition.Accept;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.TestNode;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each defect is found in a history, or a row, that an engine would never write. */
class DoctorTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final UUID RUN_ID = new UUID(1, 7);
  private static final Call CHARGE = new Call("charge:1", "charge", "");
  private static final Event CHARGED = new ActivityCompleted(CHARGE, 1, Payload.none());
  private static final Event COMPLETED = new WorkflowCompleted(Payload.none());
  private static final FailureInfo FAILURE = new FailureInfo("Declined", null, null, null, null);
  private static final WorkflowStarted STARTED =
      new WorkflowStarted("Checkout", "order-7", RUN_ID, Payload.none());

  private final MemoryStore store = new MemoryStore();
  private final TestNode node = TestNode.join(store);

  // ---- histories --------------------------------------------------------------------------------

  @Test
  void a_sound_history_is_not_accused() {
    var dues = NOON.plusSeconds(4);
    start(STARTED);
    append(
        retry(1, 1),
        new ActivityCompleted(CHARGE, 2, Payload.none()),
        new TimerScheduled("sleep:1", dues),
        new TimerFired("sleep:1"),
        new WaitTimedOut("receive:1", NOON.plusSeconds(5)));
    close(7, COMPLETED);

    assertThat(examine()).isEmpty();
  }

  @Test
  void an_event_that_is_missing_is_found() {
    start(STARTED);
    append(CHARGED, new TimerScheduled("sleep:1", NOON.plusSeconds(60)));

    var found = examine(new WithoutEvent(2));

    assertFound(found, Check.INDEXES, "event #3 follows #1");
  }

  @Test
  void a_history_that_is_missing_is_found() {
    start(STARTED);

    assertFound(examine(new WithoutEvent(1)), Check.ROW, "it has no history");
  }

  @Test
  void an_event_that_cannot_be_read_is_found() {
    start(STARTED);
    node.store(
        new Append(
            key(),
            List.of(new EventRow(2, NOON, 99, null, "{}".getBytes(), null)),
            List.of(),
            new RunChange.None()));

    assertFound(examine(), Check.READABLE, "event #2 cannot be read");
  }

  @Test
  void a_history_that_begins_with_something_else_is_found() {
    start(CHARGED);

    assertFound(examine(), Check.ORDER, "event #1 is ActivityCompleted");
  }

  @Test
  void a_second_start_is_found() {
    start(STARTED);
    append(STARTED);

    assertFound(examine(), Check.ORDER, "event #2 is WorkflowStarted");
  }

  @Test
  void a_start_of_another_run_is_found() {
    start(new WorkflowStarted("Refund", "order-8", new UUID(1, 8), Payload.none()));

    assertThat(examine())
        .extracting(Finding::check)
        .containsExactly(Check.ROW, Check.ROW, Check.ROW);
  }

  @Test
  void an_event_behind_the_end_is_found() {
    start(STARTED);
    append(COMPLETED);
    close(3, CHARGED);

    assertThat(examine())
        .anySatisfy(found -> assertIs(found, Check.ORDER, "#3, ActivityCompleted, stands behind"));
  }

  @Test
  void time_that_goes_back_is_found() {
    start(STARTED);
    append(NOON.minusMillis(1), 2, CHARGED);

    assertFound(examine(), Check.TIMES, "event #2 is of 2026-03-01T11:59:59.999Z");
  }

  @Test
  void a_timer_that_fires_early_is_found() {
    start(STARTED);
    append(new TimerScheduled("sleep:1", NOON.plusSeconds(9)), new TimerFired("sleep:1"));

    assertFound(examine(), Check.TIMES, "early, it was due at 2026-03-01T12:00:09Z");
  }

  @Test
  void a_timer_that_fires_twice_is_found() {
    start(STARTED);
    append(
        new TimerScheduled("sleep:1", NOON.plusSeconds(1)),
        new TimerFired("sleep:1"),
        new TimerFired("sleep:1"));

    assertFound(examine(), Check.TIMES, "event #4 fires 'sleep:1': no timer");
  }

  @Test
  void a_limit_that_comes_early_is_found() {
    start(STARTED);
    append(new WaitTimedOut("receive:1", NOON.plusSeconds(9)));

    assertFound(examine(), Check.TIMES, "WaitTimedOut of 'receive:1'");
  }

  @Test
  void an_attempt_that_comes_early_is_found() {
    start(STARTED);
    append(retry(1, 9), new ActivityCompleted(CHARGE, 2, Payload.none()));

    assertFound(examine(), Check.TIMES, "ActivityCompleted of 'charge:1'");
  }

  @Test
  void an_activity_that_ends_twice_is_found() {
    start(STARTED);
    append(CHARGED, new ActivityFailed(CHARGE, 1, FAILURE));

    assertFound(examine(), Check.ACTIVITIES, "event #3 is ActivityFailed of 'charge:1'");
  }

  @Test
  void an_attempt_after_the_end_is_found() {
    start(STARTED);
    append(CHARGED);
    append(NOON.plusSeconds(2), 3, retry(1, 2));
    node.change(key(), new RunChange.WakeAt(NOON));

    assertFound(examine(), Check.ACTIVITIES, "event #3 is ActivityRetryScheduled of 'charge:1'");
  }

  @Test
  void an_attempt_that_was_skipped_is_found() {
    start(STARTED);
    append(new ActivityCompleted(CHARGE, 3, Payload.none()));

    assertFound(examine(), Check.ACTIVITIES, "event #2 is attempt 3 of 'charge:1', not 1");
  }

  // ---- rows -------------------------------------------------------------------------------------

  @Test
  void a_row_that_is_open_behind_the_end_is_found() {
    start(STARTED);
    append(COMPLETED);

    assertFound(examine(), Check.ROW, "it is RUNNING, its history ends as COMPLETED");
  }

  @Test
  void a_row_that_is_closed_before_the_end_is_found() {
    start(STARTED);
    close(2, CHARGED);

    assertFound(examine(), Check.ROW, "it is COMPLETED, its history ends as RUNNING");
  }

  @Test
  void a_row_that_was_closed_at_another_time_is_found() {
    start(STARTED);
    node.store(
        new Append(
            key(),
            List.of(row(NOON, 2, COMPLETED)),
            List.of(),
            new RunChange.Close(Status.COMPLETED, NOON.plusSeconds(1))));

    assertFound(examine(), Check.ROW, "it was closed at 2026-03-01T12:00:01Z");
  }

  @Test
  void the_next_attempt_on_a_queue_needs_nobody_to_wake_the_run() {
    start(STARTED);
    schedule();
    append(retry(1, 60));
    node.change(key(), new RunChange.Release(null));

    assertThat(examine()).isEmpty();
  }

  @Test
  void an_attempt_on_a_queue_is_made_by_another_clock() {
    start(STARTED);
    schedule();
    append(retry(1, 60), new ActivityCompleted(CHARGE, 2, Payload.none()));
    close(5, COMPLETED);

    assertThat(examine()).isEmpty();
  }

  @Test
  void a_sleep_that_nobody_would_wake_is_found() {
    start(STARTED);
    append(new TimerScheduled("sleep:1", NOON.plusSeconds(60)));
    node.change(key(), new RunChange.Release(null));

    assertFound(
        examine(), Check.TIMES, "it goes on never, its history has it due at 2026-03-01T12:01:00Z");
  }

  @Test
  void a_sleep_that_would_end_late_is_found() {
    start(STARTED);
    append(new TimerScheduled("sleep:1", NOON.plusSeconds(60)));
    node.change(key(), new RunChange.Release(NOON.plusSeconds(3_600)));

    assertFound(examine(), Check.TIMES, "it goes on at 2026-03-01T13:00:00Z");
  }

  // ---- what nobody does -------------------------------------------------------------------------

  @Test
  void a_due_run_whose_workflow_nobody_serves_is_a_warning() {
    start(STARTED);
    node.change(key(), new RunChange.Release(NOON));

    var found = examineAt(NOON.plusSeconds(61));

    assertFound(found, Check.UNSERVED, "1 run of Checkout could go on, the first since");
    assertThat(found.getFirst().isError()).isFalse();
    assertThat(examineAt(NOON.plusSeconds(59))).isEmpty();
  }

  @Test
  void a_due_run_of_a_node_that_is_gone_is_a_warning() {
    start(STARTED);
    TestNode.join(store);

    assertFound(examineAt(NOON.plusSeconds(61)), Check.UNSERVED, "no engine serves it");
  }

  @Test
  void a_due_run_that_is_not_taken_though_an_engine_serves_its_workflow_is_an_error() {
    start(STARTED);
    node.change(key(), new RunChange.Release(NOON));
    var other = node.run("order-8", "Checkout", null);
    var began = new WorkflowStarted("Checkout", "order-8", other.runId(), Payload.none());
    node.store(new Start(other, row(other.startedAt(), 1, began)));

    assertFound(examineAt(NOON.plusSeconds(61)), Check.LATE, "an engine serves it");
  }

  @Test
  void a_run_that_is_in_memory_may_be_busy_for_long() {
    start(STARTED);

    assertThat(examineAt(NOON.plusSeconds(3_600))).isEmpty();
  }

  @Test
  void an_input_that_is_not_taken_in_is_found() {
    start(STARTED);
    accept();

    assertThat(examineAt(NOON.plusSeconds(59))).isEmpty();
    assertFound(examineAt(NOON.plusSeconds(61)), Check.INPUTS, "does not take in an input");
  }

  @Test
  void an_input_for_a_run_that_nobody_serves_is_a_warning() {
    start(STARTED);
    node.change(key(), new RunChange.Release(null));
    accept();

    assertFound(examineAt(NOON.plusSeconds(61)), Check.UNSERVED, "no engine serves it");
  }

  @Test
  void an_input_for_a_closed_run_is_found() {
    start(STARTED);
    accept();

    var found = examine(new Closed());

    assertThat(found).anySatisfy(one -> assertIs(one, Check.INPUTS, "1 inputs wait for it"));
  }

  @Test
  void an_input_may_wait_for_a_blocked_run() {
    start(STARTED);
    accept();
    node.change(key(), new RunChange.Block("R101"));

    assertThat(examineAt(NOON.plusSeconds(3_600))).isEmpty();
  }

  // ---- the examination itself -------------------------------------------------------------------

  @Test
  void a_run_that_moves_on_while_it_is_read_is_not_accused() {
    start(STARTED);
    append(COMPLETED);

    assertThat(examine(new ClosingMeanwhile())).isEmpty();
  }

  @Test
  void only_the_newest_runs_are_read_if_wished() {
    start(STARTED);
    for (int i = 8; i < 12; i++) {
      var run = node.run("order-" + i, "Checkout", null);
      var began = new WorkflowStarted("Checkout", "order-" + i, run.runId(), Payload.none());
      node.store(new Start(run, row(run.startedAt(), 1, began)));
    }

    assertThat(new Doctor(store, () -> NOON).examineNewest(2).runs()).isEqualTo(2);
    assertThat(new Doctor(store, () -> NOON).examine().runs()).isEqualTo(5);
  }

  @Test
  void a_long_history_is_read_in_pages() {
    start(STARTED);
    append(
        IntStream.range(0, 1_000)
            .mapToObj(i -> new Call("charge:" + i, "charge", ""))
            .map(call -> new ActivityCompleted(call, 1, Payload.none()))
            .toArray(Event[]::new));

    var examined = new Doctor(store, () -> NOON).examine();

    assertThat(examined.findings()).isEmpty();
    assertThat(examined.events()).isEqualTo(1_001);
  }

  // ---- how to do it -----------------------------------------------------------------------------

  private List<Finding> examine() {
    return examine(new ForwardingStore(store));
  }

  private List<Finding> examine(ForwardingStore damaged) {
    return new Doctor(damaged, () -> NOON).examine().findings();
  }

  private List<Finding> examineAt(Instant now) {
    return new Doctor(store, () -> now).examine().findings();
  }

  private static void assertFound(List<Finding> found, Check check, String what) {
    assertThat(found).singleElement().satisfies(one -> assertIs(one, check, what));
  }

  private static void assertIs(Finding finding, Check check, String what) {
    assertThat(finding.check()).isEqualTo(check);
    assertThat(finding.toString()).contains("order-7", what);
  }

  private long key() {
    return store.find("order-7").orElseThrow().key();
  }

  private void start(Event first) {
    var run =
        new RunRow(
            store.reserveKeys(1),
            RUN_ID,
            "order-7",
            "Checkout",
            Status.RUNNING,
            node.id(),
            NOON,
            NOON,
            null,
            null,
            0);
    node.store(new Start(run, row(NOON, 1, first)));
  }

  /** Further events, a second apart. */
  private void append(Event... events) {
    int size = node.history(key()).size();
    var rows =
        IntStream.range(0, events.length)
            .mapToObj(i -> row(NOON.plusSeconds(size + i), size + i + 1, events[i]))
            .toList();
    node.store(new Append(key(), rows, List.of(), new RunChange.None()));
  }

  private void schedule() {
    var options = ActivityOptions.onQueue("gpu");
    var queueing = Queueing.of(options, null, null);
    var activity = new ActivityScheduled(CHARGE, queueing, Payload.none(), List.of(), "void", 1);
    var asked = new Recorded(2, NOON.plusSeconds(1), null, activity);
    node.store(
        new Append(
            key(),
            List.of(EventRow.of(asked)),
            List.of(),
            new RunChange.None(),
            List.of(),
            null,
            List.of(Tasks.of(asked, activity)),
            List.of()));
  }

  private void append(Instant at, int index, Event event) {
    node.store(new Append(key(), List.of(row(at, index, event)), List.of(), new RunChange.None()));
  }

  private void close(int index, Event last) {
    var at = NOON.plusSeconds(index);
    node.store(
        new Append(
            key(),
            List.of(row(at, index, last)),
            List.of(),
            new RunChange.Close(Status.COMPLETED, at)));
  }

  private void accept() {
    var value = "1".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    node.store(new Accept(new InputRow(0, key(), Kind.SIGNAL, "approval", "message", value, NOON)));
  }

  private static Event retry(int attempt, int seconds) {
    return new ActivityRetryScheduled(CHARGE, attempt, FAILURE, NOON.plusSeconds(seconds));
  }

  private static EventRow row(Instant at, int index, Event event) {
    return EventRow.of(new Recorded(index, at, null, event));
  }

  private static RunRow closed(RunRow row, Instant at) {
    return new RunRow(
        row.key(),
        row.runId(),
        row.workflowId(),
        row.workflow(),
        Status.COMPLETED,
        null,
        null,
        row.startedAt(),
        at,
        null,
        0);
  }

  /** An event that got lost; the only one, if it is the first. */
  private final class WithoutEvent extends ForwardingStore {
    private final int index;

    WithoutEvent(int index) {
      super(store);
      this.index = index;
    }

    @Override
    public List<EventRow> history(long run, int fromIndex, int limit) {
      return super.history(run, fromIndex, limit).stream().filter(e -> e.index() != index).toList();
    }
  }

  /** A run that closed in spite of its inputs. */
  private final class Closed extends ForwardingStore {
    Closed() {
      super(store);
    }

    @Override
    public List<RunRow> runs(Collection<Long> keys) {
      return super.runs(keys).stream().map(row -> closed(row, NOON)).toList();
    }
  }

  /** A run that closes after its row was read for the first time. */
  private final class ClosingMeanwhile extends ForwardingStore {
    private boolean read;

    ClosingMeanwhile() {
      super(store);
    }

    @Override
    public List<RunRow> runs(Collection<Long> keys) {
      if (read) return super.runs(keys).stream().map(r -> closed(r, NOON.plusSeconds(1))).toList();
      read = true;
      return super.runs(keys);
    }
  }
}

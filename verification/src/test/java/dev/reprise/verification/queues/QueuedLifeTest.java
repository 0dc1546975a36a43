package dev.reprise.verification.queues;

import static dev.reprise.verification.queues.Hall.awaitStatus;
import static dev.reprise.verification.queues.Hall.outline;
import static dev.reprise.verification.queues.Hall.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ActivityOptions;
import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Fork;
import dev.reprise.Query;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.Update;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import dev.reprise.WorkflowTerminated;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.archive.History;
import dev.reprise.engine.archive.HistoryJson;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskView;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What can be done to a workflow that has not begun. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class QueuedLifeTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Query<String, String> STATE = Query.of("state", String.class, String.class);
  private static final Update<String, String> CHANGE =
      Update.of("change", String.class, String.class);
  private static final StartOptions ON_Q = StartOptions.onQueue("q");

  @RegisterExtension final Hall hall;
  private final AtomicInteger begun = new AtomicInteger();

  QueuedLifeTest(Database database) {
    this.hall = new Hall(database);
  }

  private String listen(Context ctx, String in) {
    begun.incrementAndGet();
    ctx.onQuery(STATE, _ -> "in " + in);
    ctx.onUpdate(CHANGE, to -> "from " + in + " to " + to);
    return in + " " + ctx.receive(WORD);
  }

  private static String parent(Context ctx, String childId) {
    var options = ChildOptions.defaults().id(childId);
    return ctx.start("listen", "child", String.class, options).result().await();
  }

  /** Asks for something that nobody does, and makes a mistake. */
  private static String stuck(Context ctx, String in) {
    ctx.with(ActivityOptions.onQueue("nobody")).schedule("work", String.class, in);
    throw new AssertionError("a mistake");
  }

  private void workflows(Reprise reprise) {
    reprise
        .activity("work", String.class, _ -> {})
        .workflow("listen", String.class, String.class, this::listen)
        .workflow("parent", String.class, String.class, QueuedLifeTest::parent)
        .workflow("stuck", String.class, String.class, QueuedLifeTest::stuck);
  }

  private Engine open() {
    return hall.open(this::workflows);
  }

  private void assertNothingIsLeft(String workflowId) {
    var row = hall.store().find(workflowId).orElseThrow();
    assertThat(hall.store().tasks().find(TaskRef.ofRun(row.key()))).isEmpty();
    assertThat(hall.store().inputs(row.key())).isEmpty();
    assertThat(begun).hasValue(0);
    assertThat(Doctor.examine(hall.store())).isEmpty();
  }

  // ---- ended before it began --------------------------------------------------------------------

  @Test
  void cancelled_it_is_closed_at_once() {
    var engine = open();
    var run = engine.start("listen", "w", "in", ON_Q);
    run.signal(WORD, "nobody hears it");
    hall.time().advance(Duration.ofHours(1));

    run.cancel("not needed");

    assertThat(run.status()).isEqualTo(Status.CANCELLED);
    assertThatThrownBy(() -> result(run))
        .isInstanceOf(WorkflowCancelled.class)
        .hasMessageContaining("not needed");
    assertThat(outline(run))
        .containsExactly("WorkflowStarted", "WorkflowCancelRequested", "WorkflowCancelled");
    assertThat(run.describe().startedAt()).isEqualTo(Hall.START);
    run.cancel("again");
    assertThat(run.history()).hasSize(3);
    engine.worker("q", 1);
    assertNothingIsLeft("w");
  }

  @Test
  void terminated_it_is_closed_at_once() {
    var engine = open();
    for (boolean undo : new boolean[] {false, true}) {
      var run = engine.start("listen", "w " + undo, "in", ON_Q);

      run.terminate("fire", undo);

      assertThatThrownBy(() -> result(run))
          .isInstanceOf(WorkflowTerminated.class)
          .hasMessageContaining("fire");
      assertThat(outline(run)).containsExactly("WorkflowStarted", "WorkflowTerminated");
      run.terminate("again");
      assertThat(run.history()).hasSize(2);
      assertNothingIsLeft("w " + undo);
    }
  }

  @Test
  void who_waits_for_its_result_hears_that_it_was_cancelled() {
    var engine = open();
    var run = engine.start("listen", "w", "in", ON_Q);
    var waiting = CompletableFuture.runAsync(() -> result(run));

    engine.cancel("w", "not needed");

    assertThatThrownBy(waiting::join).hasCauseInstanceOf(WorkflowCancelled.class);
  }

  @Test
  void cancelled_its_key_is_free() {
    var engine = open();
    var options = ON_Q.deduplicate("k");
    engine.start("listen", "first", "in", options).cancel("not needed");

    assertThat(engine.start("listen", "second", "in", options).workflowId()).isEqualTo("second");
  }

  @Test
  void retention_deletes_it_as_any_other() {
    var engine = open();
    engine.start("listen", "w", "in", ON_Q).cancel("not needed");
    engine.start("listen", "open", "in", ON_Q);
    var later = hall.time().now().plus(Duration.ofDays(1));

    assertThat(hall.store().deleteClosed(later, 10)).isEqualTo(1);
    assertThat(hall.store().find("w")).isEmpty();
    assertThat(hall.store().find("open")).isPresent();
  }

  // ---- asked before it began --------------------------------------------------------------------

  @Test
  void signals_wait_for_it() {
    var engine = open();
    var run = engine.start("listen", "w", "in", ON_Q);
    run.signal(WORD, "early", "message-1");
    run.signal(WORD, "early", "message-1");
    assertThat(run.history()).isEmpty();

    engine.worker("q", 1);

    assertThat(result(run)).isEqualTo("in early");
    assertThat(outline(run)).containsOnlyOnce("SignalReceived");
  }

  @Test
  void an_update_waits_for_it_and_a_query_does_not() {
    var engine = open();
    var run = engine.start("listen", "w", "in", ON_Q);
    var early = catchThrowableOfType(RepriseException.class, () -> run.query(STATE, ""));
    assertThat(early.code()).isEqualTo(ErrorCode.R127);
    assertThat(early).hasMessageContaining("has not begun");
    var update = CompletableFuture.supplyAsync(() -> run.update(CHANGE, "out"));
    var row = hall.store().find("w").orElseThrow();
    Hall.until("the update waits", () -> !hall.store().inputs(row.key()).isEmpty());

    engine.worker("q", 1);

    assertThat(update.join()).isEqualTo("from in to out");
    assertThat(run.query(STATE, "")).isEqualTo("in in");
  }

  @Test
  void there_is_nothing_to_fork_to_export_or_to_replay() {
    var engine = open();
    engine.start("listen", "w", "in", ON_Q);

    assertThat(catchThrowableOfType(RepriseException.class, () -> engine.fork(Fork.of("w", 1))))
        .returns(ErrorCode.R130, RepriseException::code)
        .hasMessageContaining("has not begun");
    var exported = HistoryJson.write(History.of(hall.store(), "w").orElseThrow());
    assertThatThrownBy(() -> HistoryJson.read(exported)).hasMessageContaining("had not begun");
    var setup = Reprise.inMemory();
    workflows(setup);
    assertThat(setup.gate().check(hall.store()).workflows())
        .allSatisfy(workflow -> assertThat(workflow.departures()).isEmpty());
  }

  @Test
  void a_child_cannot_have_its_id() {
    var engine = open();
    engine.start("listen", "taken", "in", ON_Q);

    var parent = engine.start("parent", "p", "taken");

    assertThatThrownBy(() -> result(parent))
        .isInstanceOf(WorkflowFailed.class)
        .hasMessageContaining("taken");
    assertThat(engine.describe("taken").status()).isEqualTo(Status.QUEUED);
  }

  // ---- held -------------------------------------------------------------------------------------

  @Test
  void a_held_run_that_is_terminated_leaves_nothing_on_queues() {
    var engine = open();
    engine.start("stuck", "w", "in");
    awaitStatus(engine, "w", Status.BLOCKED);
    var key = hall.store().find("w").orElseThrow().key();
    assertThat(hall.store().tasks().ofRun(key)).hasSize(1);

    engine.terminate("w", "fire");

    Hall.until(
        "nobody wants it",
        () -> hall.store().tasks().ofRun(key).stream().allMatch(TaskView::cancelled));
    Hall.until("it is gone", () -> hall.store().tasks().ofRun(key).isEmpty());
    assertThat(engine.describe("w").status()).isEqualTo(Status.TERMINATED);
  }
}

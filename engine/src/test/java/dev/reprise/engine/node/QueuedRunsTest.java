package dev.reprise.engine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.HistoryEvent;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.WorkflowCancelled;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.replay.RunSettings;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore.Take;
import dev.reprise.engine.store.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs that were handed out begin once, or end before that, whoever comes first. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class QueuedRunsTest {
  private static final StartOptions ON_Q = StartOptions.onQueue("q");
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int MANY = 200;

  private final MemoryStore store = MemoryStore.forMany();
  private final List<Incarnations> engines = new ArrayList<>();
  private final Incarnations one = engine();
  private final NodeClient client = new NodeClient(one);

  /** Says hello. */
  static final class Greeting implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String name) {
      return "hello " + name;
    }
  }

  private Incarnations engine() {
    return engine(time -> time);
  }

  private Incarnations engine(UnaryOperator<Time> as) {
    var runs =
        new RunSettings(
            new Values(new JsonCodec()), ActivityRegistry.ofStandIns(), RetryPolicy.defaults());
    var second = Duration.ofSeconds(1);
    var settings = new NodeSettings(runs, 100, 1_000_000, second, second, LIMIT);
    var greeting = WorkflowDefinition.of(new Greeting());
    var engine =
        new Incarnations(
            store,
            () -> as.apply(SystemTime.of(Machine.REAL, store.clock())),
            Map.of(greeting.name(), greeting),
            settings);
    engines.add(engine);
    return engine;
  }

  /** A time that meets a full heap once on a thread. */
  private record Interrupted(Time time, AtomicReference<Thread> thread) implements Time {
    @Override
    public Instant now() {
      if (thread.compareAndSet(Thread.currentThread(), null)) {
        throw new OutOfMemoryError("Java heap space");
      }
      return time.now();
    }

    @Override
    public void onAlarm(Runnable alarm) {
      time.onAlarm(alarm);
    }

    @Override
    public void alarmAt(Instant at) {
      time.alarmAt(at);
    }

    @Override
    public void close() {
      time.close();
    }
  }

  @AfterEach
  void close() {
    engines.forEach(Incarnations::close);
  }

  private List<Handout> take(int limit) {
    var policies = Map.of("Greeting", "");
    return store
        .tasks()
        .take(
            new Take(UUID.randomUUID(), "q", "test", policies, limit, 0, store.clock().instant()));
  }

  private Handout takeOne() {
    return take(1).getFirst();
  }

  private static boolean isBegun(CompletableFuture<Boolean> begun) throws Exception {
    return begun.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private String result(String workflowId) throws TimeoutException {
    return client.<String>handle(workflowId, String.class).result(LIMIT);
  }

  private List<String> outline(String workflowId) {
    return client.history(workflowId).stream().map(HistoryEvent::type).toList();
  }

  @Test
  void one_begins_when_it_was_handed_out_and_not_before() throws Exception {
    var handle = client.start(Greeting.class, "w", "you", ON_Q);
    assertThat(handle.status()).isEqualTo(Status.QUEUED);
    assertThat(handle.history()).isEmpty();
    var accepted = handle.describe().startedAt();

    assertThat(isBegun(one.current().beginQueued(takeOne()))).isTrue();

    assertThat(handle.result(LIMIT)).isEqualTo("hello you");
    assertThat(outline("w")).containsExactly("WorkflowStarted", "WorkflowCompleted");
    var begun = handle.history().getFirst().recordedAt();
    assertThat(begun).isAfterOrEqualTo(accepted).isEqualTo(handle.describe().startedAt());
    assertThat(store.tasks().count("q").getFirst().open()).isZero();
    assertThat(Doctor.examine(store)).isEmpty();
  }

  @Test
  void one_whose_begin_meets_an_error_is_answered_and_begins_in_the_next_node() throws Exception {
    var next = new AtomicReference<Thread>();
    var engine = engine(time -> new Interrupted(time, next));
    client.start(Greeting.class, "w", "you", ON_Q);
    var handout = takeOne();
    var before = engine.current();
    next.set(Thread.currentThread());

    var begun = before.beginQueued(handout);

    assertThatThrownBy(() -> isBegun(begun)).rootCause().isInstanceOf(OutOfMemoryError.class);
    while (engine.current() == before) Thread.onSpinWait(); // it is about to be followed
    assertThat(isBegun(engine.current().beginQueued(handout))).isTrue();
    assertThat(result("w")).isEqualTo("hello you");
  }

  @Test
  void of_two_who_let_one_begin_one_is_told_that_it_has_begun() throws Exception {
    client.start(Greeting.class, "w", "you", ON_Q);
    var first = takeOne();
    var late = Instant.now().plusSeconds(60);
    var found = store.tasks().overdue(late, 10).getFirst();
    giveBack(found, late);
    var second = takeOne();
    var other = engine();

    assertThat(isBegun(other.current().beginQueued(second))).isTrue();
    assertThat(isBegun(one.current().beginQueued(first))).isFalse();
    assertThat(isBegun(other.current().beginQueued(second))).isFalse();

    assertThat(result("w")).isEqualTo("hello you");
    assertThat(outline("w")).containsExactly("WorkflowStarted", "WorkflowCompleted");
  }

  private void giveBack(TaskView task, Instant now) {
    var change = new Report.Change.GiveBack(now.minusSeconds(120));
    var report = new Report(task.ref(), task.attempt(), null, now, change, null, null);
    assertThat(store.tasks().report(List.of(report), now)).containsExactly(Report.Reply.ACCEPTED);
  }

  @Test
  void one_that_was_cancelled_after_it_was_handed_out_does_not_begin() throws Exception {
    var handle = client.start(Greeting.class, "w", "you", ON_Q);
    var handout = takeOne();

    handle.cancel("not needed");

    assertThat(handle.status()).isEqualTo(Status.CANCELLED);
    assertThat(isBegun(one.current().beginQueued(handout))).isFalse();
    assertThatThrownBy(() -> handle.result(LIMIT))
        .isInstanceOf(WorkflowCancelled.class)
        .hasMessageContaining("not needed");
    assertThat(store.tasks().find(TaskRef.ofRun(handout.ref().run()))).isEmpty();
  }

  @Test
  void cancelled_while_they_begin_each_is_whole() throws Exception {
    for (int i = 0; i < MANY; i++) client.start(Greeting.class, "w" + i, "you", ON_Q);
    var handouts = take(MANY);
    assertThat(handouts).hasSize(MANY);
    var other = engine();

    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < MANY; i++) {
        var handout = handouts.get(i);
        var node = i % 2 == 0 ? one.current() : other.current();
        callers.execute(() -> cancelUnlessClosed(handout.workflowId()));
        callers.execute(() -> node.beginQueued(handout).join());
      }
    }

    for (int i = 0; i < MANY; i++) {
      client.<String>handle("w" + i, String.class).describe();
      awaitClosed("w" + i);
      var outline = outline("w" + i);
      assertThat(outline.getFirst()).isEqualTo("WorkflowStarted");
      assertThat(outline.getLast()).isIn("WorkflowCancelled", "WorkflowCompleted");
    }
    assertThat(store.tasks().count("q").getFirst().open()).isZero();
    assertThat(Doctor.examine(store)).isEmpty();
  }

  private void cancelUnlessClosed(String workflowId) {
    try {
      client.cancel(workflowId, "changed my mind");
    } catch (RepriseException closed) {
      assertThat(closed.code()).isEqualTo(ErrorCode.R114);
    }
  }

  private void awaitClosed(String workflowId) {
    try {
      assertThat(result(workflowId)).isEqualTo("hello you");
    } catch (WorkflowCancelled cancelled) {
      assertThat(cancelled).hasMessageContaining("changed my mind");
    } catch (TimeoutException late) {
      throw new AssertionError(workflowId + " does not end", late);
    }
  }

  @Test
  void a_node_that_does_not_have_the_workflow_writes_nothing() throws Exception {
    client.start(Greeting.class, "w", "you", ON_Q);
    var handout = takeOne();
    var visitor = visitor();

    var begun = visitor.current().beginQueued(handout);

    assertThatThrownBy(() -> isBegun(begun)).hasMessageContaining("R102");
    assertThat(client.describe("w").status()).isEqualTo(Status.QUEUED);
  }

  private Incarnations visitor() {
    var runs =
        new RunSettings(
            new Values(new JsonCodec()), ActivityRegistry.ofStandIns(), RetryPolicy.defaults());
    var second = Duration.ofSeconds(1);
    var visitor =
        new Incarnations(
            store,
            () -> SystemTime.of(Machine.REAL, store.clock()),
            Map.of(),
            new NodeSettings(runs, 100, 1_000_000, second, second, LIMIT));
    engines.add(visitor);
    return visitor;
  }

  @Test
  void a_client_without_the_code_starts_one_and_hears_of_its_end() throws Exception {
    var remote = new NodeClient(visitor());
    var handle = remote.start(Greeting.class, "w", "you", ON_Q);

    assertThat(isBegun(one.current().beginQueued(takeOne()))).isTrue();

    assertThat(handle.result(LIMIT)).isEqualTo("hello you");
    assertThat(remote.start(Greeting.class, "w", "you", ON_Q).runId()).isEqualTo(handle.runId());
  }
}

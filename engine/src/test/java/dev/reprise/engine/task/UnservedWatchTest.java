package dev.reprise.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Status;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.replay.LogLines;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.WorkerRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UnservedWatchTest {
  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
  private static final Duration LEASE = Duration.ofMinutes(5);

  private final Store store = MemoryStore.forMany();
  private final UUID node = UUID.randomUUID();
  private final UnservedWatch watch = new UnservedWatch(store);
  private long sequence;

  private void engine(UUID id, String... workflows) {
    store.join(new Joining(id, "host/1", false, LEASE, List.of(workflows)));
  }

  private void commit(Transition... transitions) {
    assertThat(store.commit(new Batch(node, ++sequence, List.of(transitions))))
        .containsOnly(Store.Outcome.STORED);
  }

  /** A run of the node, or one that waits for an engine that has its workflow. */
  private long start(String workflowId, String workflow) {
    long key = store.reserveKeys(1);
    var owner = workflow.equals("Kid") ? null : node;
    var row =
        new RunRow(
            key,
            UUID.randomUUID(),
            workflowId,
            workflow,
            Status.RUNNING,
            owner,
            NOON,
            NOON,
            null,
            null,
            0);
    var attributes = "{}".getBytes(StandardCharsets.UTF_8);
    var type = EventType.WORKFLOW_STARTED.code();
    commit(new Transition.Start(row, new EventRow(1, NOON, type, null, attributes, null)));
    return key;
  }

  private void onQueue(long run, int index, String queue, String name) {
    var task = new NewTask(index, queue, name, "", 0, NOON, LEASE, null, null, null, null, false);
    var attributes = "{}".getBytes(StandardCharsets.UTF_8);
    var type = EventType.ACTIVITY_SCHEDULED.code();
    var event = new EventRow(index, NOON, type, null, attributes, null);
    var none = new RunChange.None();
    commit(
        new Transition.Append(
            run, List.of(event), List.of(), none, List.of(), null, List.of(task), List.of()));
  }

  private void worker(String queue, Instant at, String... names) {
    var worker = new WorkerRow(UUID.randomUUID(), queue, "host/2", 1, List.of(names), at);
    store.tasks().serve(worker);
  }

  private List<String> saidAt(Duration later) {
    try (var log = new LogLines(UnservedWatch.class.getName())) {
      watch.look(NOON.plus(later));
      return log.with("WARN");
    }
  }

  @Test
  void a_queue_that_nobody_serves_is_mentioned_after_a_minute_and_then_rarely() {
    engine(node, "Order");
    onQueue(start("order-7", "Order"), 2, "gpu", "Images.render");

    assertThat(saidAt(Duration.ofSeconds(59))).isEmpty();
    assertThat(saidAt(Duration.ofSeconds(61)))
        .singleElement()
        .asString()
        .contains("nobody serves queue 'gpu'", "engine.worker(\"gpu\", …)", "queue=gpu");
    assertThat(saidAt(Duration.ofMinutes(10))).isEmpty();
    assertThat(saidAt(Duration.ofMinutes(12))).hasSize(1);
  }

  @Test
  void a_worker_that_lacks_the_activity_is_mentioned() {
    engine(node, "Order");
    long run = start("order-7", "Order");
    onQueue(run, 2, "gpu", "Images.render");
    onQueue(run, 3, "gpu", "Images.crop");
    worker("gpu", NOON.plusSeconds(60), "Images.crop");

    assertThat(saidAt(Duration.ofSeconds(61)))
        .singleElement()
        .asString()
        .contains("no worker of queue 'gpu' has 'Images.render'", "register it with activities(…)");
  }

  @Test
  void a_workflow_that_no_engine_has_is_mentioned_until_one_has_it() {
    engine(node, "Order");
    start("order-7", "Order");
    start("kid-1", "Kid");

    assertThat(saidAt(Duration.ofSeconds(59))).isEmpty();
    assertThat(saidAt(Duration.ofSeconds(61)))
        .singleElement()
        .asString()
        .contains("no engine has workflow 'Kid'", "start an engine that registers it");

    engine(UUID.randomUUID(), "Kid");

    assertThat(saidAt(Duration.ofMinutes(20))).isEmpty();
  }

  @Test
  void nothing_is_said_of_what_only_waits_for_its_turn() {
    engine(node, "Order");
    onQueue(start("order-7", "Order"), 2, "gpu", "Images.render");
    worker("gpu", NOON.plusSeconds(60), "Images.render");

    assertThat(saidAt(Duration.ofSeconds(61))).isEmpty();
  }
}

package dev.reprise.verification.property;

import dev.reprise.RetryPolicy;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.node.Node;
import dev.reprise.engine.node.NodeSettings;
import dev.reprise.engine.replay.LiveRun;
import dev.reprise.engine.replay.RunSettings;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow.Kind;
import dev.reprise.engine.store.RunRow;
import dev.reprise.testkit.CrashingStore;
import dev.reprise.testkit.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** One engine, from its start to its crash or its end, running one random program. */
final class Life implements AutoCloseable {
  static final String WORKFLOW_ID = "w";
  private static final String WORKFLOW = "Random";
  private static final Duration LOADED_AHEAD = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10); // then it hangs

  private final Gate gate = new Gate();
  private final CrashingStore store;
  private final VirtualTime time;
  private final Node node;

  Life(CrashingStore store, VirtualTime time, List<Op> program) {
    this.store = store;
    this.time = time;
    var workflow =
        WorkflowDefinition.of(WORKFLOW, String.class, String.class, new Interpreter(program, gate));
    var runs =
        new RunSettings(
            new Values(new JsonCodec()), new ActivityRegistry(List.of()), RetryPolicy.defaults());
    var settings =
        new NodeSettings(
            runs,
            10,
            1L << 30,
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10));
    this.node = new Node(store, time.view(), Map.of(WORKFLOW, workflow), settings, () -> {});
  }

  void start() {
    node.intake()
        .start(
            WORKFLOW,
            WORKFLOW_ID,
            Payload.of("\"in\"".getBytes(java.nio.charset.StandardCharsets.UTF_8)),
            StartOptions.defaults());
  }

  Gate gate() {
    return gate;
  }

  VirtualTime time() {
    return time;
  }

  RunRow row() {
    return store.find(WORKFLOW_ID).orElseThrow();
  }

  List<EventRow> history() {
    return store.history(row().key(), 1, Integer.MAX_VALUE);
  }

  boolean isOver() {
    return store.hasCrashed() || row().status() != Status.RUNNING;
  }

  void signal(String name, String value) {
    try {
      node.intake()
          .accept(
              WORKFLOW_ID,
              Kind.SIGNAL,
              name,
              "message " + value, // so that it is the same whichever way it goes
              Payload.of(("\"" + value + "\"").getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    } catch (RuntimeException e) {
      if (!isOver()) throw e;
    }
  }

  private static Payload json(String text) {
    return Payload.of(('"' + text + '"').getBytes(StandardCharsets.UTF_8));
  }

  /** Waits until the run can do nothing by itself: every activity is at the gate. */
  void settle() {
    await(() -> isOver() || isQuiet());
  }

  private boolean isQuiet() {
    return node.inMemory(WORKFLOW_ID)
        .map(run -> isQuiet(run.snapshot().join()))
        .orElseGet(this::sleeps);
  }

  /** It is not in memory, and nothing brings it there now. */
  private boolean sleeps() {
    var wakeAt = row().wakeAt();
    boolean soon = wakeAt != null && !wakeAt.isAfter(time.now().plus(LOADED_AHEAD));
    return !soon && store.inputs(row().key()).isEmpty();
  }

  private boolean isQuiet(LiveRun.Snapshot now) {
    return !now.busy() && now.activities() == gate.size() && now.events() == history().size();
  }

  void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("hangs; waiting: " + waits() + ", at the gate: " + gate.waiting());
      }
      Thread.yield();
    }
  }

  private List<String> waits() {
    return node.inMemory(WORKFLOW_ID)
        .map(run -> run.waitingFor().join().stream().map(Object::toString).toList())
        .orElse(List.of("gone"));
  }

  @Override
  public void close() {
    store.crash();
    gate.close();
    node.close();
  }
}

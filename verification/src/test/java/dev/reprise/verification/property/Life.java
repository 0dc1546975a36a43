package dev.reprise.verification.property;

import dev.reprise.RetryPolicy;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.node.Node;
import dev.reprise.engine.node.NodeSettings;
import dev.reprise.engine.replay.RunSettings;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.testkit.CrashingStore;
import dev.reprise.testkit.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** One engine, from its start to its crash or its end, running one random program. */
final class Life implements AutoCloseable {
  static final String WORKFLOW_ID = "w";
  private static final Duration LOADED_AHEAD = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10); // then it hangs
  private static final int LOOP_LIMIT = 6; // events of a loop
  private static final int MAX_RUNS = 10_000;

  private final Gate gate = new Gate();
  private final Map<Long, String> names = new HashMap<>(); // in the keys of activities, by run
  private final CrashingStore store;
  private final VirtualTime time;
  private final Node node;

  Life(CrashingStore store, VirtualTime time, List<Op> program) {
    this.store = store;
    this.time = time;
    var workflow =
        WorkflowDefinition.of(
            Interpreter.WORKFLOW, String.class, String.class, new Interpreter(program, gate));
    var runs =
        new RunSettings(
            new Values(new JsonCodec()),
            new ActivityRegistry(List.of(gate)),
            RetryPolicy.defaults(),
            Machine.REAL,
            null,
            LOOP_LIMIT);
    var settings =
        new NodeSettings(
                runs,
                10,
                1L << 30,
                Duration.ofMillis(1), // an activity at the gate never ends by itself
                Duration.ofSeconds(10),
                Duration.ofSeconds(10))
            .withRunIds(Life::runId);
    this.node =
        new Node(store, time.view(), Map.of(Interpreter.WORKFLOW, workflow), settings, () -> {});
  }

  private static UUID runId(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  void start(StartOptions options) {
    var input = json(Interpreter.In.ROOT.text());
    node.intake().start(Interpreter.WORKFLOW, WORKFLOW_ID, input, options);
  }

  Gate gate() {
    return gate;
  }

  VirtualTime time() {
    return time;
  }

  Node node() {
    return node;
  }

  /** The latest run of the program itself. */
  RunRow row() {
    return store.find(WORKFLOW_ID).orElseThrow();
  }

  List<RunRow> open() {
    return store.list(Filter.ALL, Long.MAX_VALUE, MAX_RUNS).stream()
        .filter(row -> !row.status().isClosed())
        .toList();
  }

  /** How long each history is, by run. */
  Map<UUID, Integer> sizes() {
    return Chronicle.of(store).sizes();
  }

  boolean isOver() {
    return store.hasCrashed()
        || open().stream().allMatch(row -> row.status() == Status.BLOCKED); // never by right
  }

  static Payload json(String text) {
    return Payload.of(('"' + text + '"').getBytes(StandardCharsets.UTF_8));
  }

  /** What each run in memory that answers has seen. */
  Map<UUID, String> answers() {
    var answers = new TreeMap<UUID, String>();
    for (var row : open()) {
      answer(row).ifPresent(answer -> answers.put(row.runId(), answer.toString()));
    }
    return answers;
  }

  private Optional<Payload> answer(RunRow row) {
    var run = node.inMemory(row.workflowId());
    if (run.isEmpty() || row.status() != Status.RUNNING) return Optional.empty();
    return run.get()
        .query(Interpreter.SEEN.name(), json(""))
        .exceptionally(_ -> Optional.empty()) // it does not answer yet
        .join();
  }

  // ---- waiting ----------------------------------------------------------------------------------

  /** Waits until no run can do anything by itself: every activity is at the gate. */
  void settle() {
    await(() -> isOver() || isQuiet());
  }

  private boolean isQuiet() {
    var motion = node.motion();
    var open = open();
    boolean due = motion.nextTimer().filter(next -> !next.isAfter(time.now())).isPresent();
    return !motion.busy()
        && !due
        && motion.activities() == gate.waiting().stream().filter(key -> isWanted(key, open)).count()
        && open.stream().allMatch(this::isAtRest);
  }

  /** Whether a run waits for the activity: not if it was terminated meanwhile. */
  private boolean isWanted(String key, List<RunRow> open) {
    return open.stream()
        .filter(row -> Interpreter.isOf(key, names.computeIfAbsent(row.key(), this::name)))
        .anyMatch(row -> row.status() == Status.RUNNING || Interpreter.undoes(key));
  }

  private String name(long run) {
    return Interpreter.In.parse(input(run)).name();
  }

  /** What a run was started with. */
  String input(RunRow row) {
    return input(row.key());
  }

  private String input(long run) {
    var first = store.history(run, 1, 1).getFirst().recorded().event();
    return String.valueOf(first.payload()).replace("\"", "");
  }

  List<EventRow> history(RunRow row) {
    return store.history(row.key(), 1, Integer.MAX_VALUE);
  }

  /** Nothing waits for it, and it is in memory or nothing brings it there now. */
  private boolean isAtRest(RunRow row) {
    if (row.status().isHeld()) return true;
    if (!store.inputs(row.key()).isEmpty()) return false;
    var wakeAt = row.wakeAt();
    boolean soon = wakeAt != null && !wakeAt.isAfter(time.now().plus(LOADED_AHEAD));
    return !soon || node.inMemory(row.workflowId()).isPresent();
  }

  private void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("hangs; waiting: " + waits() + ", at the gate: " + gate.waiting());
      }
      Thread.yield();
    }
  }

  private List<String> waits() {
    return open().stream()
        .map(
            row ->
                row.workflowId()
                    + " "
                    + row.status()
                    + " due "
                    + row.wakeAt()
                    + node.inMemory(row.workflowId())
                        .map(run -> run.waitingFor().join() + " " + run.snapshot().join())
                        .orElse("not in memory"))
        .toList();
  }

  // ---- ends -------------------------------------------------------------------------------------

  /** Takes everything out of memory that only waits. */
  void evict() {
    for (var row : open()) node.inMemory(row.workflowId()).ifPresent(node::evict);
    settle();
  }

  /** Closes in good order; another engine goes on. */
  void move() {
    node.close();
    gate.close();
  }

  @Override
  public void close() {
    store.crash();
    gate.close();
    node.close();
  }
}

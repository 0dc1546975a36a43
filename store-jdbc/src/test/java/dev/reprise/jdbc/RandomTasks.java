package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.bytes;
import static dev.reprise.testkit.contract.Rows.event;

import dev.reprise.QueueLimits;
import dev.reprise.Status;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.Report.Change;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore.Beat;
import dev.reprise.engine.store.TaskStore.Take;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.TaskSpec;
import dev.reprise.testkit.contract.TasksUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What runs, workers and those who look after them do with a few tasks, at random. */
final class RandomTasks {
  static final List<String> QUEUES = List.of("gpu", "cpu");
  private static final List<String> KEYS = List.of("", "a", "b", "c");
  private static final List<String> NAMES = List.of("render", "crop", "Checkout");

  private final Random random;
  private final UUID node;
  private final Store model;
  private final Duration per;
  private final List<Long> runs = new ArrayList<>();
  private final List<Take> takes = new ArrayList<>();
  private final Map<TaskRef, List<UUID>> hands = new HashMap<>();
  private Instant now = NOON;
  private int counter;

  /**
   * @param per the time of a rate
   */
  RandomTasks(long seed, UUID node, Store model, Duration per) {
    this.random = new Random(seed);
    this.node = node;
    this.model = model;
    this.per = per;
  }

  Instant now() {
    return now;
  }

  /** Lets some time pass, and gives it. */
  Instant tick() {
    now = now.plusMillis(random.nextInt(3_000));
    return now;
  }

  List<Long> runs() {
    return runs;
  }

  // ---- transitions ------------------------------------------------------------------------------

  /** Something that a run does, or its start. */
  Transition transition() {
    var stored = model.runs(runs);
    if (stored.size() < 3 || random.nextInt(6) == 0) return start();
    var row = some(stored);
    return row.status() == Status.QUEUED && random.nextInt(4) > 0
        ? begin(row.key())
        : append(row.key());
  }

  private Start start() {
    long key = ++counter;
    runs.add(key);
    boolean waits = random.nextBoolean();
    var row =
        new RunRow(
            key,
            new UUID(7, key),
            "order-" + key,
            "Checkout",
            waits ? Status.QUEUED : Status.RUNNING,
            waits ? null : node,
            waits ? null : now,
            now,
            null,
            null,
            0);
    return new Start(row, List.of(started()), waits ? List.of(run()) : List.of());
  }

  private EventRow started() {
    return new EventRow(1, now, 1, null, bytes("{}"), bytes("" + ++counter));
  }

  private NewTask run() {
    var spec = spec(TaskSpec.run());
    if (random.nextInt(3) == 0) spec = spec.unique("u" + random.nextInt(3));
    else if (random.nextBoolean()) spec = spec.debounced("d" + random.nextInt(3));
    return spec.task();
  }

  private TaskSpec spec(TaskSpec spec) {
    var made =
        spec.queue(some(QUEUES))
            .key(some(KEYS))
            .priority(random.nextInt(3))
            .visibleAt(now.plusMillis(random.nextInt(4) == 0 ? random.nextInt(9_000) : 0));
    if (random.nextInt(3) == 0) made = made.attemptLimit(Duration.ofMillis(random.nextInt(9_000)));
    if (random.nextInt(4) == 0) made = made.waitUntil(now.plusMillis(random.nextInt(9_000)));
    if (random.nextInt(4) == 0) made = made.until(now.plusMillis(random.nextInt(20_000)));
    return made;
  }

  private <T> T some(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private Append begin(long run) {
    return new Append(run, List.of(started()), List.of(), new RunChange.Begin(now));
  }

  private Append append(long run) {
    int size = model.history(run, 1, 1_000).size();
    int added = 1 + random.nextInt(3);
    var events = IntStream.range(0, added).mapToObj(i -> event(size + 1 + i)).toList();
    var tasks =
        size == 0
            ? List.<NewTask>of()
            : events.stream().map(event -> activity(event.index())).toList();
    var cancelled =
        random.nextInt(3) > 0 ? List.<Integer>of() : List.of(1 + random.nextInt(size + 1));
    return new Append(run, events, List.of(), change(run), List.of(), null, tasks, cancelled);
  }

  private NewTask activity(int index) {
    return spec(TaskSpec.activity(index)).name(some(NAMES)).task();
  }

  private RunChange change(long run) {
    return switch (random.nextInt(12)) {
      case 0 -> new RunChange.Close(Status.COMPLETED, now);
      case 1 -> next(run);
      case 2 -> new RunChange.WakeAt(now);
      default -> new RunChange.None();
    };
  }

  private RunChange next(long run) {
    long key = ++counter;
    runs.add(key);
    var row = model.runs(List.of(run)).getFirst();
    return new RunChange.Continue(
        new RunRow(
            key,
            new UUID(7, key),
            row.workflowId(),
            "Checkout",
            Status.RUNNING,
            node,
            now,
            now,
            null,
            null,
            0),
        List.of(event(1)),
        now);
  }

  // ---- workers ----------------------------------------------------------------------------------

  /** Now and then a call that was made before. */
  Take take() {
    if (!takes.isEmpty() && random.nextInt(5) == 0) return takes.getLast();
    var policies =
        random.nextBoolean()
            ? Map.of("render", "{\"attempts\":3}", "crop", "", "Checkout", "")
            : Map.of(some(NAMES), "");
    takes.add(
        new Take(
            new UUID(9, ++counter),
            some(QUEUES),
            "host/1",
            policies,
            1 + random.nextInt(5),
            random.nextInt(3),
            now));
    return takes.getLast();
  }

  void taken(List<Handout> handouts) {
    for (var task : handouts) {
      hands.computeIfAbsent(task.ref(), _ -> new ArrayList<>()).add(task.hand());
    }
  }

  List<Report> reports() {
    return IntStream.range(0, random.nextInt(4)).mapToObj(i -> report()).toList();
  }

  private Report report() {
    var ref = ref();
    int attempt = attempt(ref);
    var input = random.nextBoolean() ? TasksUnderTest.told(ref, attempt, "1") : null;
    var heartbeat = random.nextInt(4) == 0 ? bytes("h" + ++counter) : null;
    var overdue = random.nextInt(3) == 0 ? now : null;
    return new Report(ref, attempt, hand(ref), overdue, fate(), input, heartbeat);
  }

  private Change fate() {
    var at = now.plusMillis(random.nextBoolean() ? 0 : random.nextInt(9_000));
    return switch (random.nextInt(5)) {
      case 0 -> new Change.Again(at);
      case 1 -> new Change.GiveBack(at);
      case 2 -> new Change.LeaveOpen();
      default -> new Change.Finish();
    };
  }

  List<Beat> beats() {
    return IntStream.range(0, random.nextInt(3)).mapToObj(i -> beat()).toList();
  }

  private Beat beat() {
    var ref = ref();
    var details = random.nextBoolean() ? bytes("b" + ++counter) : null;
    return new Beat(ref, attempt(ref), hand(ref), details);
  }

  /** Of something that is there, mostly; runs are not finished by workers. */
  private TaskRef ref() {
    var there =
        runs.stream()
            .flatMap(run -> model.tasks().ofRun(run).stream())
            .map(view -> view.ref())
            .filter(ref -> !ref.isRun())
            .toList();
    return there.isEmpty() || random.nextInt(9) == 0 ? new TaskRef(1, 77) : some(there);
  }

  private int attempt(TaskRef ref) {
    int last = model.tasks().find(ref).map(view -> view.attempt()).orElse(1);
    return random.nextInt(5) == 0 ? Math.max(0, last - 1) : last;
  }

  /** The last one mostly, or one before, or nobody knows. */
  private @Nullable UUID hand(TaskRef ref) {
    var all = hands.getOrDefault(ref, List.of());
    if (all.isEmpty() || random.nextInt(3) == 0) return null;
    return random.nextInt(3) == 0 ? some(all) : all.getLast();
  }

  // ---- others -----------------------------------------------------------------------------------

  Optional<QueueLimits> limits() {
    if (random.nextInt(5) > 0) return Optional.empty();
    return Optional.of(
        switch (random.nextInt(7)) {
          case 0 -> QueueLimits.none().concurrency(random.nextInt(4));
          case 1 -> QueueLimits.none().perWorker(2);
          case 2 -> QueueLimits.none().perKey(1 + random.nextInt(2));
          case 3 -> QueueLimits.none().rate(2, per);
          case 4 -> QueueLimits.none().fair();
          case 5 -> QueueLimits.none().weight("a", 3).perKey(2).concurrency(5);
          default -> QueueLimits.none();
        });
  }

  String queue() {
    return some(QUEUES);
  }

  /** What a run that waits is to begin with. */
  Replacement replacement() {
    var unique = (random.nextBoolean() ? "u" : "d") + random.nextInt(3);
    return new Replacement(some(QUEUES), unique, started(), now.plusMillis(random.nextInt(5_000)));
  }

  record Replacement(String queue, String unique, EventRow start, Instant visibleAt) {}
}

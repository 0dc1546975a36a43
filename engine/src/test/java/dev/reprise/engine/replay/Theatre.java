package dev.reprise.engine.replay;

import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ChildStarted;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.journal.CallBudget;
import dev.reprise.engine.journal.Journal;
import dev.reprise.engine.journal.Lease;
import dev.reprise.engine.journal.Ticket;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One run with nothing of a node around it: a journal on the memory store, a time that the test
 * moves, and a list of what the run told. Inputs are fetched when the test says so.
 */
final class Theatre implements RunPort, AfterEachCallback {
  static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  /** Far longer than anything takes, so that only what never happens fails. */
  private static final Duration LIMIT =
      Duration.ofMillis(Long.getLong("reprise.await.millis", 10_000L));

  private static final UUID NODE = new UUID(0, 1);
  private static final UUID RUN_ID = new UUID(0, 7);

  private final MemoryStore store = new MemoryStore();
  private final List<Alarm> alarms = new CopyOnWriteArrayList<>();
  private final List<Transition> handedOver = new CopyOnWriteArrayList<>();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final List<End> ends = new CopyOnWriteArrayList<>();
  private final List<Object> activities = new ArrayList<>();
  private Journal journal;
  private volatile Instant now = START;
  private volatile RuntimeException beforeEffect;
  private volatile boolean parked;
  private volatile Ticket last;
  private LiveRun run;

  /** A call back that was asked for. */
  private record Alarm(Instant due, Runnable action) {}

  Theatre() {
    store.join(new Store.Joining(NODE, "here", false, Duration.ofSeconds(10)));
    journal = journalOn(store);
  }

  private static Journal journalOn(Store store) {
    return new Journal(
        Machine.REAL,
        store,
        NODE,
        new Lease(Machine.REAL, store, Duration.ofSeconds(10), 0),
        false,
        new CallBudget(Long.MAX_VALUE),
        new Unconcerned());
  }

  private static final class Unconcerned implements Journal.Listener {
    @Override
    public boolean refused(Transition transition, RuntimeException why) {
      return false;
    }

    @Override
    public void stopped(RuntimeException why) {}
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (run != null) run.lose(new IllegalStateException("the test is over"));
    journal.close();
  }

  // ---- the run ----------------------------------------------------------------------------------

  /** Objects for the proxies of activities. */
  Theatre with(Object activity) {
    activities.add(activity);
    return this;
  }

  /** Starts a run of this code and waits until it waits. */
  LiveRun play(Workflow<String, String> code) {
    start();
    return load(code);
  }

  /** A run that has been accepted and has not begun. */
  void start() {
    var row = row(START);
    var input = Payload.of("\"in\"".getBytes(StandardCharsets.UTF_8));
    var event = new Event.WorkflowStarted("code", "w", RUN_ID, input);
    var first = EventRow.of(new Recorded(1, START, null, event));
    journal.append(new Transition.Start(row, first)).await();
  }

  private static RunRow row(Instant due) {
    return new RunRow(1, RUN_ID, "w", "code", Status.RUNNING, NODE, due, START, null, null, 0);
  }

  /** Adds to the history what another life of the run may have written. */
  void record(Event... events) {
    var rows = new ArrayList<EventRow>();
    int index = store.history(1, 1, 10_000).size();
    for (var event : events) rows.add(EventRow.of(new Recorded(++index, START, null, event)));
    var nothing = new Transition.RunChange.None();
    journal.append(new Transition.Append(1, rows, List.of(), nothing)).await();
  }

  /** Takes the run into memory, with what the store has of it, and waits until it waits. */
  LiveRun load(Workflow<String, String> code) {
    create(code).begin(store.history(1, 1, 10_000), store.inputs(1));
    settle();
    return run;
  }

  /** The run in memory, before it begins. */
  LiveRun create(Workflow<String, String> code) {
    handedOver.clear();
    told.clear();
    ends.clear();
    alarms.clear();
    parked = false;
    store.claim(new Store.Claim(NODE, List.of("code"), Instant.MAX, Store.Trial.NONE, 1));
    var definition = WorkflowDefinition.of("code", String.class, String.class, code);
    run = new LiveRun(store.find("w").orElseThrow(), definition, settings(), this);
    return run;
  }

  private RunSettings settings() {
    return new RunSettings(
        new Values(new JsonCodec()),
        new ActivityRegistry(activities),
        RetryPolicy.fixed(Duration.ofSeconds(10), 3));
  }

  /** Waits until the run has left memory or can do nothing by itself, durably. */
  void settle() {
    until(() -> !ends.isEmpty() || isIdle());
    if (last != null) until(last::isDone);
  }

  private boolean isIdle() {
    var look = get(run.snapshot());
    return parked && look.activities() == 0 && !look.busy();
  }

  static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) throw new AssertionError("it never happened");
      LockSupport.parkNanos(50_000);
    }
  }

  static <T> T get(CompletableFuture<T> future) {
    try {
      return future.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("no answer", e);
    }
  }

  // ---- what happens to it -----------------------------------------------------------------------

  /** Moves the time on, sets off what is due, and waits until the run waits. */
  void advance(Duration duration) {
    advanceWithoutWaiting(duration);
    settle();
  }

  void advanceWithoutWaiting(Duration duration) {
    now = now.plus(duration);
    for (var alarm : List.copyOf(alarms)) {
      if (!alarm.due.isAfter(now) && alarms.remove(alarm)) alarm.action.run();
    }
  }

  /** Sends a signal to the run in memory. */
  LiveRun.Reply signal(String name, String value) {
    return signal(name, value, null);
  }

  LiveRun.Reply signal(String name, String value, String message) {
    var reply = get(run.accept(InputRow.Kind.SIGNAL, name, message, json(value)));
    settle();
    return reply;
  }

  LiveRun.Reply cancel(String reason) {
    var why = Payload.of(reason.getBytes(StandardCharsets.UTF_8));
    var reply = get(run.accept(InputRow.Kind.CANCEL, "ops", null, why));
    settle();
    return reply;
  }

  static Payload json(String value) {
    return Payload.of(('"' + value + '"').getBytes(StandardCharsets.UTF_8));
  }

  /** Accepts a signal as another node would: the run is not told. */
  void putIntoInbox(String name, String value, String message) {
    var input = new InputRow(0, 1, InputRow.Kind.SIGNAL, name, message, json(value).bytes(), now);
    journal.append(new Transition.Accept(input)).await();
  }

  /** The reading that the run has asked for comes back. */
  void fetched() {
    run.offer(store.inputs(1));
    settle();
  }

  /** From now on the node may have lost the run whenever it asks. */
  void failBeforeEffects(RuntimeException why) {
    beforeEffect = why;
  }

  /** From now on nothing becomes durable. */
  void closeJournal() {
    journal.close();
  }

  // ---- what is seen of it -----------------------------------------------------------------------

  LiveRun run() {
    return run;
  }

  Store store() {
    return store;
  }

  /** What the run handed to the journal since it was taken into memory. */
  List<Transition.Append> handedOver() {
    return handedOver.stream().map(Transition.Append.class::cast).toList();
  }

  /** What it told the node since then. */
  List<String> told() {
    return told;
  }

  List<End> ends() {
    return ends;
  }

  /** The call backs that it waits for. */
  List<Instant> alarms() {
    return alarms.stream().map(Alarm::due).sorted().toList();
  }

  /** The kinds and subjects of the stored history, such as {@code TimerFired sleep:1}. */
  List<String> outline() {
    return events().stream()
        .map(e -> (e.getClass().getSimpleName() + " " + e.subject()).strip())
        .toList();
  }

  List<Event> events() {
    return store.history(1, 1, 10_000).stream().map(row -> row.recorded().event()).toList();
  }

  /** What the workflow returned, as JSON. */
  String result() {
    until(() -> !ends.isEmpty());
    if (ends.getFirst() instanceof End.Closed(var terminal)
        && terminal.event() instanceof Event.WorkflowCompleted(var result)) {
      return result.toString();
    }
    throw new AssertionError("it has not completed: " + ends + "; " + outline());
  }

  // ---- the port ---------------------------------------------------------------------------------

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Ticket append(Transition transition) {
    handedOver.add(transition);
    last = journal.append(transition);
    return last;
  }

  @Override
  public Ticket appendAwaited(Transition transition) {
    handedOver.add(transition);
    last = journal.appendAwaited(transition);
    return last;
  }

  @Override
  public Timer at(Instant due, Runnable action) {
    var alarm = new Alarm(due, action);
    alarms.add(alarm);
    return () -> alarms.remove(alarm);
  }

  @Override
  public void beforeEffect(LiveRun of) {
    if (beforeEffect != null) throw beforeEffect;
  }

  @Override
  public void parked(LiveRun of) {
    parked = true;
    told.add("parked");
  }

  @Override
  public void woken(LiveRun of) {
    parked = false;
    told.add("woken");
  }

  @Override
  public void fetchInputs(LiveRun of) {
    told.add("fetch");
  }

  @Override
  public CompletableFuture<Boolean> startChild(
      LiveRun of, ChildStarted child, @Nullable Ticket asked) {
    told.add("start " + child.workflowId());
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public CompletableFuture<Next> next(LiveRun of, int events) {
    var copied = events == 0 ? List.<EventRow>of() : store.history(of.row().key(), 1, events);
    return CompletableFuture.completedFuture(
        new Next(store.reserveKeys(1), UUID.randomUUID(), copied));
  }

  @Override
  public void ended(LiveRun of, End end) {
    ends.add(end);
  }
}

package dev.reprise.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Client;
import dev.reprise.Handle;
import dev.reprise.HistoryEvent;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import dev.reprise.testkit.CrashingStore;
import dev.reprise.testkit.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One store and one time, and the engines that come and go on them, one after the other. When the
 * test ends, all gates open and everything is closed.
 */
final class World implements AfterEachCallback, AutoCloseable {
  static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private static final Duration GRACE = Duration.ofSeconds(2); // longer than a test's activities

  private final Path folder;
  private final Supplier<Store> stores;
  private final VirtualTime time = new VirtualTime(START);
  private final List<Gate> gates = new ArrayList<>();
  private final List<Life> lives = new ArrayList<>();
  private boolean virtual = true;

  /** An engine and what it stands on. */
  private record Life(Engine engine, CrashingStore store, Store below) {}

  World(StoreKind kind) {
    this.folder = temporaryFolder();
    this.stores = kind.in(folder);
  }

  /** From now on engines use the time of the machine. */
  World onSystemTime() {
    virtual = false;
    return this;
  }

  VirtualTime time() {
    return time;
  }

  Gate gate() {
    var gate = new Gate();
    gates.add(gate);
    return gate;
  }

  // ---- engines ----------------------------------------------------------------------------------

  /** Opens an engine. The one before it must have crashed or been closed. */
  Engine open(Consumer<Reprise> setup) {
    return openCrashingAt(_ -> false, setup);
  }

  /** Opens an engine that dies as soon as a transition that the predicate names is durable. */
  Engine openCrashingAt(Predicate<Transition> moment, Consumer<Reprise> setup) {
    return open(moment, UnaryOperator.identity(), setup);
  }

  /** Opens an engine on the store as another one shows it. */
  Engine openOn(UnaryOperator<Store> view, Consumer<Reprise> setup) {
    return open(_ -> false, view, setup);
  }

  Engine open(Predicate<Transition> moment, UnaryOperator<Store> view, Consumer<Reprise> setup) {
    var below = stores.get();
    var store = new CrashingStore(view.apply(below), moment);
    var reprise = Reprise.on(store).shutdownGrace(GRACE);
    if (virtual) reprise.time(time.view());
    setup.accept(reprise);
    var engine = reprise.start();
    lives.add(new Life(engine, store, below));
    return engine;
  }

  /** The engine that was opened last. */
  Engine engine() {
    return lives.getLast().engine;
  }

  /** Opens an engine with this code as its only workflow, and starts it under the id "w". */
  Handle<Object> begin(Workflow<String, String> code) {
    openWith(code);
    return engine().start("code", "w", "");
  }

  /** The same, to its end, with the time moved on where it waits for that. */
  String play(Workflow<String, String> code) {
    return (String) resultInTime(begin(code));
  }

  /** Opens an engine with this code as its only workflow. */
  Engine openWith(Workflow<String, String> code) {
    return open(r -> r.workflow("code", String.class, String.class, code));
  }

  /** Kills the engine: nothing that it still does reaches the store. */
  void crash() {
    var life = lives.getLast();
    life.store.crash();
    life.below.close();
  }

  /** Waits until the engine has died by itself. */
  void awaitCrash() {
    var life = lives.getLast();
    Await.until("the crash", life.store::hasCrashed);
    life.below.close();
  }

  boolean hasCrashed() {
    return lives.getLast().store.hasCrashed();
  }

  /** Closes the engine in good order. */
  void shutDown() {
    var life = lives.getLast();
    life.engine.close();
    life.below.close();
  }

  /** Sends something as another process does, which looks in and goes. No engine may be there. */
  void visit(Consumer<Reprise> setup, Consumer<Client> sending) {
    var below = stores.get();
    var reprise = Reprise.on(below).time(time.view());
    setup.accept(reprise);
    try (var visitor = reprise.visit()) {
      sending.accept(visitor);
    } finally {
      below.close();
    }
  }

  /** What the store has of a run, read beside any engine; empty if there is none. */
  List<HistoryEvent> stored(String workflowId) {
    var store = stores.get();
    try {
      return store
          .find(workflowId)
          .map(row -> HistoryView.of(store, row.key()))
          .orElseGet(List::of);
    } finally {
      store.close();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    close();
  }

  @Override
  public void close() throws IOException {
    gates.forEach(Gate::open);
    for (var life : lives.reversed()) {
      life.engine.close();
      life.below.close();
    }
    delete(folder);
  }

  // ---- what happens in it -----------------------------------------------------------------------

  /** The result, which must come without any further doing. */
  static <T extends @Nullable Object> T result(Handle<T> handle) {
    try {
      return handle.result(Await.LIMIT);
    } catch (TimeoutException e) {
      throw new AssertionError("no result; history:\n" + text(handle.history()), e);
    }
  }

  /** The result of a workflow that returns text. */
  static String result(Client client, String workflowId) {
    return World.<String>result(client.handle(workflowId, String.class));
  }

  /** The result, with the time moved on whenever that is what the run waits for. */
  <T extends @Nullable Object> T resultInTime(Handle<T> handle) {
    for (var due = settle(handle); due != null; due = settle(handle)) time.advanceTo(due);
    return result(handle);
  }

  /** Waits until the run can do nothing by itself. When it is due, or null if it never is. */
  @Nullable Instant settle(Handle<?> handle) {
    Await.until(handle.workflowId() + " waits", () -> !isActive(row(handle)));
    return row(handle).wakeAt();
  }

  /** The store knows a run as due now from when it begins something until it waits again. */
  private boolean isActive(RunRow row) {
    if (row.status() != Status.RUNNING) return false;
    if (!lives.getLast().below.inputs(row.key()).isEmpty()) return true;
    var due = row.wakeAt();
    return due != null && !due.isAfter(time.now());
  }

  private RunRow row(Handle<?> handle) {
    return lives.getLast().below.find(handle.workflowId()).orElseThrow();
  }

  /** Waits until the history has so many events of that type, durably. */
  static void awaitEvents(Client client, String workflowId, String type, int count) {
    Await.until(
        count + " " + type + " of " + workflowId,
        () -> events(client, workflowId, type).size() >= count);
  }

  static List<HistoryEvent> events(Client client, String workflowId, String type) {
    return client.history(workflowId).stream().filter(e -> e.type().equals(type)).toList();
  }

  /** Waits until some branch of the run waits for something whose description has that text. */
  static void awaitWaiting(Client client, String workflowId, String text) {
    Await.until(
        workflowId + " waits for " + text,
        () ->
            client.describe(workflowId).waitingFor().stream()
                .anyMatch(w -> w.toString().contains(text)));
  }

  static void awaitStatus(Client client, String workflowId, Status status) {
    Await.until(workflowId + " is " + status, () -> client.describe(workflowId).status() == status);
  }

  /** The kinds and subjects of a history, such as {@code TimerFired sleep:1}. */
  static List<String> outline(List<HistoryEvent> history) {
    return history.stream().map(e -> (e.type() + " " + e.subject()).strip()).toList();
  }

  static String text(List<HistoryEvent> history) {
    var text = new StringBuilder();
    for (var e : history) {
      text.append(
          "%3d %s %s %s %s %s\n"
              .formatted(
                  e.index(), e.recordedAt(), e.type(), e.subject(), e.value(), e.attributes()));
    }
    return text.toString();
  }

  /** Takes the only run out of memory and sees to it that nothing is recorded by that. */
  void evict(Handle<?> handle) {
    var before = handle.history();
    Await.until(
        "the run is out of memory",
        () -> {
          engine().evict(handle.workflowId());
          return engine().runsInMemory() == 0;
        });
    assertThat(handle.history()).isEqualTo(before);
  }

  // ---- folders ----------------------------------------------------------------------------------

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("reprise");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }
}

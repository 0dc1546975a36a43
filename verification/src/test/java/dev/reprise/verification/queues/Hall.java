package dev.reprise.verification.queues;

import dev.reprise.Client;
import dev.reprise.Handle;
import dev.reprise.HistoryEvent;
import dev.reprise.Status;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
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
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One database and one time that the test moves, and the engines on them, one after the other. */
final class Hall implements AfterEachCallback {
  static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private static final Duration LIMIT = Duration.ofSeconds(20); // only what never happens fails
  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final Duration LEASE = Duration.ofSeconds(3); // of a node; that is real time
  private static final long PAUSE_NANOS = 200_000;

  private final Path folder = temporaryFolder();
  private final Supplier<Store> stores;
  private final VirtualTime time = new VirtualTime(START);
  private final List<Life> lives = new ArrayList<>();

  private record Life(Engine engine, CrashingStore store, Store below) {}

  Hall(Database database) {
    this.stores = database.in(folder);
  }

  // ---- engines ----------------------------------------------------------------------------------

  Engine open(Consumer<Reprise> setup) {
    return openCrashingAt(_ -> false, setup);
  }

  /** Opens an engine that dies as soon as a transition that the predicate names is durable. */
  Engine openCrashingAt(Predicate<Transition> moment, Consumer<Reprise> setup) {
    var below = stores.get();
    var store = new CrashingStore(below, moment);
    var reprise = Reprise.on(store).shutdownGrace(GRACE).lease(LEASE).time(time.view());
    setup.accept(reprise);
    var engine = reprise.start();
    lives.add(new Life(engine, store, below));
    return engine;
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
    until("the crash", life.store::hasCrashed);
    life.below.close();
  }

  /** What the engine that was opened last stands on. */
  Store store() {
    return lives.getLast().below;
  }

  VirtualTime time() {
    return time;
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    for (var life : lives.reversed()) {
      life.engine.close();
      life.below.close();
    }
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("reprise");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- what happens -----------------------------------------------------------------------------

  static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) throw new AssertionError("never happened: " + what);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  static void awaitStatus(Client client, String workflowId, Status status) {
    until(workflowId + " is " + status, () -> client.describe(workflowId).status() == status);
  }

  static <T extends @Nullable Object> T result(Handle<T> handle) {
    try {
      return handle.result(LIMIT);
    } catch (TimeoutException e) {
      throw new AssertionError("no result of " + handle.describe() + handle.history(), e);
    }
  }

  static @Nullable Object result(Client client, String workflowId) {
    return result(client.handle(workflowId, String.class));
  }

  /** The kinds of the events of a history. */
  static List<String> outline(Handle<?> handle) {
    return handle.history().stream().map(HistoryEvent::type).toList();
  }
}

package dev.reprise.verification.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.reprise.ActivityOptions;
import dev.reprise.ChildOptions;
import dev.reprise.ErrorCode;
import dev.reprise.Health;
import dev.reprise.ListQuery;
import dev.reprise.NodeDescription;
import dev.reprise.ParentClose;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.Update;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Transition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Exceptions that nobody expects and errors, in the threads of the engine. */
class EngineErrorTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Update<String, Integer> RENAME =
      Update.of("rename", String.class, Integer.class);
  private static final int CALL_BUDGET = 1 << 20;
  private static final Supplier<Error> FULL = () -> new OutOfMemoryError("Java heap space");

  private static final int MANY = 40;
  private static final int MEGABYTE = 1 << 20;

  @TempDir Path folder;
  private final AtomicInteger large = new AtomicInteger(); // calls
  private final AtomicInteger ids = new AtomicInteger();
  private Supplier<Store> stores;
  private FaultyStore store;
  private Engine engine;

  /** What workers do. */
  public interface Lab {
    String work(String what);

    String large(String what);
  }

  private final class Bench implements Lab {
    @Override
    public String work(String what) {
      return "did " + what;
    }

    @Override
    public String large(String what) {
      large.incrementAndGet();
      return what.repeat(MEGABYTE);
    }
  }

  private Engine open(Database database) {
    stores = database.in(folder);
    return openAgain();
  }

  private Engine openAgain() {
    store = new FaultyStore(stores.get());
    engine =
        Reprise.on(store)
            .lease(Duration.ofSeconds(3))
            .callTimeout(Duration.ofSeconds(5))
            .callBudget(CALL_BUDGET)
            .shutdownGrace(Duration.ofSeconds(2))
            .activities(new Bench())
            .worker("lab", 2)
            .workflow(
                "step",
                String.class,
                String.class,
                (ctx, in) -> ctx.run("step", String.class, () -> "did " + in))
            .workflow(
                "sleep",
                String.class,
                String.class,
                (ctx, in) -> {
                  ctx.sleep(Duration.ofMillis(100));
                  return "did " + in;
                })
            .workflow(
                "queued",
                String.class,
                String.class,
                (ctx, in) ->
                    ctx.activities(
                            Lab.class,
                            ActivityOptions.onQueue("lab").visibility(Duration.ofSeconds(1)))
                        .work(in))
            .workflow(
                "renamed",
                String.class,
                String.class,
                (ctx, in) -> {
                  var name = new AtomicReference<>(in);
                  ctx.onUpdate(
                      RENAME,
                      to -> {
                        name.set(to);
                        return to.length();
                      });
                  ctx.await(() -> name.get().equals("last"));
                  return name.get();
                })
            .workflow(
                "abandoning",
                String.class,
                String.class,
                (ctx, in) -> {
                  var options =
                      ChildOptions.defaults().id("abandoned").onParentClose(ParentClose.ABANDON);
                  return ctx.start("step", in, String.class, options).result().await();
                })
            .workflow(
                "parent",
                String.class,
                String.class,
                (ctx, in) ->
                    ctx.start("step", in, String.class, ChildOptions.defaults()).result().await())
            .workflow(
                "collect",
                String.class,
                String.class,
                (ctx, in) -> {
                  var words = new ArrayList<String>();
                  while (!words.contains("end")) words.add(ctx.receive(WORD));
                  return String.join(" ", words);
                })
            .workflow(
                "large",
                String.class,
                String.class,
                (ctx, in) ->
                    "got "
                        + ctx.activities(Lab.class, ActivityOptions.onQueue("lab"))
                            .large(in)
                            .length())
            .workflow("wait", String.class, String.class, (ctx, in) -> "got " + ctx.receive(WORD))
            .start();
    return engine;
  }

  @AfterEach
  void close() {
    if (engine != null) engine.close();
  }

  private static boolean hasTask(Transition transition) {
    return transition instanceof Transition.Append append && !append.tasks().isEmpty();
  }

  private static boolean hasSignal(Transition transition) {
    return transition instanceof Transition.Append append
        && append.events().stream()
            .anyMatch(event -> event.type() == EventType.SIGNAL_RECEIVED.code());
  }

  // ---- one transition ---------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  void a_transition_that_cannot_be_stored_blocks_its_run_and_no_other(Database database) {
    open(database);
    store.refuse(EngineErrorTest::hasTask);

    engine.start("queued", "poison", "x");

    Hall.awaitStatus(engine, "poison", Status.BLOCKED);
    assertThat(engine.describe("poison").blockedBy()).contains("R121").contains("overflow");
    checkSteps();
    assertThat(engine.health().isUp()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void a_run_that_cannot_be_stored_is_blocked_for_the_next_engine_too(Database database) {
    open(database);
    store.refuse(EngineErrorTest::hasTask);
    engine.start("queued", "poison", "x");
    Hall.awaitStatus(engine, "poison", Status.BLOCKED);
    engine.close();

    openAgain();

    assertThat(engine.describe("poison").status()).isEqualTo(Status.BLOCKED);
    checkSteps();
    engine.resume("poison");
    assertThat(Hall.result(engine, "poison")).isEqualTo("did x");
  }

  @ParameterizedTest
  @EnumSource
  void a_start_that_cannot_be_stored_is_refused_and_no_other(Database database) {
    open(database);
    store.refuse(
        transition ->
            transition instanceof Transition.Start start
                && start.run().workflowId().equals("poison"));

    assertThatThrownBy(() -> engine.start("step", "poison", "x"))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R121));

    checkSteps();
  }

  // ---- errors -----------------------------------------------------------------------------------

  static Stream<Arguments> places() {
    return Stream.of(
            "commit",
            "answer",
            "claim",
            "load",
            "nextWake",
            "take",
            "report",
            "overdue",
            "nextReady",
            "nextOverdue",
            "serve")
        .flatMap(place -> Stream.of(Database.values()).map(on -> arguments(place, on)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("places")
  void an_engine_goes_on_after_an_error_of_a_full_heap(String place, Database database) {
    open(database);
    engine.start("wait", "before", "x");
    var queued = StartOptions.defaults().delay(Duration.ofMillis(300));

    store.fail(place, 2, FULL);
    startAgain("queued", "one", StartOptions.defaults());
    startAgain("sleep", "two", StartOptions.defaults());
    startAgain("step", "later", queued);
    if (place.equals("load")) store.heal(place); // only where something is to be loaded

    assertThat(Hall.result(engine, "one")).isEqualTo("did one");
    assertThat(Hall.result(engine, "two")).isEqualTo("did two");
    assertThat(Hall.result(engine, "later")).isEqualTo("did later");
    if (!place.equals("serve")) Hall.until("it has failed", () -> store.hasFailed(place));
    signalAgain("before");
    assertThat(Hall.result(engine, "before")).isEqualTo("got x");
    checkSteps();
    checkEvicted();
    Hall.until("the engine is up", () -> engine.health().isUp());
    assertThat(engine.nodes())
        .filteredOn(node -> node.state() == NodeDescription.State.ALIVE)
        .hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void a_call_whose_commit_met_an_error_is_left_in_doubt_and_may_be_repeated(Database database) {
    open(database);
    store.fail("answer", 1, FULL);

    assertThatThrownBy(() -> engine.start("step", "w", "w"))
        .isInstanceOfSatisfying(
            RepriseException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.R123);
              assertThat(e.isRetryable()).isTrue();
            });

    startAgain("step", "w", StartOptions.defaults());
    assertThat(Hall.result(engine, "w")).isEqualTo("did w");
  }

  @ParameterizedTest
  @EnumSource
  void a_signal_whose_commit_met_an_error_is_left_in_doubt_and_never_recorded_twice(
      Database database) {
    open(database);
    startAndWait("collect", "c");
    store.loseAnswer(EngineErrorTest::hasSignal, FULL);

    assertThatThrownBy(() -> engine.signal("c", WORD, "once"))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R123));

    again(() -> engine.signal("c", WORD, "end", "last"));
    assertThat(Hall.result(engine, "c")).isEqualTo("once end");
  }

  /** The engine cannot know that it was not stored, and must not send it once more by itself. */
  @ParameterizedTest
  @EnumSource
  void a_signal_under_way_when_an_error_ends_the_node_is_left_in_doubt(Database database) {
    open(database);
    startAndWait("collect", "c");
    store.fail("commit", Integer.MAX_VALUE, () -> new StoreUnavailable("no answer", null));
    var signal = new AtomicReference<Throwable>();
    var sender =
        Thread.startVirtualThread(
            () -> signal.set(catchThrowable(() -> engine.signal("c", WORD, "lost"))));
    Hall.until("the answer is missed", () -> !engine.health().isUp());

    store.fail("claim", 1, FULL);
    Hall.until("the node has ended", () -> store.hasFailed("claim") && !sender.isAlive());
    store.heal("commit");

    assertThat(signal.get())
        .isInstanceOfSatisfying(
            RepriseException.class,
            e -> assertThat(e).hasMessageStartingWith("R123 the commit was given up"));
    again(() -> engine.signal("c", WORD, "end", "last"));
    assertThat(Hall.result(engine, "c")).isEqualTo("end");
  }

  /** A parent whose event cannot be stored has asked for nothing. */
  @ParameterizedTest
  @EnumSource
  void a_child_whose_parent_cannot_store_that_it_asked_for_it_is_not_started(Database database) {
    open(database);
    store.refuse(
        transition ->
            transition instanceof Transition.Append append
                && append.events().stream()
                    .anyMatch(event -> event.type() == EventType.CHILD_STARTED.code()));

    engine.start("parent", "p", "x");

    Hall.awaitStatus(engine, "p", Status.BLOCKED);
    checkSteps();
    assertThat(engine.list(ListQuery.all())).noneMatch(run -> run.workflowId().startsWith("p/"));
    store.refuse(_ -> false);
    engine.resume("p");
    assertThat(Hall.result(engine, "p")).isEqualTo("did x");
  }

  @ParameterizedTest
  @EnumSource
  void a_child_that_a_held_run_has_asked_for_begins_when_the_run_is_terminated(Database database) {
    open(database);
    store.refuse(
        transition ->
            transition instanceof Transition.Start start
                && start.run().workflowId().equals("abandoned"));
    engine.start("abandoning", "p", "x");
    Hall.awaitStatus(engine, "p", Status.BLOCKED);
    store.refuse(_ -> false);

    engine.terminate("p", "enough");

    assertThat(engine.describe("p").status()).isEqualTo(Status.TERMINATED);
    assertThat(Hall.result(engine, "abandoned")).isEqualTo("did x");
  }

  @ParameterizedTest
  @EnumSource
  void an_engine_that_cannot_begin_anew_closes_itself_and_says_why(Database database) {
    open(database);
    store.fail("join", Integer.MAX_VALUE, () -> new IllegalStateException("no way back"));
    store.fail("commit", 1, FULL);
    assertThatThrownBy(() -> engine.start("step", "w", "x")).isInstanceOf(RepriseException.class);
    assertThat(engine.health().state()).isEqualTo(Health.State.DEGRADED);

    Hall.until("it is down", () -> engine.health().state() == Health.State.DOWN);

    assertThat(engine.health().reasons()).singleElement().asString().contains("no way back");
    assertThatThrownBy(() -> engine.start("step", "w", "x"))
        .isInstanceOfSatisfying(
            RepriseException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.R119);
              assertThat(e).hasMessageContaining("no way back");
            });
  }

  /** A call site or class that could not be linked is broken for the rest of the process's life. */
  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("placesThatLink")
  void an_engine_whose_code_cannot_be_linked_closes_itself_and_says_why(
      String place, Database database) {
    open(database);
    store.fail(place, Integer.MAX_VALUE, () -> new BootstrapMethodError("heap was full"));

    var _ = catchThrowable(() -> engine.start("step", "w", "x")); // for who comes by with a commit
    Hall.until("it is down", () -> engine.health().state() == Health.State.DOWN);

    assertThat(engine.health().reasons()).singleElement().asString().contains("heap was full");
    assertThatThrownBy(() -> engine.start("step", "w", "x"))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R119));
  }

  static Stream<Arguments> placesThatLink() {
    return Stream.of("commit", "claim", "take")
        .flatMap(place -> Stream.of(Database.values()).map(on -> arguments(place, on)));
  }

  /** A heap that fills with updates while the database is away would end the process. */
  @ParameterizedTest
  @EnumSource
  void updates_that_wait_for_the_database_are_bounded(Database database) {
    open(database);
    startAndWait("renamed", "r");
    var name = "n".repeat(CALL_BUDGET / 3);
    store.fail("commit", Integer.MAX_VALUE, () -> new StoreUnavailable("no answer", null));
    var failures = new ConcurrentLinkedQueue<Throwable>();
    var callers = new ArrayList<Thread>();

    for (int i = 0; i < 6; i++) {
      var id = "m" + i;
      callers.add(
          Thread.startVirtualThread(
              () -> {
                var failure = catchThrowable(() -> engine.update("r", RENAME, name, id));
                if (failure != null) failures.add(failure);
              }));
    }

    Hall.until("one is refused", () -> failures.stream().anyMatch(EngineErrorTest::isOverBudget));
    store.heal("commit");
    Hall.until("all are answered", () -> callers.stream().noneMatch(Thread::isAlive));
    again(() -> engine.update("r", RENAME, "last", "last"));
    assertThat(Hall.result(engine, "r")).isEqualTo("last");
  }

  private static boolean isOverBudget(Throwable failure) {
    return failure instanceof RepriseException e && e.code() == ErrorCode.R142;
  }

  @ParameterizedTest
  @EnumSource
  void an_error_of_what_is_read_for_a_caller_concerns_nobody_else(Database database) {
    open(database);
    engine.start("wait", "w", "x");
    store.fail("find", 1, FULL);

    assertThatThrownBy(() -> engine.describe("w"))
        .isInstanceOfSatisfying(
            RepriseException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.R143);
              assertThat(e.isRetryable()).isTrue();
              assertThat(e).hasMessageContaining("Java heap space");
              assertThat(e).hasCauseInstanceOf(OutOfMemoryError.class);
            });

    assertThat(engine.health().isUp()).isTrue();
    assertThat(engine.describe("w").status()).isEqualTo(Status.RUNNING);
    assertThat(engine.isInMemory("w")).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void an_engine_that_cannot_link_what_callers_read_closes_itself(Database database) {
    open(database);
    store.fail("find", Integer.MAX_VALUE, () -> new BootstrapMethodError("heap was full"));

    var _ = catchThrowable(() -> engine.describe("w"));

    Hall.until("it is down", () -> engine.health().state() == Health.State.DOWN);
    assertThat(engine.health().reasons()).singleElement().asString().contains("heap was full");
  }

  // ---- health -----------------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  void an_engine_says_that_it_is_well_troubled_or_closed(Database database) {
    open(database);
    Hall.until("it is up", () -> engine.health().isUp());

    for (var method : List.of("commit", "claim")) {
      store.fail(method, Integer.MAX_VALUE, () -> new StoreUnavailable("no route", null));
    }
    Hall.until("it is troubled", () -> engine.health().state() == Health.State.DEGRADED);
    assertThat(engine.health().reasons()).isNotEmpty();
    for (var method : List.of("commit", "claim")) store.heal(method);
    Hall.until("it is up again", () -> engine.health().isUp());
    engine.close();

    assertThat(engine.health().state()).isEqualTo(Health.State.DOWN);
    assertThat(engine.health().reasons()).containsExactly("the engine is closed");
  }

  @ParameterizedTest
  @EnumSource
  void an_engine_whose_workers_get_nothing_is_troubled(Database database) {
    open(database);
    store.fail("take", Integer.MAX_VALUE, () -> new StoreUnavailable("no route", null));

    Hall.until("it is troubled", () -> engine.health().state() == Health.State.DEGRADED);
    Hall.until("it says why", () -> hasReason("work on queue 'lab'"));
    Hall.until("and that of starts", () -> hasReason("runs that wait for their time"));
    store.heal("take");

    Hall.until("it is up again", () -> engine.health().isUp());
    checkSteps();
  }

  @ParameterizedTest
  @EnumSource
  void an_engine_that_cannot_store_what_workers_did_is_troubled(Database database) {
    open(database);
    store.fail("report", Integer.MAX_VALUE, () -> new StoreUnavailable("not allowed", null));
    engine.start("queued", "w", "x");

    Hall.until("it says so", () -> hasReason("what became of activities could not be stored"));
    assertThat(engine.health().state()).isEqualTo(Health.State.DEGRADED);
    store.heal("report");

    assertThat(Hall.result(engine, "w")).isEqualTo("did x");
    Hall.until("it is up again", () -> engine.health().isUp());
  }

  private boolean hasReason(String text) {
    return engine.health().reasons().stream().anyMatch(reason -> reason.contains(text));
  }

  @ParameterizedTest
  @EnumSource
  void workers_take_nothing_while_much_of_what_they_did_is_not_stored(Database database) {
    open(database);
    store.fail("report", Integer.MAX_VALUE, () -> new StoreUnavailable("not allowed", null));
    for (int i = 0; i < MANY; i++) engine.start("large", "large " + i, "x");

    Hall.until("they stand still", () -> hasReason("workers stand still"));
    assertThat(large.get()).isBetween(10, 20); // 16 MiB, and what two were about when it was full
    assertThat(engine.queue("lab").ready()).isGreaterThanOrEqualTo(MANY - 20);
    checkSteps();
    assertThat(large.get()).isLessThanOrEqualTo(20);
    store.heal("report");

    for (int i = 0; i < MANY; i++) {
      assertThat(Hall.result(engine, "large " + i)).isEqualTo("got " + MEGABYTE);
    }
    assertThat(large).hasValue(MANY);
    Hall.until("it is up again", () -> engine.health().isUp());
  }

  // ---- what callers do --------------------------------------------------------------------------

  private void startAndWait(String workflow, String id) {
    engine.start(workflow, id, "x");
    Hall.until("it waits", () -> !engine.describe(id).waitingFor().isEmpty());
  }

  /** Repeats a call that is left in doubt, as the documentation says. */
  private void startAgain(String workflow, String id, StartOptions options) {
    again(() -> engine.start(workflow, id, id, options));
  }

  private void signalAgain(String id) {
    again(() -> engine.signal(id, WORD, "x", "message"));
  }

  private static void again(Runnable call) {
    for (int tries = 1; ; tries++) {
      try {
        call.run();
        return;
      } catch (RepriseException e) {
        if (!e.isRetryable() || tries == 20) throw e;
      }
    }
  }

  private void checkSteps() {
    for (var workflow : List.of("step", "sleep")) {
      var id = workflow + ids.incrementAndGet();
      engine.start(workflow, id, "x");
      assertThat(Hall.result(engine, id)).isEqualTo("did x");
    }
  }

  private void checkEvicted() {
    engine.start("wait", "evicted", "x");
    Hall.until("it waits", () -> !engine.describe("evicted").waitingFor().isEmpty());
    Hall.until(
        "it is out of memory",
        () -> {
          engine.evict("evicted");
          return !engine.isInMemory("evicted");
        });
    engine.signal("evicted", WORD, "x");
    assertThat(Hall.result(engine, "evicted")).isEqualTo("got x");
  }
}

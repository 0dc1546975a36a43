package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.testkit.CrashingStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A database that is away for a moment, or to which somebody else writes at a bad moment. */
class StoreTroubleTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int LARGE = 1_500_000; // more than a run gathers before it writes

  @RegisterExtension final World world = new World(StoreKind.MEMORY);
  private final Calls calls = new Calls();
  private TroubledStore trouble;

  private Engine open() {
    return world.openOn(this::troubled, this::register);
  }

  private Store troubled(Store store) {
    trouble = new TroubledStore(store);
    return trouble;
  }

  private void register(Reprise reprise) {
    reprise
        .workflow("words", Integer.class, String.class, StoreTroubleTest::words)
        .workflow(
            "sleep",
            String.class,
            String.class,
            (ctx, in) -> {
              ctx.sleep(HOUR);
              return in;
            })
        .workflow(
            "step",
            String.class,
            String.class,
            (ctx, in) -> ctx.run("step", String.class, () -> calls.returning("step", in)));
  }

  private static String words(Context ctx, int count) {
    var words = new ArrayList<String>();
    for (int i = 0; i < count; i++) words.add(ctx.receive(WORD));
    return words.toString();
  }

  @Test
  void a_commit_without_an_answer_is_tried_again_and_nothing_runs_twice() {
    var engine = open();
    trouble.commitsToFail.set(3);

    var handle = engine.start("step", "w", "x");

    assertThat(result(handle)).isEqualTo("x");
    assertThat(calls.of("step")).isEqualTo(1);
  }

  @Test
  void a_run_whose_history_could_not_be_read_is_loaded_a_little_later() {
    var engine = open();
    var handle = engine.start("words", "w", 1);
    world.settle(handle);
    engine.evict("w");
    Await.until("the run is out of memory", () -> engine.runsInMemory() == 0);
    trouble.historiesToFail.set(1);

    engine.signal("w", WORD, "hello");

    assertThat(result(handle)).isEqualTo("[hello]");
  }

  @Test
  void a_run_whose_inputs_could_not_be_read_is_loaded_a_little_later() {
    var engine = open();
    var handle = engine.start("words", "w", 1);
    world.settle(handle);
    engine.evict("w");
    Await.until("the run is out of memory", () -> engine.runsInMemory() == 0);
    trouble.inputsToFail.set(1);

    engine.signal("w", WORD, "hello");

    assertThat(result(handle)).isEqualTo("[hello]");
  }

  // ---- an end that comes too early --------------------------------------------------------------

  /** Somebody accepts a signal right before the run closes, so many times. */
  private void interfere(int times) {
    var left = new AtomicInteger(times);
    trouble.before =
        transition ->
            isClose(transition) && left.getAndDecrement() > 0
                ? List.of(accept(((Transition.Append) transition).run(), "late"))
                : List.of();
  }

  private Transition accept(long run, String word) {
    var value = ('"' + word + '"').getBytes(StandardCharsets.UTF_8);
    return new Transition.Accept(
        new InputRow(
            0,
            run,
            InputRow.Kind.SIGNAL,
            "word",
            UUID.randomUUID().toString(),
            value,
            world.time().now()));
  }

  @Test
  void signals_accepted_before_the_end_are_in_the_history_before_it() {
    var engine = open();
    interfere(3);

    var handle = engine.start("step", "w", "x");

    assertThat(result(handle)).isEqualTo("x");
    assertThat(outline(handle.history()))
        .containsExactly(
            "WorkflowStarted step",
            "ActivityCompleted step:1",
            "SignalReceived word",
            "SignalReceived word",
            "SignalReceived word",
            "WorkflowCompleted");
    assertThat(calls.of("step")).isEqualTo(1);
  }

  @Test
  void a_refused_end_is_found_again_after_trouble_with_reading() {
    var engine = open();
    interfere(1);
    trouble.inputsToFail.set(1);

    var handle = engine.start("step", "w", "x");

    assertThat(result(handle)).isEqualTo("x");
  }

  @Test
  void a_refused_end_survives_a_crash_between_the_signals_and_the_end() {
    var gate = world.gate();
    var dying = new AtomicReference<CrashingStore>();
    world.openOn(
        store -> {
          dying.set(new CrashingStore(store, t -> has(t, "\"signal\"") && !isClose(t)));
          return troubled(dying.get());
        },
        r -> registerTwoBranches(r, gate));
    var refused = new AtomicInteger();
    trouble.before =
        transition -> {
          if (!isClose(transition) || refused.getAndIncrement() > 0) return List.of();
          gate.open();
          LockSupport.parkNanos(Duration.ofMillis(50).toNanos()); // for the other branch to end
          return List.of(accept(((Transition.Append) transition).run(), "x".repeat(LARGE)));
        };
    world.engine().start("two", "w", "");
    Await.until("the crash", dying.get()::hasCrashed);
    world.crash();
    assertThat(outline(world.stored("w"))).endsWith("SignalReceived word");

    var second = world.open(r -> registerTwoBranches(r, gate));

    assertThat(result(second, "w")).isEqualTo("done");
    assertThat(outline(second.history("w")))
        .containsExactly(
            "WorkflowStarted two",
            "ActivityCompleted main:1",
            "SignalReceived word",
            "WorkflowCompleted");
  }

  private static boolean isClose(Transition transition) {
    return transition instanceof Transition.Append append
        && append.change() instanceof RunChange.Close;
  }

  private static boolean has(Transition transition, String id) {
    return transition instanceof Transition.Append append
        && append.events().stream()
            .anyMatch(e -> new String(e.attributes(), StandardCharsets.UTF_8).contains(id));
  }

  private static void registerTwoBranches(Reprise reprise, Gate gate) {
    reprise.workflow(
        "two",
        String.class,
        String.class,
        (ctx, _) -> {
          ctx.async(
              () -> {
                ctx.run("beside", gate::pass);
                return null;
              });
          ctx.run("main", gate::awaitReached);
          return "done";
        });
  }

  // ---- senders ----------------------------------------------------------------------------------

  @Test
  void whoever_waits_for_an_answer_when_the_engine_dies_gets_an_error() throws Exception {
    var inCode = world.gate();
    var engine =
        world.open(
            r ->
                r.workflow("echo", String.class, String.class, (_, in) -> in)
                    .workflow(
                        "slow",
                        String.class,
                        String.class,
                        (ctx, _) -> {
                          ctx.receive(WORD);
                          inCode.pass(); // workflow code that takes its time
                          return ctx.receive(WORD);
                        }));
    var handle = engine.start("slow", "w", "");
    world.settle(handle);
    var answer = CompletableFuture.runAsync(() -> handle.signal(WORD, "x"));
    inCode.awaitReached();
    world.crash();
    CompletableFuture.runAsync(() -> engine.start("echo", "e", "")).exceptionally(_ -> null).join();
    inCode.open();

    assertThat(answer.handle((_, failure) -> failure).get(20, TimeUnit.SECONDS)).isNotNull();
  }

  @Test
  void asking_a_dead_engine_for_a_result_is_an_error_and_not_an_endless_wait() {
    var engine = world.open(this::register);
    var handle = engine.start("words", "w", 1);
    world.settle(handle);
    world.crash();
    CompletableFuture.runAsync(() -> engine.start("step", "s", "")).exceptionally(_ -> null).join();

    var asked =
        CompletableFuture.supplyAsync(() -> (Object) engine.handle("w", String.class).result());

    assertThat(asked.handle((_, failure) -> failure).orTimeout(20, TimeUnit.SECONDS).join())
        .isNotNull();
  }

  // ---- a history that cannot be right -----------------------------------------------------------

  @Test
  void a_history_that_cannot_be_read_blocks_its_run_and_fails_nothing() {
    var engine = open();
    var handle = engine.start("sleep", "w", "x");
    world.settle(handle);
    engine.evict("w");
    Await.until("the run is out of memory", () -> engine.runsInMemory() == 0);
    trouble.reading = row -> row.index() == 2 ? ofUnknownType(row) : row;
    world.time().advance(HOUR);

    awaitStatus(engine, "w", Status.BLOCKED);
    trouble.reading = UnaryOperator.identity();
    engine.resume("w");

    assertThat(result(handle)).isEqualTo("x");
  }

  private static EventRow ofUnknownType(EventRow row) {
    return new EventRow(row.index(), row.at(), 99, row.site(), row.attributes(), row.value());
  }
}

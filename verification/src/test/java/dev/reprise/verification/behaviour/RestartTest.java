package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.events;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.HistoryEvent;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Transition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An engine that dies or is closed, and the next one on the same store. */
@ParameterizedClass(name = "{0}")
@EnumSource
class RestartTest {
  private static final Signal<String> APPROVAL = Signal.of("approval", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  private final StoreKind kind;
  @RegisterExtension final World world;
  private final Calls calls = new Calls();

  RestartTest(StoreKind kind) {
    this.kind = kind;
    this.world = new World(kind);
  }

  // ---- everywhere -------------------------------------------------------------------------------

  /** Every kind of wait once. */
  private static String order(Context ctx, String order, Calls calls) {
    var reserved = ctx.run("reserve", String.class, () -> calls.returning("reserve", order + "!"));
    var approval = ctx.receive(APPROVAL);
    var tries = ActivityOptions.defaults().retry(RetryPolicy.fixed(HOUR, 3));
    ctx.with(tries)
        .run(
            "charge",
            () -> {
              calls.add("charge");
              if (calls.of("charge") == 1) throw new IllegalStateException("declined");
            });
    var packed =
        ctx.all(IntStream.range(0, 3).mapToObj(i -> ctx.async(() -> pack(ctx, i, calls))).toList());
    ctx.sleep(HOUR);
    var late = ctx.receive(APPROVAL, HOUR);
    ctx.run("ship", () -> calls.add("ship"));
    return reserved + approval + packed + late;
  }

  private static int pack(Context ctx, int i, Calls calls) {
    return ctx.run("pack " + i, Integer.class, () -> calls.returning("pack " + i, i * i));
  }

  @Test
  void a_crash_at_any_transition_repeats_no_completed_activity_and_changes_no_result()
      throws Exception {
    boolean crashed = true;
    int moments = 0;
    for (; crashed; moments++) crashed = survivesCrashAt(moments);

    assertThat(moments).as("moments to crash at").isGreaterThan(10);
  }

  /** Whether there was such a moment. */
  private boolean survivesCrashAt(int moment) throws Exception {
    var made = new Calls();
    var seen = new AtomicInteger();
    Predicate<Transition> then = _ -> seen.getAndIncrement() == moment;
    try (var place = new World(kind)) {
      var first = place.openCrashingAt(then, r -> register(r, made));
      drive(place, first);
      if (!place.hasCrashed()) return false;
      place.awaitCrash();
      var before = made.all();
      var recorded = completed(place.stored("o1"));

      var second = place.open(r -> register(r, made));
      var outcome = drive(place, second);

      assertThat(outcome).as("crashed at %d", moment).isEqualTo("o1!yes[0, 1, 4]Optional.empty");
      assertThat(made.all().subList(before.size(), made.all().size()))
          .as("run again after a crash at %d", moment)
          .noneMatch(recorded::contains);
      assertThat(made.of("reserve") + made.of("ship")).isLessThanOrEqualTo(3);
      return true;
    }
  }

  private static void register(Reprise reprise, Calls calls) {
    reprise.workflow("order", String.class, String.class, (ctx, id) -> order(ctx, id, calls));
  }

  /** Starts, signals and moves the time until it ends or crashes. */
  private static String drive(World place, Engine engine) {
    try {
      var handle = engine.start("order", "o1", "o1");
      if (handle.status() == Status.RUNNING && events(engine, "o1", "SignalReceived").isEmpty()) {
        handle.signal(APPROVAL, "yes");
      }
      Await.until(
          "the end",
          () -> {
            place.time().nextAlarm().ifPresent(place.time()::advanceTo);
            return place.hasCrashed() || handle.status().isClosed();
          });
      return place.hasCrashed() ? "" : (String) result(handle);
    } catch (RepriseException dead) {
      assertThat(dead.code()).isIn(ErrorCode.R122, ErrorCode.R119);
      return "";
    }
  }

  /** What the history says is done, in the names of the calls. */
  private static List<String> completed(List<HistoryEvent> history) {
    return history.stream()
        .filter(event -> event.type().equals("ActivityCompleted"))
        .map(event -> event.subject().substring(0, event.subject().indexOf(':')))
        .toList();
  }

  // ---- one by one -------------------------------------------------------------------------------

  @Test
  void an_acknowledged_start_is_never_lost() {
    var first = world.open(r -> r.workflow("echo", String.class, String.class, (_, in) -> in));
    var ids = IntStream.range(0, 50).mapToObj(i -> "w" + i).toList();
    ids.forEach(id -> first.start("echo", id, id));
    world.crash();

    var second = world.open(r -> r.workflow("echo", String.class, String.class, (_, in) -> in));

    for (var id : ids) assertThat(result(second, id)).isEqualTo(id);
  }

  @Test
  void a_start_whose_answer_was_lost_is_found_by_starting_again() {
    var first =
        world.openCrashingAt(
            t -> t instanceof Transition.Start,
            r -> r.workflow("echo", String.class, String.class, (_, in) -> in));
    assertThatThrownBy(() -> first.start("echo", "w", "hello"))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R122));
    world.awaitCrash();

    var second = world.open(r -> r.workflow("echo", String.class, String.class, (_, in) -> in));
    var handle = second.start("echo", "w", "hello");

    assertThat(result(handle)).isEqualTo("hello");
    assertThat(second.list(ListQuery.all())).hasSize(1);
  }

  @Test
  void open_runs_go_on_when_the_next_engine_starts_without_being_asked() throws Exception {
    var gate = world.gate();
    var first =
        world.open(
            r -> r.workflow("work", String.class, String.class, (ctx, in) -> work(ctx, in, gate)));
    first.start("work", "w", "x");
    gate.awaitReached();
    world.crash();
    gate.open();

    var second =
        world.open(
            r -> r.workflow("work", String.class, String.class, (ctx, in) -> work(ctx, in, gate)));

    assertThat(result(second, "w")).isEqualTo("x done");
    assertThat(calls.of("before")).isEqualTo(1);
    assertThat(calls.of("held")).as("in flight when the engine died").isEqualTo(2);
  }

  private String work(Context ctx, String in, Gate gate) {
    ctx.run("before", () -> calls.add("before"));
    ctx.run(
        "held",
        () -> {
          calls.add("held");
          gate.pass();
        });
    return in + " done";
  }

  @Test
  void an_activity_whose_completion_is_durable_is_never_called_again_however_often_it_restarts() {
    var engine = world.open(this::registerRounds);
    engine.start("rounds", "w", 5);
    for (int round = 1; round <= 5; round++) {
      awaitEvents(engine, "w", "ActivityCompleted", round);
      world.crash();
      engine = world.open(this::registerRounds);
      engine.signal("w", APPROVAL, "go " + round);
    }

    assertThat(result(engine, "w")).isEqualTo("[go 1, go 2, go 3, go 4, go 5]");
    assertThat(calls.all()).containsExactly("work 0", "work 1", "work 2", "work 3", "work 4");
  }

  private void registerRounds(Reprise reprise) {
    reprise.workflow(
        "rounds",
        Integer.class,
        String.class,
        (ctx, rounds) -> {
          var heard = new ArrayList<String>();
          for (int i = 0; i < rounds; i++) {
            var name = "work " + i;
            ctx.run(name, () -> calls.add(name));
            heard.add(ctx.receive(APPROVAL));
          }
          return heard.toString();
        });
  }

  @Test
  void an_engine_without_the_workflow_leaves_its_runs_alone() {
    var first = world.open(this::registerRounds);
    first.start("rounds", "w", 1);
    awaitEvents(first, "w", "ActivityCompleted", 1);
    world.crash();

    var stranger = world.open(r -> r.workflow("other", String.class, String.class, (_, in) -> in));
    assertThat(result(stranger.start("other", "o", "o"))).isEqualTo("o");
    assertThat(stranger.describe("w").status()).isEqualTo(Status.RUNNING);
    stranger.signal("w", APPROVAL, "late");
    world.crash();
    var third = world.open(this::registerRounds);

    assertThat(result(third, "w")).isEqualTo("[late]");
  }

  @Test
  void a_closed_run_keeps_its_result_and_history_for_ever() {
    var first = world.open(r -> r.workflow("echo", String.class, String.class, (_, in) -> in));
    result(first.start("echo", "w", "x"));
    var history = first.history("w");
    world.shutDown();

    var second = world.open(r -> r.workflow("echo", String.class, String.class, (_, _) -> "other"));

    assertThat(result(second, "w")).isEqualTo("x");
    assertThat(second.history("w")).isEqualTo(history);
  }

  @Test
  void the_index_orders_events_of_the_same_moment() {
    var engine = world.open(this::registerRounds);
    engine.start("rounds", "w", 2);
    engine.signal("w", APPROVAL, "yes");
    engine.signal("w", APPROVAL, "yes");
    result(engine, "w");

    var history = engine.history("w");

    assertThat(history).extracting(HistoryEvent::recordedAt).containsOnly(World.START);
    assertThat(history)
        .extracting(HistoryEvent::index)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, history.size()).boxed().toList());
    assertThat(outline(history)).startsWith("WorkflowStarted rounds").endsWith("WorkflowCompleted");
  }
}

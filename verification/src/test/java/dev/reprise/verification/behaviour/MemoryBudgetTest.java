package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.engine.Reprise;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** No memory for runs that wait: each leaves as soon as it waits, and all finish all the same. */
@ParameterizedClass(name = "{0}")
@EnumSource
class MemoryBudgetTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);

  @RegisterExtension final World world;
  private final Calls calls = new Calls();

  MemoryBudgetTest(StoreKind kind) {
    this.world = new World(kind).onSystemTime();
  }

  private void register(Reprise reprise) {
    reprise.memoryBudget(0).workflow("all", String.class, String.class, this::everyKindOfWait);
  }

  private String everyKindOfWait(Context ctx, String id) {
    calls.add("begun");
    ctx.run("first", () -> calls.add("first " + id));
    ctx.sleep(Duration.ofMillis(2));
    var options = ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofMillis(2), 3));
    var attempts =
        ctx.with(options).run("flaky", Integer.class, () -> secondAttempt("flaky " + id));
    var words =
        ctx.all(List.of(ctx.async(() -> ctx.receive(WORD)), ctx.async(() -> ctx.receive(WORD))));
    ctx.withTimeout(Duration.ofMinutes(1), () -> ctx.receive(WORD));
    ctx.run("last", () -> calls.add("last " + id));
    return attempts + words.toString();
  }

  private int secondAttempt(String name) {
    calls.add(name);
    if (calls.of(name) < 2) throw new IllegalStateException("no");
    return calls.of(name);
  }

  @Test
  void all_runs_finish_and_no_activity_is_repeated() {
    var engine = world.open(this::register);
    var ids = IntStream.range(0, 40).mapToObj(i -> "w" + i).toList();
    ids.forEach(id -> engine.start("all", id, id));
    for (var word : List.of("a", "b", "c")) ids.forEach(id -> engine.signal(id, WORD, word));

    for (var id : ids) assertThat(result(engine, id)).isEqualTo("2[a, b]");

    for (var id : ids) {
      assertThat(calls.of("first " + id)).isEqualTo(1);
      assertThat(calls.of("last " + id)).isEqualTo(1);
      assertThat(calls.of("flaky " + id)).isEqualTo(2);
    }
    Await.until("nothing is left in memory", () -> engine.runsInMemory() == 0);
  }

  @Test
  void a_run_leaves_memory_as_soon_as_it_waits() {
    var engine =
        world.open(
            r ->
                r.memoryBudget(0)
                    .workflow("wait", String.class, String.class, (ctx, _) -> ctx.receive(WORD)));
    var handle = engine.start("wait", "w", "");

    Await.until("the run is out of memory", () -> engine.runsInMemory() == 0);

    assertThat(handle.status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void runs_stay_in_memory_while_there_is_room() {
    var engine =
        world.open(
            r -> r.workflow("wait", String.class, String.class, (ctx, _) -> ctx.receive(WORD)));
    for (int i = 0; i < 20; i++) engine.start("wait", "w" + i, "");
    for (int i = 0; i < 20; i++) World.awaitWaiting(engine, "w" + i, "signal 'word'");

    assertThat(engine.runsInMemory()).isEqualTo(20);
  }

  @Test
  void a_run_that_is_due_soon_is_not_loaded_again_and_again() {
    var engine =
        world.open(
            r ->
                r.memoryBudget(0)
                    .workflow(
                        "nap",
                        String.class,
                        String.class,
                        (ctx, in) -> {
                          calls.add("begun");
                          ctx.sleep(Duration.ofMillis(700));
                          return in;
                        }));

    assertThat(result(engine.start("nap", "w", "rested"))).isEqualTo("rested");

    assertThat(calls.of("begun")).as("times the code ran from the top").isLessThanOrEqualTo(3);
  }
}

package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityOptions;
import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.Waiting;
import dev.reprise.Waiting.Kind;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.testkit.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an open run waits for, with its line: in memory, out of it, and seen from another node. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WaitingForTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world = new World(StoreKind.SQLITE);

  /** Waits for everything at once. */
  private static String all(Context ctx, String in) {
    var hourly = ActivityOptions.defaults().retry(RetryPolicy.fixed(HOUR, 5));
    var branches =
        List.of(
            ctx.async(
                () -> {
                  ctx.with(hourly)
                      .run(
                          "charge",
                          () -> {
                            throw new IllegalStateException("card declined");
                          });
                  return "";
                }),
            ctx.async(
                () -> {
                  ctx.sleep(HOUR.multipliedBy(2));
                  return "";
                }),
            ctx.async(() -> ctx.receive(WORD)),
            ctx.async(
                () -> {
                  ctx.await(() -> false);
                  return "";
                }));
    var child = ctx.start("child", in, String.class, ChildOptions.defaults().id("the child"));
    child.result().await();
    return ctx.all(branches).toString();
  }

  private static void register(Reprise reprise) {
    reprise
        .workflow("all", String.class, String.class, WaitingForTest::all)
        .workflow("child", String.class, String.class, (ctx, _) -> ctx.receive(WORD));
  }

  private static void assertAll(List<Waiting> waiting) {
    assertThat(waiting)
        .extracting(Waiting::kind)
        .containsExactlyInAnyOrder(
            Kind.CHILD, Kind.ACTIVITY, Kind.TIMER, Kind.SIGNAL, Kind.CONDITION);
    assertThat(waiting)
        .allSatisfy(wait -> assertThat(wait.site()).contains("WaitingForTest.java:"));
    assertThat(of(waiting, Kind.ACTIVITY))
        .satisfies(
            wait -> {
              assertThat(wait.what()).isEqualTo("activity charge");
              assertThat(wait.attempt()).isEqualTo(2);
              assertThat(String.valueOf(wait.lastFailure())).contains("card declined");
              assertThat(wait.due()).isNotNull();
            });
    assertThat(of(waiting, Kind.TIMER).due()).isNotNull();
    assertThat(of(waiting, Kind.SIGNAL).what()).contains("word");
    assertThat(of(waiting, Kind.CHILD).what()).contains("the child");
  }

  private static Waiting of(List<Waiting> waiting, Kind kind) {
    return waiting.stream().filter(wait -> wait.kind() == kind).findFirst().orElseThrow();
  }

  private static List<Waiting> awaitAll(Engine engine, String id) {
    Await.until(
        "everything waits",
        () -> {
          var waiting = engine.describe(id).waitingFor();
          return waiting.size() == 5
              && waiting.stream().anyMatch(wait -> wait.lastFailure() != null);
        });
    return engine.describe(id).waitingFor();
  }

  @Test
  void it_is_told_in_memory_and_out_of_it() {
    var engine = world.open(WaitingForTest::register);
    engine.start("all", "w", "x");
    var here = awaitAll(engine, "w");
    assertAll(here);
    assertThat(of(here, Kind.TIMER).due()).isEqualTo(World.START.plus(HOUR.multipliedBy(2)));

    Await.until(
        "all are out of memory",
        () -> {
          engine.evict("w");
          engine.evict("the child");
          return engine.runsInMemory() == 0;
        });

    assertThat(engine.describe("w").waitingFor()).containsExactlyInAnyOrderElementsOf(here);
  }

  @Test
  void it_is_told_by_a_node_that_does_not_have_the_run() {
    var database = MemoryStore.forMany();
    try (var one = engine(database);
        var two = engine(database)) {
      one.start("all", "w", "x");
      awaitAll(one, "w");

      assertThat(two.runsInMemory()).isLessThan(2);
      assertAll(two.describe("w").waitingFor());
    }
  }

  private static Engine engine(MemoryStore database) {
    var reprise = Reprise.on(new Connection(database));
    register(reprise);
    return reprise.start();
  }

  /** Closing an engine leaves the database to the others. */
  private static final class Connection extends ForwardingStore {
    Connection(MemoryStore database) {
      super(database);
    }

    @Override
    public void close() {}
  }

  @Test
  void what_is_being_undone_and_what_could_not_be_is_told() throws Exception {
    var gate = world.gate();
    world.open(
        r ->
            r.workflow(
                    "saga",
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      ctx.compensate("free", "a");
                      ctx.compensate("free", "b");
                      throw new IllegalStateException("failed");
                    })
                .activity(
                    "free",
                    String.class,
                    item -> {
                      if (item.equals("b")) throw new TerminalFailure("b is gone");
                      gate.pass();
                    }));
    var engine = world.engine();
    engine.start("saga", "s", "");
    gate.awaitReached();
    assertThat(engine.describe("s").waitingFor())
        .singleElement()
        .satisfies(
            wait -> {
              assertThat(wait.kind()).isEqualTo(Kind.COMPENSATION);
              assertThat(wait.id()).isEqualTo("undo free:1");
            });
    gate.open();
    awaitStatus(engine, "s", Status.COMPENSATION_FAILED);

    assertThat(engine.describe("s").waitingFor())
        .singleElement()
        .satisfies(
            wait -> {
              assertThat(wait.kind()).isEqualTo(Kind.COMPENSATION);
              assertThat(wait.id()).isEqualTo("undo free:2");
              assertThat(String.valueOf(wait.lastFailure())).contains("b is gone");
            });
  }

  @Test
  void nothing_is_waited_for_by_a_closed_run_or_by_one_whose_code_is_not_here() {
    world.play((_, _) -> "done");
    assertThat(world.engine().describe("w").waitingFor()).isEmpty();
    world.shutDown();

    world.settle(world.open(WaitingForTest::register).start("child", "c", ""));
    world.shutDown();
    var stranger = world.openWith((_, in) -> in);

    assertThat(stranger.describe("c").status()).isEqualTo(Status.RUNNING);
    assertThat(stranger.describe("c").waitingFor()).isEmpty();
  }
}

package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Only so many runs are active at once; the others wait their turn, in order. */
@ParameterizedClass(name = "{0}")
@EnumSource
class AdmissionTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final List<String> IDS = IntStream.range(0, 50).mapToObj(i -> "w" + i).toList();

  @RegisterExtension final World world;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final Semaphore permits = new Semaphore(0);

  AdmissionTest(StoreKind kind) {
    this.world = new World(kind);
  }

  /** An activity that holds its run until the test lets it go. */
  private void hold(String id) throws InterruptedException {
    begun.add(id);
    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
    try {
      permits.tryAcquire(20, TimeUnit.SECONDS);
    } finally {
      inside.decrementAndGet();
    }
  }

  private String held(Context ctx, String id) {
    ctx.run("hold", () -> hold(id));
    return id;
  }

  private void register(Reprise reprise) {
    reprise
        .workflow("held", String.class, String.class, this::held)
        .workflow("parked", String.class, String.class, (ctx, _) -> ctx.receive(WORD));
  }

  private Engine open(int activeRuns) {
    return world.open(
        r -> {
          r.activeRuns(activeRuns);
          register(r);
        });
  }

  @Test
  void never_more_runs_are_active_than_allowed_and_all_finish() {
    var engine = open(2);
    IDS.forEach(id -> engine.start("held", id, id));
    Await.until("two are inside", () -> inside.get() == 2);

    permits.release(IDS.size());

    for (var id : IDS) assertThat(result(engine, id)).isEqualTo(id);
    assertThat(most).hasValue(2);
    assertThat(begun).containsExactlyInAnyOrderElementsOf(IDS);
  }

  @Test
  void runs_begin_in_the_order_of_their_start() {
    var engine = open(1);
    IDS.forEach(id -> engine.start("held", id, id));
    permits.release(IDS.size());

    for (var id : IDS) assertThat(result(engine, id)).isEqualTo(id);
    assertThat(begun).isEqualTo(IDS);
    assertThat(most).hasValue(1);
  }

  @Test
  void runs_that_wait_for_time_or_for_signals_do_not_count() {
    var engine = open(1);
    for (int i = 0; i < 20; i++) world.settle(engine.start("parked", "p" + i, ""));
    permits.release();

    assertThat(result(engine.start("held", "w", "not held up"))).isEqualTo("not held up");
    for (int i = 0; i < 20; i++) {
      engine.signal("p" + i, WORD, "woken " + i);
      assertThat(result(engine, "p" + i)).isEqualTo("woken " + i);
    }
  }

  @Test
  void a_signal_to_a_run_that_waits_its_turn_is_acknowledged_at_once_and_kept() {
    var engine = open(1);
    engine.start("held", "first", "x");
    engine.start("parked", "second", "x");

    var sent = CompletableFuture.runAsync(() -> engine.signal("second", WORD, "early"));

    assertThat(sent.orTimeout(15, TimeUnit.SECONDS)).succeedsWithin(Duration.ofSeconds(15));
    Await.until("the first is still inside", () -> inside.get() == 1);
    permits.release();
    assertThat(result(engine, "second")).isEqualTo("early");
  }

  @Test
  void an_activity_may_signal_a_run_that_waits_for_its_turn_behind_it() {
    var engine =
        world.open(
            r ->
                r.activeRuns(1)
                    .workflow("parked", String.class, String.class, (ctx, _) -> ctx.receive(WORD))
                    .workflow(
                        "sender",
                        String.class,
                        String.class,
                        (ctx, _) -> {
                          ctx.run("start", () -> world.engine().start("parked", "behind", ""));
                          ctx.run("send", () -> world.engine().signal("behind", WORD, "hello"));
                          return "sent";
                        }));

    assertThat(result(engine.start("sender", "s", ""))).isEqualTo("sent");
    assertThat(result(engine, "behind")).isEqualTo("hello");
  }

  @Test
  void after_a_crash_all_runs_come_back_a_few_at_a_time_without_delay() {
    var first = open(50);
    IDS.forEach(id -> first.start("held", id, id));
    Await.until("all are inside", () -> inside.get() == 50);
    world.crash();
    permits.release(50);
    Await.until("all have gone", () -> inside.get() == 0);
    most.set(0);
    permits.release(50);
    long begin = System.nanoTime();

    var second = open(2);

    for (var id : IDS) assertThat(result(second, id)).isEqualTo(id);
    assertThat(most).hasValueLessThanOrEqualTo(2);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void an_engine_can_be_closed_while_runs_wait_for_their_turn() {
    var first = open(1);
    IDS.forEach(id -> first.start("held", id, id));
    Await.until("one is inside", () -> inside.get() == 1);
    permits.release();
    world.shutDown();
    int done = begun.size();
    permits.release(IDS.size());

    var second = open(10);

    for (var id : IDS) assertThat(result(second, id)).isEqualTo(id);
    assertThat(begun.subList(0, done)).doesNotHaveDuplicates();
  }
}

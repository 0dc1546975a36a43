package dev.reprise.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.NodeRow;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs that were in memory when engines died, and one that is the reason. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class QuarantineTest {
  private static final int INNOCENT = 10;
  private static final int SUSPECTED_AFTER = 4; // deaths
  private static final int MOST_DEATHS = 12;
  private static final String POISON = "poison";

  private final MemoryStore database = MemoryStore.forMany();
  private final Slow slow = new Slow();
  private Engine engine;

  /** Is in a step that takes as long as the test wants. */
  private static final class Slow implements Workflow<String, String> {
    private final Map<String, AtomicInteger> begun = new ConcurrentHashMap<>();
    private final CountDownLatch open = new CountDownLatch(1);
    private volatile boolean isBrief;

    @Override
    public String run(Context ctx, String name) {
      ctx.run(
          "slow",
          () -> {
            begun.computeIfAbsent(name, _ -> new AtomicInteger()).incrementAndGet();
            if (isBrief && !name.equals(POISON)) open.await(1, TimeUnit.SECONDS);
            else open.await();
          });
      return name;
    }

    /** How many of the runs have begun their step so often. */
    private long begun(int times) {
      return begun.values().stream().filter(count -> count.get() >= times).count();
    }

    private int times(String name) {
      return begun.getOrDefault(name, new AtomicInteger()).get();
    }
  }

  @BeforeEach
  void start() {
    engine = Reprise.on(database).lease(Duration.ofSeconds(1)).workflow(slow).start();
  }

  @AfterEach
  void close() {
    slow.open.countDown();
    engine.close();
  }

  /** The node is taken for dead: the engine goes on as another one, which takes over the runs. */
  private void die() {
    Await.until(
        "an engine dies",
        () ->
            database.nodes().stream()
                .filter(node -> !node.isFenced())
                .map(this::fence)
                .reduce(false, Boolean::logicalOr));
  }

  private boolean fence(NodeRow node) {
    return database.fence(node);
  }

  private void suspectAll() {
    for (int i = 0; i < INNOCENT; i++) engine.start(Slow.class, "slow-" + i, "slow-" + i);
    int all = (int) engine.count("");
    for (int death = 1; death <= SUSPECTED_AFTER; death++) {
      int times = death;
      Await.until("all have begun", () -> slow.begun(times) == all);
      die();
    }
  }

  private void expectInnocent() {
    slow.open.countDown();
    for (int i = 0; i < INNOCENT; i++) {
      assertThat(engine.handle(Slow.class, "slow-" + i).result()).isEqualTo("slow-" + i);
    }
  }

  @Test
  void suspects_in_a_slow_step_do_not_wait_for_each_other() {
    suspectAll();

    Await.until("all are tried", () -> slow.begun(SUSPECTED_AFTER + 1) == INNOCENT);

    expectInnocent();
  }

  @Test
  void engines_that_die_while_several_are_on_trial_bring_none_of_them_into_quarantine() {
    suspectAll();
    for (int death = 1; death <= 2; death++) {
      int times = SUSPECTED_AFTER + death;
      Await.until("several are tried", () -> slow.begun(times) >= 3);
      die();
    }
    for (int i = 0; i < INNOCENT; i++) {
      assertThat(engine.describe("slow-" + i).status()).isEqualTo(Status.RUNNING);
    }

    expectInnocent();
  }

  /** Each engine dies as soon as it begins. */
  @Test
  void the_one_that_kills_its_engine_is_held_and_the_innocent_go_on() {
    engine.start(Slow.class, POISON, POISON);
    suspectAll();
    slow.isBrief = true;

    int deaths = SUSPECTED_AFTER;
    for (; status(POISON) == Status.RUNNING && deaths < MOST_DEATHS; deaths++) {
      int seen = deaths;
      Await.until("it begins", () -> slow.times(POISON) > seen || isHeld(POISON));
      if (!isHeld(POISON)) die();
    }

    assertThat(engine.describe(POISON).blockedBy()).contains("R124");
    for (int i = 0; i < INNOCENT; i++) assertThat(isHeld("slow-" + i)).isFalse();
    expectInnocent();
  }

  private Status status(String id) {
    return engine.describe(id).status();
  }

  private boolean isHeld(String id) {
    return status(id) == Status.BLOCKED;
  }
}

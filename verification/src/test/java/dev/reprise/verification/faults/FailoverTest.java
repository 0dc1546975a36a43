package dev.reprise.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.reprise.NodeDescription;
import dev.reprise.RepriseException;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.verification.chaos.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The primary dies, and a standby takes its place with what it has received. */
class FailoverTest {
  private static final int ENGINES = 2;
  private static final int WORKFLOWS = 8; // of each engine and round
  private static final int STEPS = 60;
  private static final int MAX_LAG =
      150; // steps that begin after the last that the standby receives
  private static final int GIVEN_UP = 10; // connections, before the standby is back
  private static final int POOL = 4;
  private static final String POOL_NAME = "pool";
  private static final Duration GOING_ON = Duration.ofSeconds(10);

  private final Replicas replicas = new Replicas();
  private final ConcurrentHashMap<String, Integer> latest = new ConcurrentHashMap<>();
  private final List<ShortSteps.Effects> effects = new ArrayList<>();
  private final List<Engine> engines = new ArrayList<>();

  @BeforeEach
  void start() {
    for (int i = 0; i < ENGINES; i++) {
      effects.add(new ShortSteps.Effects(latest));
      engines.add(settings().workflow(new ShortSteps(effects.getLast())).start());
    }
  }

  @AfterEach
  void end() {
    engines.forEach(Engine::close);
    replicas.close();
  }

  private Reprise settings() {
    return Reprise.open(replicas.url()).callTimeout(Duration.ofSeconds(20));
  }

  @Test
  void what_an_asynchronous_standby_has_not_received_is_noticed_and_done_again() {
    int rounds = Integer.getInteger("reprise.failover.rounds", 20);
    var random = new Random(22);
    int lossy = 0;
    for (int round = 0; round < rounds; round++) {
      if (isLossy(round, random)) lossy++;
      replicas.followAgain();
    }
    assertThat(lossy).as("rounds in which something was lost").isGreaterThan(rounds / 3);
  }

  private boolean isLossy(int round, Random random) {
    int repeated = repeated();
    var before = aliveNodes();
    begin(round, 1 + random.nextInt(WORKFLOWS * STEPS));

    replicas.holdBack();
    int lag = random.nextInt(MAX_LAG);
    int seen = count();
    Scene.await("the standby lags behind", () -> count() >= seen + lag || isOver(round));
    var took = failOver();

    complete(round);
    assertThat(findings()).isEmpty();
    assertThat(aliveNodes()).hasSize(ENGINES).doesNotContainAnyElementsOf(before);
    System.out.printf(
        "failover %d: %d steps of lag, %d done again, going on after %d ms%n",
        round, lag, repeated() - repeated, took.toMillis());
    return repeated() > repeated;
  }

  @Test
  void with_a_synchronous_standby_nothing_is_lost_and_work_goes_on() {
    for (int round = 0; round < 3; round++) {
      replicas.beSynchronous();
      begin(round, WORKFLOWS * STEPS / 2);

      var took = failOver();

      assertThat(took).isLessThan(GOING_ON);
      complete(round);
      assertThat(repeated()).isZero();
      assertThat(findings()).isEmpty();
      replicas.followAgain();
    }
  }

  /** What was committed on the primary alone is not durable: it waits for the standby. */
  @Test
  void without_its_synchronous_standby_nothing_is_acknowledged_and_no_connection_is_left_behind()
      throws InterruptedException {
    replicas.beSynchronous();
    var started = new AtomicInteger();
    try (var impatient =
        Reprise.open(replicas.url() + "&socketTimeout=2")
            .callTimeout(Duration.ofSeconds(1))
            .workflow(new ShortSteps(new ShortSteps.Effects(latest)))
            .start()) {
      impatient.start(ShortSteps.class, "before", 2).result();
      replicas.killStandby();
      var caller = Thread.startVirtualThread(() -> startOften(impatient, started));

      var seen = new HashSet<String>();
      Scene.await(
          "connections were given up",
          () -> {
            seen.addAll(readers());
            return seen.size() > GIVEN_UP;
          });
      assertThat(started).hasValue(0);
      assertThat(readers()).hasSizeLessThanOrEqualTo(2 * (ENGINES + 1));

      replicas.restartStandby();
      Scene.await("it goes on", () -> started.get() > 0);
      caller.interrupt();
      caller.join();
      assertThat(impatient.start(ShortSteps.class, "after", 2).result()).isEqualTo(2);
    }
    assertThat(findings()).isEmpty();
  }

  /** The server notices by itself only when it writes to a connection: the next one ends it. */
  @Test
  void a_pool_leaves_no_connection_behind_either() throws InterruptedException {
    replicas.beSynchronous();
    var started = new AtomicInteger();
    try (var pool = pool();
        var impatient =
            Reprise.open(pool)
                .callTimeout(Duration.ofSeconds(1))
                .workflow(new ShortSteps(new ShortSteps.Effects(latest)))
                .start()) {
      impatient.start(ShortSteps.class, "before", 2).result();
      replicas.killStandby();
      var caller = Thread.startVirtualThread(() -> startOften(impatient, started));

      var seen = new HashSet<String>();
      Scene.await(
          "connections were given up twice",
          () -> {
            seen.addAll(backends(POOL_NAME));
            return seen.size() > 2 * POOL;
          });
      Scene.await("they end", () -> backends(POOL_NAME).size() <= POOL);
      assertThat(started).hasValue(0);

      replicas.restartStandby();
      Scene.await("it goes on", () -> started.get() > 0);
      caller.interrupt();
      caller.join();
    }
    assertThat(findings()).isEmpty();
  }

  private HikariDataSource pool() {
    var config = new HikariConfig();
    config.setJdbcUrl(replicas.url() + "&ApplicationName=" + POOL_NAME);
    config.setMaximumPoolSize(POOL);
    return new HikariDataSource(config);
  }

  private List<String> readers() {
    return backends("reprise-reader");
  }

  private List<String> backends(String application) {
    return replicas.query(
        """
        SELECT pid || ' ' || backend_start FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = '%s'
        """
            .formatted(application));
  }

  private static void startOften(Engine engine, AtomicInteger started) {
    for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
      try {
        engine.start(ShortSteps.class, "meanwhile-" + i, 1);
        started.incrementAndGet();
      } catch (RepriseException refused) {
        assertThat(refused.isRetryable()).isTrue();
      }
    }
  }

  // ---- a round

  /** Starts workflows and waits until that many of their steps have begun. */
  private void begin(int round, int steps) {
    int before = count();
    for (var engine : engines) {
      for (int i = 0; i < WORKFLOWS; i++)
        engine.start(ShortSteps.class, id(round, engine, i), STEPS);
    }
    Scene.await("work in progress", () -> count() >= before + steps);
  }

  private String id(int round, Engine engine, int number) {
    return "round-%d-%d-%d".formatted(round, engines.indexOf(engine), number);
  }

  private boolean isOver(int round) {
    return latest.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("round-" + round + "-"))
        .allMatch(entry -> entry.getValue() == STEPS - 1);
  }

  /** How long it takes until all engines work again, counted from the promotion. */
  private Duration failOver() {
    replicas.failOver();
    long promoted = System.nanoTime();
    var ids = new AtomicInteger();
    for (var engine : engines) {
      var done = effects.get(engines.indexOf(engine));
      int before = done.count();
      engine.start(
          ShortSteps.class, "promoted-%d-%d".formatted(promoted, ids.getAndIncrement()), 1);
      Scene.await("it goes on", () -> done.count() > before);
    }
    return Duration.ofNanos(System.nanoTime() - promoted);
  }

  /** Callers whose start was lost make it again; all ends as if nothing had happened. */
  private void complete(int round) {
    for (var engine : engines) {
      for (int i = 0; i < WORKFLOWS; i++) {
        var handle = engine.start(ShortSteps.class, id(round, engine, i), STEPS);
        assertThat(handle.result()).isEqualTo(STEPS);
      }
    }
  }

  private int count() {
    return effects.stream().mapToInt(ShortSteps.Effects::count).sum();
  }

  private int repeated() {
    return effects.stream().mapToInt(ShortSteps.Effects::repeated).sum();
  }

  private Set<UUID> aliveNodes() {
    var alive = new HashSet<UUID>();
    for (var node : engines.getFirst().nodes()) {
      if (node.state() != NodeDescription.State.FENCED) alive.add(node.id());
    }
    return alive;
  }

  private List<?> findings() {
    try (var store = Reprise.open(replicas.url(), new StoreProvider.Options(false, false))) {
      return Doctor.examine(store);
    }
  }
}

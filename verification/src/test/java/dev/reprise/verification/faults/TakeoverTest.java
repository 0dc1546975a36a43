package dev.reprise.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Client;
import dev.reprise.HistoryEvent;
import dev.reprise.engine.Reprise;
import dev.reprise.verification.chaos.Driver;
import dev.reprise.verification.chaos.Ledger;
import dev.reprise.verification.chaos.Processes.Child;
import dev.reprise.verification.chaos.Scene;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How soon the runs of an engine that is dead or frozen go on in another. */
class TakeoverTest {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration KILLED = Duration.ofSeconds(2);
  private static final Duration FROZEN = LEASE.plusSeconds(5);
  private static final int SLACK = 3; // a loaded machine is not a slow engine
  private static final int RUNS = 50;
  private static final int FEW = 20;
  private static final int SLEEPERS = 100_000;

  @TempDir Path folder;
  private Scene scene;

  @BeforeEach
  void open() {
    scene = new Scene(folder);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void of_a_killed_engine() throws IOException {
    try (var client = Reprise.open(scene.url()).client()) {
      var victim = engine(scene.url());
      begin(client, RUNS);
      var other = engine(scene.url());

      var from = System.nanoTime();
      victim.kill();
      report("killed", awaitOwner(from, other, RUNS), KILLED);

      finish(client, RUNS);
      scene.examine();
    }
  }

  @Test
  void of_a_frozen_engine_which_goes_on_as_a_new_node() throws IOException {
    try (var client = Reprise.open(scene.url()).client()) {
      var victim = engine(scene.url());
      begin(client, RUNS);
      var other = engine(scene.url());
      var old = scene.nodeOf(victim);

      var from = System.nanoTime();
      scene.freeze(victim);
      report("frozen", awaitOwner(from, other, RUNS), FROZEN);

      finish(client, RUNS);
      scene.thaw(victim);
      Scene.await("a new node of the old process", () -> scene.nodeOf(victim) > old);
      assertThat(other.stop()).isNotNegative();
      assertThat(client.start(ChildEngine.Brief.class, "next", 1).result()).isEqualTo(4);
      assertThat(began(victim)).as("activities of the thawed process").isEqualTo(RUNS);
      assertThat(victim.isAlive()).isTrue();
      scene.examine();
    }
  }

  @Test
  void of_an_engine_that_is_frozen_in_the_middle_of_a_batch() throws Exception {
    try (var client = Reprise.open(scene.url()).client()) {
      var victim = engine(scene.proxiedUrl());
      begin(client, RUNS);
      var other = engine(scene.url());
      var old = scene.nodeOf(victim);

      scene.proxy().holdMidway().get(FROZEN.toSeconds(), TimeUnit.SECONDS);
      var from = System.nanoTime();
      scene.freeze(victim);
      Scene.await("an open transaction", () -> scene.number(OPEN_BATCHES) == 1);
      report("frozen in a batch", awaitOwner(from, other, RUNS), FROZEN);

      finish(client, RUNS);
      scene.thaw(victim);
      Scene.await("a new node of the old process", () -> scene.nodeOf(victim) > old);
      scene.examine();
      assertThat(began(victim)).as("activities of the thawed process").isEqualTo(RUNS);
    }
  }

  private static final String OPEN_BATCHES =
      """
      SELECT count(*)
        FROM pg_stat_activity
       WHERE application_name = 'reprise-journal' AND datname = current_database()
         AND xact_start < clock_timestamp() - interval '100 milliseconds'
      """;

  @Test
  void of_an_engine_that_is_frozen_again_and_again_under_load() throws Exception {
    try (var client = Reprise.open(scene.url()).client();
        var driver = new Driver(client, RUNS, Duration.ofSeconds(60))) {
      var victim = scene.loadEngine(scene.url(), LEASE);
      scene.loadEngine(scene.url(), LEASE);
      driver.begin();
      for (int time = 0; time < 3; time++) {
        int done = driver.completed();
        Scene.await("load", () -> driver.completed() > done + RUNS / 2);
        var old = scene.nodeOf(victim);
        Scene.await("runs of the victim", () -> scene.runsOf(old) > 0);

        var from = System.nanoTime();
        scene.freeze(victim);
        var took = Scene.since(from, "takeover", () -> scene.runsOf(old) == 0);
        report("frozen under load", took, FROZEN);

        scene.thaw(victim);
        Scene.await("a new node of the old process", () -> scene.nodeOf(victim) > old);
        var next = scene.nodeOf(victim);
        Scene.await("runs of the new node", () -> scene.runsOf(next) > 0);
      }
      scene.judge(driver, client);
    }
  }

  @Test
  void of_due_runs_among_many_that_sleep() throws IOException {
    var alone = takeover(0);
    scene.examine();
    scene.close();
    scene = new Scene(Files.createDirectory(folder.resolve("many")));
    var among = takeover(SLEEPERS);

    report("%d due runs alone".formatted(FEW), alone.whole(), KILLED);
    report("%d due among %,d asleep".formatted(FEW, SLEEPERS), among.whole(), KILLED);
    System.out.printf(
        "the claim alone: %s, among those asleep: %s%n", text(alone.claim()), text(among.claim()));
  }

  /** Since the kill, and since it was noticed. */
  private record Times(Duration whole, Duration claim) {}

  private Times takeover(int sleepers) throws IOException {
    try (var client = Reprise.open(scene.url()).client()) {
      var victim = engine(scene.url());
      var old = scene.nodeOf(victim);
      client.start(ChildEngine.Sleeper.class, "asleep", 0);
      begin(client, FEW);
      Scene.await("sleep", () -> scene.number(ASLEEP) == 1);
      scene.execute(MANY.formatted(sleepers));
      var other = engine(scene.url());

      var from = System.nanoTime();
      victim.kill();
      var noticed = Scene.since(from, "the death is noticed", () -> scene.isFenced(old));
      var whole = awaitOwner(from, other, FEW);

      finish(client, FEW);
      Scene.await("only due runs were taken", () -> scene.runsOf(scene.nodeOf(other)) == 0);
      assertThat(scene.number(ASLEEP)).isEqualTo(sleepers + 1);
      return new Times(whole, whole.minus(noticed));
    }
  }

  private static final String ASLEEP =
      "SELECT count(*) FROM runs WHERE workflow = 'Sleeper' AND wake_at > now() + interval '1"
          + " hour'";

  /** Rows as the engine has written them, again and again under other names. */
  private static final String MANY =
      """
      BEGIN;
      CREATE TEMPORARY TABLE copies ON COMMIT DROP AS
        SELECT next + number AS copy, gen_random_uuid() AS id, 'asleep-' || number AS name, runs.*
          FROM generate_series(1, %d) AS number
         CROSS JOIN run_keys
          JOIN runs ON workflow_id = 'asleep';
      INSERT INTO workflows (workflow_id, run_key, open)
        SELECT name, copy, true FROM copies;
      INSERT INTO events (run_key, idx, type, at, site, attributes, value)
        SELECT copy, idx, type, at, site,
               convert_to(
                 replace(
                   replace(convert_from(events.attributes, 'UTF8'), '"asleep"', '"' || name || '"'),
                   run_id::text, id::text), 'UTF8'),
               value
          FROM copies
          JOIN events ON events.run_key = copies.run_key;
      INSERT INTO runs (run_key, run_id, workflow_id, workflow, status, owner, wake_at, started_at,
                        closed_at, blocked_by, crashes, claimed_size)
        SELECT copy, id, name, workflow, status, owner, wake_at, started_at, closed_at,
               blocked_by, crashes, claimed_size
          FROM copies;
      UPDATE run_keys SET next = next + 1000000;
      COMMIT
      """;

  // ----

  private Child engine(String url) {
    return scene.engine(
        ChildEngine.class, url, scene.ledger().toString(), LEASE.toString(), door().toString());
  }

  private Path door() {
    return scene.ledger().resolveSibling("door");
  }

  /** Returns when all activities are in progress. */
  private void begin(Client client, int runs) {
    for (int number = 0; number < runs; number++) {
      client.start(ChildEngine.Held.class, "held-" + number, number);
    }
    Scene.await("activities in progress", () -> lines().count() == runs);
  }

  private Duration awaitOwner(long from, Child owner, int runs) {
    var node = scene.nodeOf(owner);
    return Scene.since(from, "all runs have the other owner", () -> scene.runsOf(node) == runs);
  }

  private void finish(Client client, int runs) throws IOException {
    Files.createFile(door());
    for (int number = 0; number < runs; number++) {
      var id = "held-" + number;
      assertThat(client.handle(ChildEngine.Held.class, id).result()).isEqualTo(id);
      assertThat(client.history(id))
          .extracting(HistoryEvent::type)
          .containsExactly(
              "WorkflowStarted", "WorkflowTakenUp", "ActivityCompleted", "WorkflowCompleted");
    }
  }

  private Stream<String> lines() {
    try {
      return Ledger.read(scene.ledger()).stream();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private long began(Child child) {
    return lines().filter(line -> line.endsWith(" " + child.pid())).count();
  }

  private static void report(String what, Duration took, Duration bound) {
    System.out.printf("takeover, %s: %s, the bound is %s%n", what, text(took), text(bound));
    assertThat(took).isLessThan(bound.multipliedBy(SLACK));
  }

  private static String text(Duration time) {
    return time.toMillis() + " ms";
  }
}

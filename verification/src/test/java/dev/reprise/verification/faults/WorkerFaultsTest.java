package dev.reprise.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.AttemptLost;
import dev.reprise.WorkflowFailed;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.verification.chaos.Ledger;
import dev.reprise.verification.chaos.Processes.Child;
import dev.reprise.verification.chaos.Scene;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that are killed, frozen, cut off, or killed by what they do, each a process. */
class WorkerFaultsTest {
  @TempDir Path folder;
  private Scene scene;
  private Engine engine;

  @BeforeEach
  void open() {
    scene = new Scene(folder);
    engine = Reprise.open(scene.url()).workflow(new ChildWorker.Miller()).start();
  }

  @AfterEach
  void close() {
    engine.close();
    scene.close();
  }

  private Child worker(String url) {
    return scene.engine(ChildWorker.class, url, ledger().toString(), door().toString(), "4");
  }

  private Path ledger() {
    return folder.resolve("mill.txt");
  }

  private Path door() {
    return folder.resolve("door");
  }

  private List<String> lines() {
    try {
      return Ledger.read(ledger());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitLine(String line) {
    Scene.await(line, () -> lines().stream().anyMatch(read -> read.startsWith(line)));
  }

  private void openDoor() throws IOException {
    Files.createFile(door());
  }

  @Test
  void what_a_killed_worker_had_is_taken_over_after_the_visibility_timeout() throws IOException {
    var victim = worker(scene.url());
    var run = engine.start(ChildWorker.Miller.class, "w", "grind");
    awaitLine("began w 1 " + victim.pid());
    victim.kill();
    var other = worker(scene.url());
    awaitLine("began w 2 " + other.pid());
    openDoor();

    assertThat(run.result()).isEqualTo("w by attempt 2");
    assertThat(engine.history("w").get(2).attributes()).contains(AttemptLost.class.getName());
    scene.examine();
  }

  @Test
  void what_a_frozen_worker_says_too_late_is_refused() throws IOException {
    var victim = worker(scene.url());
    var run = engine.start(ChildWorker.Miller.class, "w", "aloud");
    awaitLine("began w 1 " + victim.pid());
    scene.freeze(victim);
    var other = worker(scene.url());
    awaitLine("began w 2 " + other.pid());
    scene.thaw(victim);
    awaitLine("R134 w 1 " + victim.pid());
    openDoor();
    assertThat(run.result()).isEqualTo("w by attempt 2");

    assertThat(victim.isAlive()).isTrue();
    assertThat(engine.history("w").getLast().type()).isEqualTo("WorkflowCompleted");
    scene.examine();
  }

  @Test
  void a_worker_whose_heartbeats_are_lost_loses_its_attempt() throws IOException {
    var victim = worker(scene.proxiedUrl());
    var run = engine.start(ChildWorker.Miller.class, "w", "aloud");
    awaitLine("began w 1 " + victim.pid());
    var other = worker(scene.url());
    scene.proxy().stall(true);
    awaitLine("began w 2 " + other.pid());
    scene.proxy().stall(false);
    openDoor();

    assertThat(run.result()).isEqualTo("w by attempt 2");
    scene.examine();
  }

  @Test
  void heartbeats_keep_the_attempt_of_a_worker_that_takes_its_time() throws IOException {
    var worker = worker(scene.url());
    worker(scene.url());
    var from = System.nanoTime();
    var run = engine.start(ChildWorker.Miller.class, "w", "aloud");
    awaitLine("began w 1");
    Scene.await(
        "more than a lease",
        () -> System.nanoTime() - from > ChildWorker.VISIBILITY.multipliedBy(2).toNanos());
    openDoor();

    assertThat(run.result()).isEqualTo("w by attempt 1");
    assertThat(worker.isAlive()).isTrue();
  }

  @Test
  void what_kills_its_worker_each_time_fails_after_its_attempts_with_the_reason() {
    var run = engine.start(ChildWorker.Miller.class, "w", "burst");
    for (int attempt = 1; attempt <= ChildWorker.ATTEMPTS; attempt++) {
      var victim = worker(scene.url());
      assertThat(victim.await(Duration.ofSeconds(30))).isEqualTo(3);
    }

    assertThatThrownBy(run::result)
        .isInstanceOf(WorkflowFailed.class)
        .hasMessageContaining("nothing was heard of attempt 3");
    assertThat(lines()).hasSize(ChildWorker.ATTEMPTS);
    scene.examine();
  }

  @Test
  void a_worker_that_is_told_to_stop_gives_back_what_it_has() throws IOException {
    var first = worker(scene.url());
    var run = engine.start(ChildWorker.Miller.class, "w", "grind");
    awaitLine("began w 1 " + first.pid());
    var second = worker(scene.url());
    var from = System.nanoTime();
    first.stop();
    awaitLine("began w 1 " + second.pid());
    assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(20));
    openDoor();

    assertThat(run.result()).isEqualTo("w by attempt 1");
    assertThat(engine.history("w")).hasSize(4);
    scene.examine();
  }

  @Test
  void what_ended_while_the_owner_was_gone_waits_for_it() throws IOException {
    worker(scene.url());
    engine.start(ChildWorker.Miller.class, "w", "grind");
    awaitLine("began w 1");
    engine.close();
    openDoor();
    awaitLine("ended w 1");

    engine = Reprise.open(scene.url()).workflow(new ChildWorker.Miller()).start();
    assertThat(engine.handle(ChildWorker.Miller.class, "w").result()).isEqualTo("w by attempt 1");
    scene.examine();
  }
}

package dev.reprise.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.reprise.verification.chaos.Processes;
import dev.reprise.verification.chaos.ShiftedClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Child processes: that they can be given a wrong clock, be frozen and be killed. */
class ChildTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {60, -60})
  void the_wall_clock_of_a_child_is_wrong_by_an_hour(int minutes) throws IOException {
    var options = ShiftedClock.options(folder.resolve("clock"), Duration.ofMinutes(minutes));
    try (var processes = new Processes()) {
      var child = processes.start(folder.resolve("out.txt"), options, Times.class);

      child.awaitOutput("end");

      var expected = Instant.now().plus(minutes, ChronoUnit.MINUTES);
      var lines = child.output().lines().filter(line -> line.startsWith("20")).toList();
      assertThat(lines)
          .hasSize(4)
          .allSatisfy(
              line ->
                  assertThat(Instant.parse(line))
                      .isCloseTo(expected, within(1, ChronoUnit.MINUTES)));
      var monotonic = child.output().lines().filter(line -> line.startsWith("nanos ")).toList();
      assertThat(Long.parseLong(monotonic.getFirst().substring(6)))
          .isCloseTo(System.nanoTime(), within(Duration.ofMinutes(1).toNanos()));
    }
  }

  @Test
  void a_frozen_child_does_nothing_until_it_is_thawed() {
    try (var processes = new Processes()) {
      var child = processes.start(folder.resolve("out.txt"), List.of(), Ticker.class);
      child.awaitOutput("tick");

      child.freeze();
      var before = child.output().length();
      LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
      assertThat(child.output()).hasSizeLessThanOrEqualTo(before + "tick\n".length());
      child.thaw();

      var ticks = child.output();
      child.awaitOutput(ticks + "tick");
      assertThat(child.isAlive()).isTrue();
    }
  }

  @Test
  void no_child_outlives_the_harness() {
    Processes.Child child;
    try (var processes = new Processes()) {
      child = processes.start(folder.resolve("out.txt"), List.of(), Ticker.class);
      child.awaitOutput("tick");
      child.freeze();
    }

    assertThat(child.isAlive()).isFalse();
  }

  @Test
  void a_frozen_child_ends_when_the_harness_is_killed() {
    try (var processes = new Processes()) {
      var output = folder.resolve("inner.txt").toString();
      var harness = processes.start(folder.resolve("out.txt"), List.of(), Harness.class, output);
      harness.awaitOutput("frozen");
      var pid = harness.output().lines().filter(line -> line.startsWith("pid ")).findFirst();
      var inner = ProcessHandle.of(Long.parseLong(pid.orElseThrow().substring(4))).orElseThrow();
      assertThat(inner.isAlive()).isTrue();

      harness.kill();

      assertThat(inner.onExit()).succeedsWithin(Duration.ofSeconds(20));
    }
  }

  /** Has a child of its own, which it freezes. */
  static final class Harness {
    public static void main(String[] args) throws InterruptedException {
      Processes.endWithParent();
      var processes = new Processes(); // never closed: it is killed
      var child = processes.start(Path.of(args[0]), List.of(), Ticker.class);
      child.awaitOutput("tick");
      child.freeze();
      System.out.println("pid " + child.pid());
      System.out.println("frozen");
      new CountDownLatch(1).await();
    }
  }

  /** Prints the time in all ways there are. */
  static final class Times {
    public static void main(String[] args) {
      System.out.println(Instant.now());
      System.out.println(Clock.systemUTC().instant());
      System.out.println(Instant.ofEpochMilli(Clock.systemUTC().millis()));
      System.out.println(Instant.ofEpochMilli(InstantSource.system().millis()));
      System.out.println("nanos " + System.nanoTime());
      System.out.println("end");
    }
  }

  /** Prints something all the time. */
  static final class Ticker {
    public static void main(String[] args) {
      Processes.endWithParent();
      while (true) {
        System.out.println("tick");
        LockSupport.parkNanos(10_000_000);
      }
    }
  }
}

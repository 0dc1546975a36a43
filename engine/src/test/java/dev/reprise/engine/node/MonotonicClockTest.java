package dev.reprise.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.machine.Machine;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** A thread may stand still before each reading of a clock: no pause makes this clock early. */
class MonotonicClockTest {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration NOISE = Duration.ofMillis(1);

  private long nanos; // that have really passed
  private int readings;
  private LongSupplier pause = () -> 0;

  private final Machine machine =
      (Machine)
          Proxy.newProxyInstance(
              Machine.class.getClassLoader(),
              new Class<?>[] {Machine.class},
              (_, method, _) -> {
                if (method.getName().equals("nanoTime")) return 77 + read();
                throw new UnsupportedOperationException(method.getName());
              });

  private long read() {
    readings++;
    nanos += pause.getAsLong();
    return nanos;
  }

  private Instant truth() {
    return BEGIN.plusNanos(nanos);
  }

  private MonotonicClock clock() {
    return new MonotonicClock(machine, () -> BEGIN.plusNanos(read()));
  }

  @Test
  void a_pause_between_the_first_readings_does_not_make_it_early() {
    for (int paused = 1; paused <= 3; paused++) {
      nanos = 0;
      readings = 0;
      int when = paused;
      pause = () -> readings == when ? 400_000_000 : 0;

      var now = clock().instant();

      assertThat(now).as("a pause before reading %d", paused).isBetween(BEGIN, truth());
    }
  }

  @Test
  void what_a_pause_made_late_is_made_up_for_at_the_next_look() {
    pause = () -> readings == 2 ? 400_000_000 : 0;
    var clock = clock();

    nanos += NOISE.toNanos();

    assertThat(clock.instant()).isEqualTo(truth());
  }

  @Test
  void whatever_pauses_there_are_it_is_never_early_and_never_goes_back() {
    for (int seed = 0; seed < 500; seed++) {
      var random = new Random(seed);
      nanos = 0;
      pause = () -> random.nextInt(3) == 0 ? random.nextLong(500_000_000) : random.nextInt(50);
      var clock = clock();
      var before = BEGIN;
      for (int i = 0; i < 100; i++) {
        nanos += random.nextLong(2_000_000);
        var now = clock.instant();
        assertThat(now).as("seed %d", seed).isBetween(before, truth());
        before = now;
      }

      pause = () -> 0;
      nanos += NOISE.toNanos();
      var found = Duration.between(clock.instant(), truth().truncatedTo(ChronoUnit.MICROS));
      assertThat(found).as("seed %d", seed).isBetween(Duration.ZERO, NOISE);
    }
  }
}

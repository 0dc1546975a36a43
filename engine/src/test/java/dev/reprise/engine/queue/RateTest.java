package dev.reprise.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.QueueLimits;
import dev.reprise.QueueLimits.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many of a queue with a rate may begin. */
class RateTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final int SEEDS = 200;

  /** Takes as a store does: asks, takes all that it may, and keeps what is left. */
  private static final class Line {
    private QueueLimits limits;
    private Flow flow = Flow.NEW;

    private Line(int count, Duration per) {
      limits = QueueLimits.none().rate(count, per);
    }

    private int take(int wanted, Instant now) {
      var control = new FlowControl(limits, flow, now);
      int taken = control.allowance(wanted, 0);
      flow = QueueJson.flow(QueueJson.write(control.after(taken)));
      return taken;
    }
  }

  @Test
  void as_many_as_the_rate_says_begin_at_once_and_then_one_at_a_time() {
    var line = new Line(4, Duration.ofSeconds(1));

    assertThat(line.take(64, NOON)).isEqualTo(4);
    assertThat(line.take(64, NOON)).isZero();
    assertThat(line.take(64, NOON.plusMillis(249))).isZero();
    assertThat(line.take(64, NOON.plusMillis(250))).isEqualTo(1);
    assertThat(line.take(64, NOON.plusMillis(1_000))).isEqualTo(3);
  }

  @Test
  void an_idle_queue_saves_no_more_than_one_rate() {
    var line = new Line(4, Duration.ofSeconds(1));
    line.take(4, NOON);

    assertThat(line.take(64, NOON.plus(Duration.ofDays(365)))).isEqualTo(4);
  }

  @Test
  void a_clock_that_is_set_back_gives_nothing_and_the_queue_goes_on_from_there() {
    var line = new Line(4, Duration.ofSeconds(1));
    line.take(4, NOON);
    var back = NOON.minusSeconds(3_600);

    assertThat(line.take(64, back)).isZero();
    assertThat(line.flow.again(line.limits)).isEqualTo(back.plusMillis(250));
    assertThat(line.take(64, back.plusMillis(249))).isZero();
    assertThat(line.take(64, back.plusMillis(500))).isEqualTo(2);
    assertThat(line.take(64, back.plusMillis(1_000))).isEqualTo(2);
  }

  @Test
  void a_clock_that_is_set_back_keeps_what_was_saved() {
    var line = new Line(4, Duration.ofSeconds(1));
    line.take(1, NOON);

    assertThat(line.take(64, NOON.minusSeconds(60))).isEqualTo(3);
  }

  @Test
  void a_rate_that_is_lowered_counts_at_once() {
    var line = new Line(1_000, Duration.ofSeconds(1));
    line.take(1, NOON);

    line.limits = QueueLimits.none().rate(10, Duration.ofSeconds(1));

    assertThat(line.take(64, NOON)).isEqualTo(10);
  }

  @Test
  void there_is_no_next_time_where_nothing_has_to_wait() {
    var limits = QueueLimits.none().rate(4, Duration.ofSeconds(1));
    var line = new Line(4, Duration.ofSeconds(1));
    line.take(3, NOON);

    assertThat(Flow.NEW.again(limits)).isNull();
    assertThat(line.flow.again(limits)).isNull();
    assertThat(line.flow.again(QueueLimits.none())).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 1_000, 1_000_000})
  void at_the_next_time_one_more_may_begin_and_not_much_before(int count) {
    for (var per : List.of(Duration.ofMillis(3), Duration.ofSeconds(1), Duration.ofDays(30))) {
      var line = new Line(count, per);
      assertThat(line.take(count, NOON)).isEqualTo(count);

      var next = line.flow.again(line.limits);

      assertThat(next).isNotNull().isAfter(NOON);
      var early = next.minus(per.dividedBy(count).dividedBy(1_000)).minusNanos(1);
      assertThat(line.take(1, early)).isZero();
      // What a double cannot say may cost another nanosecond.
      assertThat(line.take(1, next) + line.take(1, next.plusNanos(1))).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void never_do_more_begin_in_any_time_than_the_rate_and_what_was_saved(boolean isSetBack) {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var rate = new Rate(1 + random.nextInt(20), Duration.ofMillis(1 + random.nextInt(5_000)));

      var begun = begun(rate, random, isSetBack);

      for (int first = 0; first < begun.size(); first++) {
        for (int last = first; last < begun.size(); last++) {
          var passed = begun.get(last).minus(begun.get(first));
          double allowed = rate.count() * (1 + passed.toNanos() / (double) rate.per().toNanos());
          assertThat((double) (last - first + 1)).as("seed %d", seed).isLessThan(allowed + 1e-6);
        }
      }
    }
  }

  /** After how long each began, if a worker asks at random times for random numbers. */
  private static List<Duration> begun(Rate rate, Random random, boolean isSetBack) {
    var line = new Line(rate.count(), rate.per());
    var begun = new ArrayList<Duration>();
    var now = NOON;
    var passed = Duration.ZERO;
    for (int i = 0; i < 300; i++) {
      var pause = Duration.ofNanos(random.nextLong(rate.per().toNanos() / 3 + 2));
      boolean back = isSetBack && random.nextInt(4) == 0;
      passed = back ? passed : passed.plus(pause);
      now = back ? now.minusMillis(random.nextInt(100_000)) : now.plus(pause);
      for (int taken = line.take(1 + random.nextInt(5), now); taken > 0; taken--) begun.add(passed);
    }
    return begun;
  }

  @Test
  void whoever_asks_often_gets_as_much_in_the_long_run_as_the_rate_says() {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var rate = new Rate(1 + random.nextInt(50), Duration.ofMillis(100 + random.nextInt(5_000)));
      var line = new Line(rate.count(), rate.per());
      var end = NOON.plus(rate.per().multipliedBy(20));
      int taken = 0;
      for (var now = NOON; now.isBefore(end); ) {
        taken += line.take(1 + random.nextInt(3), now);
        var again = line.flow.again(line.limits);
        now = again == null ? now : again.plusNanos(random.nextInt(1_000));
      }

      assertThat(taken).as("seed %d", seed).isBetween(20 * rate.count(), 21 * rate.count());
    }
  }

  @Test
  void whoever_asks_all_the_time_is_not_forgotten_by_rounding() {
    var line = new Line(1, Duration.ofDays(1));
    line.take(1, NOON);
    int taken = 0;

    for (int second = 1; second <= 2 * 86_400 + 5; second++) {
      taken += line.take(1, NOON.plusSeconds(second));
    }

    assertThat(taken).isEqualTo(2);
  }
}

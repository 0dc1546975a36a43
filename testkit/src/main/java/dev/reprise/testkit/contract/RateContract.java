package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.TaskSpec.QUEUE;
import static dev.reprise.testkit.contract.TaskSpec.activity;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.QueueLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** By which clock the rate of a queue is kept: that depends on whether engines share the store. */
public final class RateContract {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private RateContract() {}

  private static void waiting(TasksUnderTest test, int count, QueueLimits limits) {
    var specs =
        IntStream.range(0, count)
            .mapToObj(i -> activity(i + 2).visibleAt(NOON.minusSeconds(1)))
            .toArray(TaskSpec[]::new);
    test.scheduled(test.join(), "rated", specs);
    test.tasks().limit(QUEUE, limits);
  }

  /** For stores that one engine has to itself: by the clock of that engine. */
  public interface OfOneEngine extends TasksUnderTest {
    @Test
    default void a_rate_is_kept_by_the_clock_of_the_engine() {
      waiting(this, 10, QueueLimits.none().rate(2, Duration.ofSeconds(10)));

      assertThat(take(10)).hasSize(2);
      assertThat(take(10, NOON.plusSeconds(4))).isEmpty();
      var next = tasks().nextReady(QUEUE).orElseThrow();
      assertThat(next).isBetween(NOON.plusSeconds(5), NOON.plusSeconds(5).plusMillis(1));
      assertThat(take(10, next)).hasSize(1);
      assertThat(take(10, NOON.plusSeconds(60))).hasSize(2);
    }

    @Test
    default void a_worker_that_stood_still_after_it_looked_at_the_clock_gets_no_time_twice() {
      waiting(this, 10, QueueLimits.none().rate(2, Duration.ofSeconds(10)));
      assertThat(take(2)).hasSize(2);
      assertThat(take(10, NOON.plusSeconds(5))).hasSize(1);

      assertThat(take(10, NOON)).isEmpty();

      assertThat(take(10, NOON.plusSeconds(9))).isEmpty();
      assertThat(take(10, NOON.plusSeconds(10))).hasSize(1);
    }
  }

  /** For stores that many engines share: by the clock of the store. */
  public interface OfManyEngines extends TasksUnderTest {
    @Test
    default void the_clock_of_a_taker_does_not_count_for_a_rate() {
      waiting(this, 10, QueueLimits.none().rate(2, Duration.ofDays(10)));

      assertThat(take(1, NOON)).hasSize(1);
      assertThat(take(10, NOON.plus(Duration.ofDays(100)))).hasSize(1);
      assertThat(take(10, NOON)).isEmpty();
      assertThat(take(10, NOON.minus(Duration.ofDays(100)))).isEmpty();
      assertThat(take(10, NOON.plus(Duration.ofDays(200)))).isEmpty();
      var next = tasks().nextReady(QUEUE).orElseThrow();
      var soonest = Instant.now().plus(Duration.ofDays(5));
      assertThat(next).isBetween(soonest.minusSeconds(60), soonest.plusSeconds(60));
    }

    @Test
    default void what_comes_back_of_a_rate_comes_with_the_time_of_the_store() {
      var per = Duration.ofMillis(200);
      waiting(this, 10, QueueLimits.none().rate(4, per));
      record Begun(long asked, long told) {}
      var begun = new ArrayList<Begun>();

      long end = System.nanoTime() + PATIENCE.toNanos();
      while (begun.size() < 10 && System.nanoTime() < end) {
        long asked = System.nanoTime();
        int taken = take(10).size();
        var now = new Begun(asked, System.nanoTime());
        for (int i = 0; i < taken; i++) begun.add(now);
      }

      assertThat(begun).hasSize(10);
      for (int first = 0; first < 10; first++) {
        for (int last = first; last < 10; last++) {
          double passed = begun.get(last).told() - begun.get(first).asked();
          double most = 4 * (1 + passed / per.toNanos());
          assertThat((double) (last - first + 1)).isLessThan(most + 1e-3);
        }
      }
    }
  }
}

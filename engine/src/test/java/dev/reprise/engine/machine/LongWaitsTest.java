package dev.reprise.engine.machine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Virtual threads that wait for something, with a limit that is hardly ever reached. */
class LongWaitsTest {
  private static final Duration LONG = Duration.ofDays(365_000);
  private static final Duration LIMIT = Duration.ofNanos(LongWaits.SHORTEST);

  private final CompletableFuture<String> answer = new CompletableFuture<>();

  private record Waiting(Thread thread, FutureTask<String> outcome) {
    static Waiting begin(Callable<String> wait) {
      var outcome = new FutureTask<>(wait);
      return new Waiting(Thread.ofVirtual().start(outcome), outcome);
    }

    void awaitPark() {
      while (thread.getState() != Thread.State.WAITING) Thread.onSpinWait();
    }

    String outcome(Duration limit) throws Exception {
      return outcome.get(limit.toMillis(), MILLISECONDS);
    }
  }

  private Waiting waitFor(Duration limit) {
    return Waiting.begin(() -> Machine.REAL.await(answer, limit));
  }

  @Test
  void an_answer_ends_the_wait() throws Exception {
    var waiting = waitFor(LONG);
    waiting.awaitPark();

    answer.complete("done");

    assertThat(waiting.outcome(Duration.ofSeconds(30))).isEqualTo("done");
  }

  @Test
  void an_answer_that_is_there_is_not_waited_for() throws Exception {
    answer.complete("done");

    assertThat(waitFor(LONG).outcome(Duration.ofSeconds(30))).isEqualTo("done");
  }

  @Test
  void a_failure_ends_it_as_one() {
    var waiting = waitFor(LONG);
    waiting.awaitPark();

    answer.completeExceptionally(new IllegalStateException("broken"));

    assertThatThrownBy(() -> waiting.outcome(Duration.ofSeconds(30)))
        .cause()
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("broken");
  }

  @Test
  void the_limit_ends_it_and_not_before() {
    long begin = System.nanoTime();
    var waiting = waitFor(LIMIT);

    assertThatThrownBy(() -> waiting.outcome(Duration.ofSeconds(30)))
        .hasCauseInstanceOf(TimeoutException.class);
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(LIMIT.toNanos());
  }

  @Test
  void an_interrupt_ends_it() {
    var waiting = waitFor(LONG);
    waiting.awaitPark();

    waiting.thread().interrupt();

    assertThatThrownBy(() -> waiting.outcome(Duration.ofSeconds(30)))
        .hasCauseInstanceOf(InterruptedException.class);
  }

  @Test
  void who_parks_for_long_is_woken_by_the_limit_at_the_latest() throws Exception {
    long begin = System.nanoTime();
    var waiting =
        Waiting.begin(
            () -> {
              while (System.nanoTime() - begin < LIMIT.toNanos())
                Machine.REAL.park(this, LIMIT.toNanos());
              return "woken";
            });

    assertThat(waiting.outcome(Duration.ofSeconds(30))).isEqualTo("woken");
  }
}

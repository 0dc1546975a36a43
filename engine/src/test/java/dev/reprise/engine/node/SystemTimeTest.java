package dev.reprise.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.machine.Machine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemTimeTest {
  private final SystemTime time = SystemTime.of(Machine.REAL, InstantSource.system());

  @AfterEach
  void close() {
    time.close();
  }

  @Test
  void it_is_about_the_time_of_the_machine_in_microseconds_and_never_goes_back() {
    var before = time.now();

    assertThat(Duration.between(Instant.now(), before).abs()).isLessThan(Duration.ofSeconds(1));
    for (int i = 0; i < 10_000; i++) {
      var now = time.now();
      assertThat(now).isAfterOrEqualTo(before);
      assertThat(now.getNano() % 1_000).isZero();
      before = now;
    }
  }

  @Test
  void timers_go_off_once_each_in_order_and_never_early() throws Exception {
    var timers = new Timers(time);
    var random = new Random(1);
    var early = new ConcurrentLinkedQueue<Duration>();
    var done = new CountDownLatch(500);
    for (int i = 0; i < 500; i++) {
      var due = time.now().plusNanos(random.nextInt(100_000_000));
      timers.at(
          due,
          () -> {
            var now = time.now();
            if (now.isBefore(due)) early.add(Duration.between(now, due));
            done.countDown();
          });
    }

    assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(early).isEmpty();
    assertThat(timers.size()).isZero();
  }

  @Test
  void a_timer_that_was_cancelled_is_gone() throws Exception {
    var timers = new Timers(time);
    var fired = new ArrayList<String>();
    var done = new CountDownLatch(1);
    var cancelled = timers.at(time.now().plusMillis(500), () -> fired.add("cancelled"));
    timers.at(time.now().plusMillis(520), done::countDown);

    cancelled.cancel();

    assertThat(timers.size()).isEqualTo(1);
    assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(fired).isEmpty();
  }

  @Test
  void a_timer_that_fails_does_not_stop_the_others() throws Exception {
    var timers = new Timers(time);
    var done = new CountDownLatch(1);
    timers.at(
        time.now(),
        () -> {
          throw new IllegalStateException("on purpose");
        });
    timers.at(time.now().plusMillis(1), done::countDown);

    assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
  }

  /** Timers that are due already are set off by one thread while another is still setting them. */
  @Test
  void timers_in_the_past_can_be_set_by_many_threads_at_once() throws Exception {
    var timers = new Timers(time);
    var done = new CountDownLatch(8_000);
    var failures = new ConcurrentLinkedQueue<Throwable>();
    var threads = new ArrayList<Thread>();
    for (int t = 0; t < 8; t++) {
      threads.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, e) -> failures.add(e))
              .start(
                  () -> {
                    for (int i = 0; i < 1_000; i++) timers.at(Instant.EPOCH, done::countDown);
                  }));
    }
    for (var thread : threads) thread.join();

    assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(failures).isEmpty();
  }

  @Test
  void a_timer_far_away_is_accepted() {
    var timers = new Timers(time);

    timers.at(Instant.parse("9999-12-31T23:59:59Z"), () -> {});

    assertThat(timers.size()).isEqualTo(1);
  }

  @Test
  void a_clock_that_is_set_forward_is_followed_and_one_that_is_set_back_is_not() {
    var other = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    var followed = new MonotonicClock(Machine.REAL, other::get);
    var before = followed.instant();

    other.set(before.plusSeconds(3_600));
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (followed.instant().isBefore(other.get()) && System.nanoTime() < deadline) {
      Thread.onSpinWait(); // it looks at the other clock about every millisecond
    }
    var ahead = followed.instant();
    other.set(before);

    assertThat(ahead).isAfterOrEqualTo(before.plusSeconds(3_600));
    assertThat(followed.instant()).isAfterOrEqualTo(ahead);
  }

  /**
   * A thread may stand still between two readings: by that the clock must not be early for ever.
   */
  @Test
  void a_clock_that_takes_long_to_answer_does_not_make_this_one_early() {
    var slow = new AtomicBoolean();
    var clock =
        new MonotonicClock(
            Machine.REAL,
            () -> {
              long until = System.nanoTime() + (slow.get() ? 200_000_000 : 0);
              while (System.nanoTime() < until) Thread.onSpinWait();
              return Instant.now();
            });
    slow.set(true);
    long deadline = System.nanoTime() + 400_000_000;
    while (System.nanoTime() < deadline) clock.instant();

    assertThat(clock.instant()).isBefore(Instant.now().plusMillis(50));
  }
}

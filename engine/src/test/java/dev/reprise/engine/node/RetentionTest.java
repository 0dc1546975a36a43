package dev.reprise.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.machine.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RetentionTest {
  private static final Instant NOW = Instant.parse("2030-01-31T00:00:00Z");
  private static final Duration MONTH = Duration.ofDays(30);

  private final Hasty machine = new Hasty();
  private final LinkedBlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
  private final AtomicInteger left = new AtomicInteger(250);
  private final AtomicInteger failures = new AtomicInteger();
  private final Retention retention = new Retention(machine, this::delete, () -> NOW, MONTH);

  private record Asked(Instant before, int limit, long at) {}

  private int delete(Instant before, int limit) {
    boolean fails = failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    int count = fails ? 0 : Math.min(limit, left.get());
    left.addAndGet(-count);
    asked.add(new Asked(before, limit, machine.nanoTime()));
    if (fails) throw new IllegalStateException("the database is away");
    return count;
  }

  @AfterEach
  void stop() {
    retention.close();
  }

  @Test
  void old_runs_are_deleted_lot_by_lot_until_none_is_left() throws InterruptedException {
    left.set(100_000);
    retention.start();

    Asked lot;
    do {
      lot = next();
      assertThat(lot.limit).isBetween(Lots.SMALLEST, Lots.LARGEST);
      assertThat(lot.before).isEqualTo(NOW.minus(MONTH));
    } while (left.get() > 0);

    assertThat(left).hasValue(0);
  }

  @Test
  void when_nothing_is_left_it_looks_again_later() throws InterruptedException {
    left.set(0);
    retention.start();

    var first = next();
    var second = next();

    assertThat(between(first, second)).isGreaterThanOrEqualTo(45_000L);
  }

  @Test
  void after_a_failure_it_is_tried_again_later() throws InterruptedException {
    failures.set(2);
    retention.start();

    while (left.get() > 0) next();

    assertThat(left).hasValue(0);
  }

  @Test
  void nothing_is_deleted_after_the_end() throws InterruptedException {
    retention.start();
    next();

    retention.close();
    asked.clear();

    assertThat(asked.poll(100, TimeUnit.MILLISECONDS)).isNull();
  }

  private Asked next() throws InterruptedException {
    var next = asked.poll(20, TimeUnit.SECONDS);
    assertThat(next).as("it looks").isNotNull();
    return next;
  }

  private static long between(Asked first, Asked second) {
    return Duration.ofNanos(second.at - first.at).toMillis();
  }

  /** A machine on which a minute takes 60 ms. */
  private static final class Hasty implements Machine {
    private static final int FASTER = 1_000;

    @Override
    public String name() {
      return REAL.name();
    }

    @Override
    public long nanoTime() {
      return REAL.nanoTime() * FASTER;
    }

    @Override
    public RandomGenerator random() {
      return REAL.random();
    }

    @Override
    public Thread service(String name, Runnable work) {
      return REAL.service(name, work);
    }

    @Override
    public Thread fiber(String name, Runnable work) {
      return REAL.fiber(name, work);
    }

    @Override
    public void park(Object blocker, long nanos) {
      REAL.park(blocker, Math.max(1, nanos / FASTER));
    }

    @Override
    public <T extends @Nullable Object> T await(CompletableFuture<T> future, Duration limit)
        throws TimeoutException, ExecutionException, InterruptedException {
      return REAL.await(future, limit);
    }
  }
}

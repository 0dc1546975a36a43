package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Deleting is faster than closing, and closing goes on meanwhile. */
class RetentionBacklogTest {
  private static final int BACKLOG = 20_000;
  private static final double LEAST = 2_000; // a second; 100 each tenth of a second are too few
  private static final int CALLERS = 64;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static final Workflow<String, String> FLOW =
      (ctx, order) -> {
        ctx.run("one", String.class, () -> order);
        return ctx.run("two", String.class, () -> order);
      };

  @TempDir Path folder;

  enum Kind {
    SQLITE,
    POSTGRES
  }

  @ParameterizedTest
  @EnumSource
  void a_backlog_is_deleted_while_runs_are_closed_as_fast_as_the_engine_can(Kind kind)
      throws InterruptedException {
    var url =
        kind == Kind.SQLITE
            ? "jdbc:sqlite:" + folder.resolve("runs.db")
            : TestDatabase.create().url();
    double alone;
    try (var engine = open(url).start()) {
      long begun = System.nanoTime();
      var numbers = new AtomicInteger();
      close(engine, "old-", () -> numbers.incrementAndGet() <= BACKLOG, new AtomicInteger());
      alone = perSecond(BACKLOG, begun);
      assertThat(engine.count("")).isGreaterThanOrEqualTo(BACKLOG);
    }

    var goesOn = new AtomicBoolean(true);
    var closed = new AtomicInteger();
    try (var engine = open(url).retention(Duration.ofMillis(50)).start()) {
      var load = Thread.ofPlatform().start(() -> closeQuietly(engine, "new-", goesOn, closed));
      await("it begins", () -> engine.count("") < BACKLOG);
      int before = closed.get();
      long begun = System.nanoTime();
      await("the backlog is gone", () -> engine.count("") < BACKLOG / 20);
      double closes = perSecond(closed.get() - before, begun);
      double deletes = closes + perSecond(BACKLOG - BACKLOG / 20, begun);
      goesOn.set(false);
      load.join();
      System.out.printf(
          "retention on %s: closed %.0f/s alone, then %.0f/s beside %.0f/s deleted%n",
          kind, alone, closes, deletes);
      assertThat(closes).isPositive();
      assertThat(deletes).isGreaterThan(closes).isGreaterThan(LEAST);
    }
  }

  private static double perSecond(int count, long begun) {
    return count * 1e9 / (System.nanoTime() - begun);
  }

  private static Reprise open(String url) {
    return Reprise.open(url).workflow("Flow", String.class, String.class, FLOW);
  }

  private static void closeQuietly(
      Engine engine, String prefix, AtomicBoolean goesOn, AtomicInteger closed) {
    try {
      close(engine, prefix, goesOn::get, closed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(
      Engine engine, String prefix, BooleanSupplier more, AtomicInteger closed)
      throws InterruptedException {
    var names = new AtomicInteger();
    var callers = new ArrayList<Thread>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(
          Thread.startVirtualThread(
              () -> {
                while (more.getAsBoolean()) {
                  engine.start("Flow", prefix + names.incrementAndGet(), "x").result();
                  closed.incrementAndGet();
                }
              }));
    }
    for (var caller : callers) caller.join();
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      LockSupport.parkNanos(10_000_000);
    }
  }
}

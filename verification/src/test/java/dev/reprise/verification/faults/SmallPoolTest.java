package dev.reprise.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.reprise.Context;
import dev.reprise.Handle;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.verification.chaos.Scene;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine with two connections to a slow database is slow, and never stuck. */
class SmallPoolTest {
  private static final Duration DELAY = Duration.ofMillis(50); // each request
  private static final Duration DEADLINE = Duration.ofSeconds(120);
  private static final int WORKFLOWS = 50;
  private static final Signal<Integer> GO = Signal.of("go", Integer.class);

  @TempDir Path folder;

  @Test
  void two_connections_to_a_slow_database_are_enough() throws Exception {
    try (var scene = new Scene(folder);
        var pool = pool(scene);
        var engine = Reprise.open(pool).workflow(new Errand()).start()) {
      scene.proxy().delay(DELAY);
      var from = System.nanoTime();
      var handles = new ConcurrentLinkedQueue<Handle<Integer>>();
      var callers = new ArrayList<Thread>();
      for (int number = 0; number < WORKFLOWS; number++) {
        int mine = number;
        callers.add(Thread.startVirtualThread(() -> handles.add(begin(engine, mine))));
      }
      for (var caller : callers) assertThat(caller.join(DEADLINE)).as("a caller ends").isTrue();
      assertThat(handles).hasSize(WORKFLOWS);
      for (var handle : handles) checkResult(handle, from);
      var took = Duration.ofNanos(System.nanoTime() - from);
      scene.proxy().delay(Duration.ZERO);

      System.out.printf(
          "small pool: %d workflows with 2 connections and %d ms a request in %d ms%n",
          WORKFLOWS, DELAY.toMillis(), took.toMillis());
      scene.examine();
    }
  }

  private static HikariDataSource pool(Scene scene) {
    var config = new HikariConfig();
    config.setJdbcUrl(scene.proxiedUrl());
    config.setMaximumPoolSize(2);
    return new HikariDataSource(config);
  }

  private static Handle<Integer> begin(Engine engine, int number) {
    var handle = engine.start(Errand.class, "errand-" + number, number);
    handle.signal(GO, number);
    return handle;
  }

  private static void checkResult(Handle<Integer> handle, long from) throws TimeoutException {
    var left = DEADLINE.minusNanos(System.nanoTime() - from);
    int number = Integer.parseInt(handle.workflowId().substring("errand-".length()));
    assertThat(handle.result(left)).isEqualTo(2 * number + 3);
  }

  /** Three steps, a signal and a sleep. */
  static final class Errand implements Workflow<Integer, Integer> {
    @Override
    public Integer run(Context ctx, Integer number) {
      int one = ctx.run(Errand::next, number);
      int added = one + ctx.receive(GO);
      int two = ctx.run(Errand::next, added);
      ctx.sleep(Duration.ofMillis(100));
      return ctx.run(Errand::next, two);
    }

    static int next(int number) {
      return number + 1;
    }
  }
}

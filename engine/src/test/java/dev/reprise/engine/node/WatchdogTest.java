package dev.reprise.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityContext;
import dev.reprise.RetryPolicy;
import dev.reprise.Workflow;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.replay.LogLines;
import dev.reprise.engine.replay.RunSettings;
import dev.reprise.engine.store.MemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WatchdogTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final AtomicLong ahead = new AtomicLong();
  private final Machine machine = aheadOfReal();
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final MemoryStore store = new MemoryStore();
  private Incarnations nodes;
  private Watchdog watchdog;

  /** The machine, whose time can be moved on. */
  private Machine aheadOfReal() {
    return (Machine)
        Proxy.newProxyInstance(
            Machine.class.getClassLoader(),
            new Class<?>[] {Machine.class},
            (_, method, arguments) -> {
              if (method.getName().equals("nanoTime")) return System.nanoTime() + ahead.get();
              try {
                return method.invoke(Machine.REAL, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void begin(Workflow<String, String> code) throws InterruptedException {
    var runs =
        new RunSettings(
            new Values(new JsonCodec()),
            ActivityRegistry.ofStandIns(),
            RetryPolicy.defaults(),
            machine,
            null);
    var settings = new NodeSettings(runs, 100, 1_000_000, SECOND, SECOND, Duration.ofSeconds(30));
    var definition = WorkflowDefinition.of("code", String.class, String.class, code);
    nodes =
        new Incarnations(
            store,
            () -> SystemTime.of(Machine.REAL, store.clock()),
            Map.of("code", definition),
            settings);
    watchdog = new Watchdog(machine, nodes.current().admission()::active);
    new NodeClient(nodes).start("code", "w", "");
    reached.await();
  }

  private void hang() throws InterruptedException {
    reached.countDown();
    end.await();
  }

  @AfterEach
  void close() {
    end.countDown();
    nodes.close();
  }

  private List<String> saidAfter(Duration more) {
    try (var log = new LogLines(Watchdog.class.getName())) {
      ahead.addAndGet(more.toNanos());
      watchdog.look();
      return log.all();
    }
  }

  @Test
  void an_attempt_that_hangs_is_mentioned_with_its_line_and_at_growing_intervals()
      throws InterruptedException {
    begin(
        (ctx, _) -> {
          ctx.run("charge", this::hang);
          return "";
        });
    assertThat(saidAfter(Duration.ofSeconds(5))).isEmpty();
    assertThat(saidAfter(Duration.ofSeconds(50))).isEmpty();

    assertThat(saidAfter(Duration.ofSeconds(6)))
        .anyMatch(
            line ->
                line.contains("attempt 1 of activity charge:1 of workflow 'w' has run for 61 s")
                    && line.contains("activity.id=charge:1"))
        .anyMatch(line -> line.contains("WatchdogTest.hang"));
    assertThat(saidAfter(Duration.ofSeconds(50))).isEmpty();
    assertThat(saidAfter(Duration.ofSeconds(10))).anyMatch(line -> line.contains("for 121 s"));
    assertThat(new NodeClient(nodes).describe("w").waitingFor())
        .singleElement()
        .satisfies(waiting -> assertThat(waiting.note()).isEqualTo("has run for 121 s"));
  }

  @Test
  void one_that_sends_heartbeats_or_has_a_limit_is_not() throws InterruptedException {
    begin(
        (ctx, _) -> {
          ctx.run(
              "charge",
              () -> {
                ahead.addAndGet(Duration.ofSeconds(70).toNanos());
                ActivityContext.current().heartbeat(null);
                hang();
              });
          return "";
        });
    assertThat(saidAfter(Duration.ofSeconds(1))).isEmpty();
    assertThat(saidAfter(Duration.ofSeconds(5))).isEmpty();
    assertThat(saidAfter(Duration.ofSeconds(5))).isEmpty();
  }
}

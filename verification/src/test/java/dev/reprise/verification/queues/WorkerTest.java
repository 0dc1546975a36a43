package dev.reprise.verification.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityContext;
import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.AttemptLost;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import dev.reprise.WorkerOptions;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.verification.behaviour.Await;
import dev.reprise.verification.behaviour.StoreKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases, heartbeats, timeouts and the end of workers, in real time. */
class WorkerTest {
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final ActivityOptions GPU = ActivityOptions.onQueue("gpu").visibility(SHORT);

  @TempDir Path folder;

  private final List<String> log = new CopyOnWriteArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);

  /** What runs elsewhere. */
  public interface Lab {
    String work(String what) throws InterruptedException;
  }

  private interface Body {
    String work(ActivityContext context, String what) throws InterruptedException;
  }

  private Reprise engine(Reprise reprise, ActivityOptions options, Body body) {
    Lab lab = what -> body.work(ActivityContext.current(), what);
    Workflow<String, String> code = (ctx, in) -> ctx.activities(Lab.class, options).work(in);
    return reprise.activities(lab).workflow("code", String.class, String.class, code);
  }

  private Reprise engine(StoreKind kind, ActivityOptions options, Body body) {
    return engine(Reprise.on(kind.in(folder).get()), options, body);
  }

  private static String result(Engine engine, String id) {
    return (String) engine.start("code", id, "x").result();
  }

  @ParameterizedTest
  @EnumSource
  void heartbeats_keep_an_attempt_for_as_long_as_it_takes(StoreKind kind) {
    Body body =
        (context, what) -> {
          long end = System.nanoTime() + 4 * SHORT.toNanos();
          int beats = 0;
          while (System.nanoTime() - end < 0) {
            context.heartbeat(++beats);
            LockSupport.parkNanos(1_000_000);
          }
          return what + context.attempt();
        };
    try (var engine = engine(kind, GPU, body).worker("gpu", 2).start()) {
      assertThat(result(engine, "w")).isEqualTo("x1");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_silent_attempt_is_handed_out_again_and_counts_no_more(StoreKind kind) {
    Body body =
        (context, what) -> {
          if (context.attempt() == 1) {
            context.heartbeat("half");
            await(gate);
            log.add(failureOf(context));
          }
          return what + context.attempt() + context.lastHeartbeat(String.class).orElse("");
        };
    try (var engine = engine(kind, GPU, body).worker("gpu", 2).start()) {
      assertThat(result(engine, "w")).isEqualTo("x2half");
      gate.countDown();
      Await.until("the first attempt hears of it", () -> !log.isEmpty());
      assertThat(log.getFirst()).contains("R134");
      assertThat(engine.history("w").getLast().type()).isEqualTo("WorkflowCompleted");
    }
  }

  @Test
  void an_attempt_that_should_send_heartbeats_and_does_not_is_handed_out_soon() {
    var options = ActivityOptions.onQueue("gpu").heartbeatTimeout(SHORT); // and 30 s otherwise
    Body body =
        (context, what) -> {
          if (context.attempt() == 1) await(gate);
          return what + context.attempt();
        };
    try (var engine = engine(StoreKind.MEMORY, options, body).worker("gpu", 2).start()) {
      long from = System.nanoTime();
      assertThat(result(engine, "w")).isEqualTo("x2");
      assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(15));
      gate.countDown();
    }
  }

  private static String failureOf(ActivityContext context) {
    try {
      context.heartbeat();
      return "no failure";
    } catch (RepriseException e) {
      return e.getMessage();
    }
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(20, TimeUnit.SECONDS)) throw new AssertionError("nobody opened the gate");
  }

  @Test
  void what_never_answers_fails_after_its_attempts_with_the_reason() {
    var options = GPU.retry(RetryPolicy.fixed(Duration.ZERO, 2));
    Body body =
        (context, what) -> {
          log.add("attempt " + context.attempt());
          await(gate);
          return what;
        };
    Workflow<String, String> code =
        (ctx, in) -> {
          try {
            return ctx.activities(Lab.class, options).work(in);
          } catch (ActivityFailed e) {
            return e.attempts() + " " + e.is(AttemptLost.class) + " " + e.failureMessage();
          }
        };
    Lab lab = what -> body.work(ActivityContext.current(), what);
    try (var engine =
        Reprise.inMemory()
            .activities(lab)
            .workflow("code", String.class, String.class, code)
            .shutdownGrace(Duration.ZERO)
            .worker("gpu", 4)
            .start()) {
      assertThat(result(engine, "w")).startsWith("2 true nothing was heard of attempt 2 by worker");
      assertThat(log).containsExactly("attempt 1", "attempt 2");
      gate.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_worker_hears_by_its_heartbeat_that_nobody_wants_the_result(StoreKind kind) {
    Body body =
        (context, what) -> {
          log.add("begun");
          while (!context.heartbeat()) LockSupport.parkNanos(1_000_000);
          log.add("cancelled");
          throw new IllegalStateException("given up");
        };
    try (var engine = engine(kind, GPU, body).worker("gpu", 1).start()) {
      var run = engine.start("code", "w", "x");
      Await.until("it runs", () -> !log.isEmpty());
      run.cancel("enough");
      Await.until("it hears", () -> log.contains("cancelled"));
      Await.until("it ends", () -> engine.describe("w").status() == Status.CANCELLED);
      Await.until("it is off the queue", () -> engine.queue("gpu").running() == 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void closing_a_worker_gives_back_what_cannot_end_in_time(StoreKind kind) {
    Body body =
        (context, what) -> {
          log.add("attempt " + context.attempt());
          if (log.size() == 1) await(gate);
          return what;
        };
    try (var engine = engine(kind, ActivityOptions.onQueue("gpu"), body).start()) {
      var first = engine.worker("gpu", 1);
      var run = engine.start("code", "w", "x");
      Await.until("it runs", () -> log.size() == 1);
      first.close(Duration.ofMillis(50));

      assertThat(engine.queue("gpu").isServed()).isFalse();
      engine.worker("gpu", 1);
      assertThat(run.result()).isEqualTo("x");
      assertThat(log).containsExactly("attempt 1", "attempt 1");
      assertThat(engine.history("w")).hasSize(4);
    }
  }

  @Test
  void a_worker_that_closes_lets_attempts_end() {
    Body body =
        (context, what) -> {
          log.add("begun");
          await(gate);
          return what;
        };
    try (var engine = engine(StoreKind.MEMORY, ActivityOptions.onQueue("gpu"), body).start()) {
      var worker = engine.worker("gpu", 1);
      var run = engine.start("code", "w", "x");
      Await.until("it runs", () -> !log.isEmpty());
      var closing = Thread.startVirtualThread(() -> worker.close(Await.LIMIT));
      gate.countDown();
      assertThat(run.result()).isEqualTo("x");
      Await.until("the worker is closed", () -> !closing.isAlive());
      assertThat(log).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_attempt_that_takes_too_long_is_tried_again(StoreKind kind) {
    var options =
        ActivityOptions.onQueue("gpu")
            .timeout(Duration.ofMillis(100))
            .retry(RetryPolicy.fixed(Duration.ofMillis(1), 2));
    Body body =
        (context, what) -> {
          if (context.attempt() == 1) await(gate);
          return what + context.attempt();
        };
    try (var engine = engine(kind, options, body).worker("gpu", 2).start()) {
      assertThat(result(engine, "w")).isEqualTo("x2");
      assertThat(engine.history("w").get(2).attributes())
          .contains("attempt 1 did not end within PT0.1S");
    }
  }

  @Test
  void all_attempts_together_may_take_so_long() {
    var options =
        ActivityOptions.onQueue("gpu")
            .totalTimeout(Duration.ofMillis(300))
            .retry(RetryPolicy.fixed(Duration.ofMillis(20), 0));
    Body body =
        (context, what) -> {
          throw new IllegalStateException("always");
        };
    try (var engine = engine(StoreKind.MEMORY, options, body).worker("gpu", 1).start()) {
      assertThatThrownBy(() -> result(engine, "w")).hasMessageContaining("activity Lab.work");
      assertThat(engine.history("w").getLast().type()).isEqualTo("WorkflowFailed");
    }
  }

  @Test
  void policies_of_activities_and_workers_count_in_that_order() {
    var attempts = new AtomicInteger();
    Body body =
        (context, what) -> {
          attempts.incrementAndGet();
          throw new IllegalStateException("always");
        };
    var fast = RetryPolicy.fixed(Duration.ofMillis(1), 3);
    var options = ActivityOptions.onQueue("gpu");
    try (var engine = engine(StoreKind.MEMORY, options, body).start()) {
      engine.worker("gpu", WorkerOptions.concurrency(1).retry(fast));
      assertThatThrownBy(() -> result(engine, "w")).hasMessageContaining("3 attempts");
      assertThat(attempts).hasValue(3);
    }
    attempts.set(0);
    var own = RetryPolicy.fixed(Duration.ofMillis(1), 2);
    try (var engine = engine(StoreKind.MEMORY, options, body).retry("Lab.work", own).start()) {
      engine.worker("gpu", WorkerOptions.concurrency(1).retry(fast));
      assertThatThrownBy(() -> result(engine, "w")).hasMessageContaining("2 attempts");
      assertThat(attempts).hasValue(2);
    }
  }

  @Test
  void another_process_may_serve_the_queue() {
    var store = MemoryStore.forMany();
    Workflow<String, String> code =
        (ctx, in) -> ctx.activities(Lab.class, ActivityOptions.onQueue("gpu")).work(in);
    Lab lab = what -> what + "!";
    try (var engine = Reprise.on(store).workflow("code", String.class, String.class, code).start();
        var other = Reprise.on(store).activities(lab).start()) {
      var run = engine.start("code", "w", "x");
      assertThat(engine.queue("gpu").isServed()).isFalse();
      other.worker("gpu", 3);
      assertThat(run.result()).isEqualTo("x!");
      assertThat(engine.queue("gpu").workers()).hasSize(1);
      assertThat(engine.queue("gpu").workers().getFirst().concurrency()).isEqualTo(3);
    }
  }
}

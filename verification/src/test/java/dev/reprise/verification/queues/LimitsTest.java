package dev.reprise.verification.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityOptions;
import dev.reprise.Handle;
import dev.reprise.QueueLimits;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.verification.behaviour.Await;
import dev.reprise.verification.behaviour.StoreKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits of queues, seen from the activities, and changed while they run. */
class LimitsTest {
  @TempDir Path folder;

  private final Map<String, String> running = new ConcurrentHashMap<>(); // workflow id to key
  private final Semaphore leave = new Semaphore(0);

  /** What runs on the queue: each stays until it may leave. */
  public interface Room {
    String enter(String workflowId, String key) throws InterruptedException;
  }

  private Engine engine(StoreKind kind) {
    Room room =
        (workflowId, key) -> {
          running.put(workflowId, key);
          leave.acquire();
          running.remove(workflowId);
          return workflowId;
        };
    Workflow<String, String> visit =
        (ctx, key) -> {
          var options = ActivityOptions.onQueue("room").key(key);
          return ctx.activities(Room.class, options).enter(ctx.workflowId(), key);
        };
    return Reprise.on(kind.in(folder).get())
        .activities(room)
        .workflow("visit", String.class, String.class, visit)
        .worker("room", 20)
        .start();
  }

  private static List<Handle<Object>> visitors(Engine engine, String key, int count) {
    var visitors = new ArrayList<Handle<Object>>();
    for (int i = 0; i < count; i++) visitors.add(engine.start("visit", key + "-" + i, key));
    return visitors;
  }

  private void allLeave(List<Handle<Object>> visitors) {
    leave.release(visitors.size());
    for (var visitor : visitors) assertThat(visitor.result()).isEqualTo(visitor.workflowId());
  }

  private long inside(String key) {
    return running.values().stream().filter(key::equals).count();
  }

  @ParameterizedTest
  @EnumSource
  void so_many_run_at_once_and_more_when_the_limit_is_raised(StoreKind kind) {
    try (var engine = engine(kind)) {
      engine.limit("room", QueueLimits.none().concurrency(2));
      var visitors = visitors(engine, "ada", 6);
      Await.until("two are in", () -> running.size() == 2);
      Await.until("four wait", () -> engine.queue("room").ready() == 4);
      assertThat(running).hasSize(2);

      engine.limit("room", QueueLimits.none().concurrency(5));
      Await.until("five are in", () -> running.size() == 5);
      assertThat(engine.queue("room").ready()).isOne();
      allLeave(visitors);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobody_comes_in_while_the_queue_is_paused(StoreKind kind) {
    try (var engine = engine(kind)) {
      engine.limit("room", QueueLimits.none().paused());
      var visitors = visitors(engine, "ada", 3);
      Await.until("all wait", () -> engine.queue("room").ready() == 3);
      assertThat(running).isEmpty();

      engine.limit("room", QueueLimits.none());
      Await.until("all are in", () -> running.size() == 3);
      allLeave(visitors);
    }
  }

  @ParameterizedTest
  @EnumSource
  void of_each_key_so_many_run_and_the_others_are_not_held_up(StoreKind kind) {
    try (var engine = engine(kind)) {
      engine.limit("room", QueueLimits.none().perKey(2));
      var visitors = new ArrayList<>(visitors(engine, "ada", 5));
      visitors.addAll(visitors(engine, "bob", 3));
      Await.until("two of each are in", () -> inside("ada") == 2 && inside("bob") == 2);
      Await.until("the others wait", () -> engine.queue("room").ready() == 4);
      allLeave(visitors);
    }
  }
}

package dev.reprise.verification.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityOptions;
import dev.reprise.QueueLimits;
import dev.reprise.Workflow;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.testkit.ForwardingStore;
import dev.reprise.verification.behaviour.Await;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Engines on a store whose clock is set back: theirs do not follow it there. */
class RateClockTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  /** Of twelve looks, some of which come by hints: the others are 1, 2, 4, 8, … ms apart. */
  private static final Duration PAUSES = Duration.ofMillis(50);

  private final AtomicReference<Instant> clock = new AtomicReference<>(NOON);
  private final AtomicInteger takes = new AtomicInteger();
  private final List<String> done = new CopyOnWriteArrayList<>();

  /** What is limited. */
  public interface Press {
    String print(String page);
  }

  /** A store that counts how often workers ask it. */
  private final class CountingStore extends ForwardingStore {
    private final TaskStore tasks;

    private CountingStore(MemoryStore store) {
      super(store);
      this.tasks =
          (TaskStore)
              Proxy.newProxyInstance(
                  TaskStore.class.getClassLoader(),
                  new Class<?>[] {TaskStore.class},
                  (_, method, arguments) -> {
                    if (method.getName().equals("take")) takes.incrementAndGet();
                    return method.invoke(store.tasks(), arguments);
                  });
    }

    @Override
    public TaskStore tasks() {
      return tasks;
    }
  }

  @Test
  void
      a_clock_that_is_set_back_neither_stops_a_queue_with_a_rate_nor_lets_workers_ask_all_the_time() {
    var store = new CountingStore(MemoryStore.forMany(clock::get));
    Workflow<String, String> code =
        (ctx, in) -> ctx.activities(Press.class, ActivityOptions.onQueue("press")).print(in);
    Press press =
        page -> {
          done.add(page);
          return page;
        };
    try (var engine =
        Reprise.on(store)
            .activities(press)
            .workflow("code", String.class, String.class, code)
            .worker("press", 4)
            .start()) {
      engine.limit("press", QueueLimits.none().rate(1, Duration.ofMillis(50)));
      engine.start("code", "one", "1");
      Await.until("the first", () -> done.size() == 1);

      clock.set(NOON.minus(Duration.ofHours(1)));
      engine.start("code", "two", "2");
      int before = takes.get();
      long since = System.nanoTime();
      Await.until("some looks in vain", () -> takes.get() - before >= 12);
      assertThat(System.nanoTime() - since).isGreaterThan(PAUSES.toNanos());
      assertThat(done).hasSize(1);

      clock.set(NOON.minus(Duration.ofHours(1)).plusMillis(50));
      Await.until("the second", () -> done.size() == 2);
    }
  }
}

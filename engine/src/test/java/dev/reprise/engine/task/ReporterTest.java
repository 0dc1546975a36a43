package dev.reprise.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.machine.Errands;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.Report.Change;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore;
import dev.reprise.engine.store.TaskStore.Beat;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReporterTest {
  private static final TaskRef TASK = new TaskRef(7, 3);
  private static final int FAILURES = 20; // half of them of heartbeats

  private final AtomicInteger calls = new AtomicInteger();
  private final Errands errands = new Errands();
  private final Reporter reporter =
      new Reporter(
          Machine.REAL, as(TaskStore.class, this::answer), as(TaskPort.class, NOW), errands);

  @AfterEach
  void stop() {
    reporter.stop();
  }

  @Test
  void a_store_that_does_not_answer_is_asked_in_peace() throws Exception {
    long from = System.nanoTime();
    var hand = new UUID(1, 1);
    var beat = reporter.beat(new Beat(TASK, 1, hand, null));
    var report = reporter.report(new Report(TASK, 1, hand, null, new Change.Finish(), null, null));

    assertThat(beat.get(30, TimeUnit.SECONDS)).isEqualTo(Beat.Answer.LOST);
    assertThat(report.get(30, TimeUnit.SECONDS)).isEqualTo(Report.Reply.GONE);

    var pauses = Duration.ofMillis(100).multipliedBy(FAILURES / 2 - 1);
    assertThat(Duration.ofNanos(System.nanoTime() - from)).isGreaterThanOrEqualTo(pauses);
    assertThat(calls).hasValue(FAILURES + 2);
    assertThat(errands.count()).isLessThan(FAILURES);
  }

  // ---- a store that does what the test says -----------------------------------------------------

  private Object answer(String call) {
    if (calls.incrementAndGet() <= FAILURES) {
      throw new StoreUnavailable("away", new IllegalStateException());
    }
    return List.of(call.equals("report") ? Report.Reply.GONE : Beat.Answer.LOST);
  }

  private static final Calls NOW = _ -> Instant.EPOCH;

  private interface Calls {
    Object answer(String call);
  }

  private static <T> T as(Class<T> type, Calls calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> calls.answer(method.getName())));
  }
}

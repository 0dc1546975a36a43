package dev.reprise.engine.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReporterTest {
  private static final TaskRef TASK = new TaskRef(7, 3);
  private static final int FAILURES = 20; // half of them of heartbeats
  private static final UUID HAND = new UUID(1, 1);
  private static final int BIG = 1 << 20;

  private final AtomicInteger calls = new AtomicInteger();
  private volatile @Nullable String refused; // calls, or null for the first ones
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
    var beat = reporter.beat(new Beat(TASK, 1, HAND, null));
    var report = reporter.report(new Report(TASK, 1, HAND, null, new Change.Finish(), null, null));

    assertThat(beat.get(30, TimeUnit.SECONDS)).isEqualTo(Beat.Answer.LOST);
    assertThat(report.get(30, TimeUnit.SECONDS)).isEqualTo(Report.Reply.GONE);

    var pauses = Duration.ofMillis(100).multipliedBy(FAILURES / 2 - 1);
    assertThat(Duration.ofNanos(System.nanoTime() - from)).isGreaterThanOrEqualTo(pauses);
    assertThat(calls).hasValue(FAILURES + 2);
    assertThat(errands.count()).isLessThan(FAILURES);
  }

  @Test
  void a_reporter_is_mute_until_reports_are_stored_whatever_becomes_of_heartbeats()
      throws Exception {
    refused = "report";
    var report = reporter.report(new Report(TASK, 1, HAND, null, new Change.Finish(), null, null));

    for (int i = 0; i < 3; i++) {
      var beat = reporter.beat(new Beat(TASK, 1, HAND, null));
      assertThat(beat.get(30, TimeUnit.SECONDS)).isEqualTo(Beat.Answer.LOST);
      assertThat(report).isNotDone();
      if (i > 0) assertThat(reporter.isMute()).isTrue();
    }
    refused = "";

    assertThat(report.get(30, TimeUnit.SECONDS)).isEqualTo(Report.Reply.GONE);
    until(() -> !reporter.isMute());
  }

  @Test
  void a_reporter_has_no_room_while_much_is_not_stored_and_refuses_heartbeats_only()
      throws Exception {
    refused = "report heartbeat";
    var last = new CompletableFuture<Report.Reply>();
    int count = 0;
    for (; reporter.hasRoom(); count++) {
      last =
          reporter.report(
              new Report(TASK, 1, HAND, null, new Change.Finish(), null, new byte[BIG]));
    }
    var beats = new ArrayList<CompletableFuture<Beat.Answer>>();
    for (int i = 0; i < 2 * count; i++) {
      beats.add(reporter.beat(new Beat(TASK, 1, HAND, new byte[BIG])));
    }

    assertThat(count).isBetween(15, 16);
    assertThat(beats.subList(0, count)).noneMatch(CompletableFuture::isDone);
    assertThat(beats.subList(count, 2 * count))
        .allMatch(CompletableFuture::isCompletedExceptionally);
    refused = "";

    assertThat(last.get(30, TimeUnit.SECONDS)).isEqualTo(Report.Reply.GONE);
    assertThat(beats.get(0).get(30, TimeUnit.SECONDS)).isEqualTo(Beat.Answer.LOST);
    until(reporter::hasRoom);
  }

  /** What is answered is forgotten a moment later. */
  private static void until(BooleanSupplier condition) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          while (!condition.getAsBoolean()) Thread.onSpinWait();
        });
  }

  // ---- a store that does what the test says -----------------------------------------------------

  private Object answer(String call, int count) {
    var now = refused;
    if (now == null ? calls.incrementAndGet() <= FAILURES : now.contains(call)) {
      throw new StoreUnavailable("away", new IllegalStateException());
    }
    return Collections.nCopies(count, call.equals("report") ? Report.Reply.GONE : Beat.Answer.LOST);
  }

  private static final Calls NOW = (_, _) -> Instant.EPOCH;

  private interface Calls {
    Object answer(String call, int count);
  }

  private static <T> T as(Class<T> type, Calls calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) ->
                calls.answer(
                    method.getName(),
                    arguments != null && arguments[0] instanceof List<?> told ? told.size() : 0)));
  }
}

package dev.reprise.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.Fork;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.Waiting;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.gate.GateReport;
import dev.reprise.engine.store.MemoryStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The gate follows runs that were undone, ended from outside, continued, cut and forked. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ReplayGateLifeTest {
  private static final Signal<String> GO = Signal.of("go", String.class);

  private final MemoryStore store = new MemoryStore();
  private final CountDownLatch undoing = new CountDownLatch(1);

  /** Does what it is told. */
  private static String yesterday(Context ctx, String how) {
    ctx.run("fetch", () -> {});
    return rest(ctx, how);
  }

  /** The same with another first step. */
  private static String today(Context ctx, String how) {
    ctx.run("weigh", () -> {});
    return rest(ctx, how);
  }

  private static String rest(Context ctx, String how) {
    if (how.equals("loop")) {
      ctx.loop(
          0,
          turn -> {
            if (turn == 20) return null;
            ctx.run("turn", () -> {});
            return turn + 1;
          });
      return ctx.receive(GO);
    }
    if (how.equals("parent")) {
      return ctx.start("Life", "wait", String.class, ChildOptions.defaults()).result().await();
    }
    ctx.compensate("undo", how);
    if (how.startsWith("fail")) throw new IllegalStateException(how);
    var word = ctx.receive(GO);
    return word.equals("on") ? ctx.continueAsNew("wait") : word;
  }

  private void undo(String how) throws InterruptedException {
    if (how.equals("fail slowly")) undoing.await();
    if (how.equals("fail for good")) throw new TerminalFailure("cannot");
  }

  private Engine open() {
    return Reprise.on(store)
        .loopLimit(5)
        .workflow("Life", String.class, String.class, ReplayGateLifeTest::yesterday)
        .activity("undo", String.class, this::undo)
        .start();
  }

  /** One run of each kind. Returns how many there are. */
  private long record(Engine engine) {
    engine.start("Life", "failed", "fail");
    engine.start("Life", "held", "fail for good");
    engine.start("Life", "undoing", "fail slowly");
    engine.start("Life", "terminated", "wait").terminate("fire");
    var undone = engine.start("Life", "undone", "wait");
    await(() -> !undone.describe().waitingFor().isEmpty());
    undone.terminate("fire", true);
    engine.start("Life", "late", "wait", StartOptions.defaults().timeout(Duration.ofMillis(1)));
    engine.start("Life", "cancelled", "wait").cancel("why");
    engine.start("Life", "continued", "wait").signal(GO, "on");
    engine.start("Life", "looped", "loop");
    engine.start("Life", "parent", "parent");
    var source = engine.start("Life", "source", "wait");
    await(() -> source.history().size() == 3);
    engine.fork(Fork.of("source", 2).as("forked"));
    awaitStatus(engine, "failed", Status.FAILED);
    awaitStatus(engine, "held", Status.COMPENSATION_FAILED);
    awaitStatus(engine, "undoing", Status.COMPENSATING);
    awaitStatus(engine, "terminated", Status.TERMINATED);
    awaitStatus(engine, "undone", Status.TERMINATED);
    awaitStatus(engine, "late", Status.TIMED_OUT);
    awaitStatus(engine, "cancelled", Status.CANCELLED);
    await(() -> engine.runs("continued").size() == 2);
    await(() -> engine.runs("looped").size() > 3);
    await(() -> waitsForSignal(engine, "looped"));
    await(() -> waitsForSignal(engine, "parent/Life:1"));
    await(() -> waitsForSignal(engine, "forked"));
    return engine.count("");
  }

  private static boolean waitsForSignal(Engine engine, String id) {
    return engine.describe(id).waitingFor().stream()
        .anyMatch(waiting -> waiting.kind() == Waiting.Kind.SIGNAL);
  }

  private static void awaitStatus(Engine engine, String id, Status status) {
    await(() -> engine.describe(id).status() == status);
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) LockSupport.parkNanos(200_000);
  }

  private GateReport check(dev.reprise.Workflow<String, String> code) {
    return new ReplayCheck()
        .workflow("Life", String.class, String.class, code)
        .checkDatabase(store, (_, _) -> {});
  }

  @Test
  void the_code_that_made_them_follows_all_and_other_code_none() {
    long all;
    try (var engine = open()) {
      all = record(engine);

      var same = check(ReplayGateLifeTest::yesterday);
      var other = check(ReplayGateLifeTest::today);

      assertThat(same.text()).contains("The code follows all of " + all + " runs.");
      assertThat(same.follows()).isTrue();
      assertThat(other.follows()).isFalse();
      assertThat(other.workflows().getFirst().departed()).isGreaterThanOrEqualTo(all - 1);
      assertThat(engine.count("")).as("nothing was written").isEqualTo(all);
      undoing.countDown();
    }
  }
}

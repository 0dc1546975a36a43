package dev.reprise.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Transition;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An engine that dies at any moment of a saga: what was done is undone, and nothing is skipped. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SagaCrashTest {
  private final StoreKind kind;

  SagaCrashTest(StoreKind kind) {
    this.kind = kind;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "b"})
  void a_crash_at_any_transition_skips_nothing_that_is_to_be_undone(String broken)
      throws Exception {
    boolean crashed = true;
    int moments = 0;
    for (; crashed; moments++) crashed = survivesCrashAt(moments, broken);

    assertThat(moments).as("moments to crash at").isGreaterThan(6);
  }

  /** Whether there was such a moment. */
  private boolean survivesCrashAt(int moment, String broken) throws Exception {
    var calls = new Calls();
    var seen = new AtomicInteger();
    Predicate<Transition> then = _ -> seen.getAndIncrement() == moment;
    try (var place = new World(kind)) {
      drive(place, place.openCrashingAt(then, r -> register(r, calls, broken)));
      if (!place.hasCrashed()) return false;
      place.awaitCrash();

      var second = place.open(r -> register(r, calls, broken));
      drive(place, second);

      var expected = broken.isEmpty() ? Status.FAILED : Status.COMPENSATION_FAILED;
      assertThat(second.describe("s").status()).as("crashed at %d", moment).isEqualTo(expected);
      for (var item : List.of("a", "b", "c")) {
        assertThat(calls.of("free " + item))
            .as("free %s, crashed at %d", item, moment)
            .isPositive();
      }
      if (!broken.isEmpty()) {
        assertThat(second.describe("s").blockedBy()).contains("R132").contains("undo free:2");
      }
      return true;
    }
  }

  private static void register(Reprise reprise, Calls calls, String broken) {
    reprise
        .activity(
            "free",
            String.class,
            item -> {
              calls.add("free " + item);
              if (item.equals(broken)) throw new TerminalFailure("cannot free " + item);
            })
        .workflow(
            "saga",
            String.class,
            String.class,
            (ctx, _) -> {
              for (var item : List.of("a", "b", "c")) {
                ctx.run("reserve " + item, () -> {});
                ctx.compensate("free", item);
              }
              throw new IllegalStateException("no room");
            });
  }

  /** Starts it and waits until it has ended, is held or crashed. */
  private static void drive(World place, Engine engine) {
    try {
      var handle = engine.start("saga", "s", "");
      Await.until("the end", () -> place.hasCrashed() || !handle.status().isActive());
    } catch (RepriseException dead) {
      assertThat(dead.code()).isIn(ErrorCode.R122, ErrorCode.R119);
    }
  }
}

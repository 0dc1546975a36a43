package dev.reprise.verification.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Fork;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who does not know whether a fork was made asks for it again. */
@RepriseTest
class ForkAgainTest {
  private static final Signal<String> GO = Signal.of("go", String.class);
  private static final Fork FORK = Fork.of("w", 2).as("f").result("step:1", "b");

  /** One step, then it waits. */
  public static final class OneStep implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      return ctx.run("step", String.class, () -> "a") + ctx.receive(GO);
    }
  }

  @BeforeEach
  void begin(TestEngine engine) {
    engine.workflow(new OneStep()).start(OneStep.class, "w", "in");
  }

  @Test
  void the_same_fork_is_made_once(TestEngine engine) {
    var first = engine.fork(FORK);
    first.signal(GO, "!");
    var second = engine.fork(FORK);

    assertThat(second.runId()).isEqualTo(first.runId());
    assertThat(second.result()).isEqualTo("b!");
  }

  @Test
  void another_fork_needs_another_id(TestEngine engine) {
    engine.fork(FORK);

    assertThatThrownBy(() -> engine.fork(FORK.result("step:1", "c")))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R105));
    assertThatThrownBy(() -> engine.fork(Fork.of("w", 1).as("w")))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R105));
  }
}

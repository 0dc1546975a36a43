package dev.reprise.verification.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityContext;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.HistoryEvent;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.WorkflowFailed;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Activities on queues that end when the code of their workflow has ended. */
@RepriseTest
class UndoneWithQueuesTest {
  private final Desk desk = new Desk();

  /** What runs elsewhere, and what undoes things. */
  public static final class Desk {
    private volatile String token = "";
    private volatile Runnable whenUndone = () -> {};

    String ask(String question) {
      token = ActivityContext.current().completeLater();
      return question;
    }

    void undo(String what) {
      whenUndone.run();
    }
  }

  /** Asks somebody, does not wait for the answer, and fails when it is told to. */
  static final class Hasty implements Workflow<String, String> {
    private final Desk desk;

    Hasty(Desk desk) {
      this.desk = desk;
    }

    @Override
    public String run(Context ctx, String in) {
      ctx.compensate(desk::undo, in);
      var _ = ctx.with(ActivityOptions.onQueue("desk")).schedule(desk::ask, in);
      ctx.sleep(Duration.ofSeconds(1));
      throw new IllegalStateException("as planned");
    }
  }

  @Test
  void an_answer_that_comes_while_a_run_is_undone_by_another_node_is_recorded(TestEngine engine) {
    engine.unguarded().activities(desk).workflow(new Hasty(desk)).worker("desk", 1);
    desk.whenUndone =
        () -> {
          desk.whenUndone = () -> engine.complete(desk.token, "yes");
          engine.crash();
        };

    var run = engine.start(Hasty.class, "w", "it");

    assertThatThrownBy(run::result).isInstanceOf(WorkflowFailed.class);
    assertThat(run.status()).isEqualTo(Status.FAILED);
    assertThat(run.history())
        .extracting(HistoryEvent::type)
        .containsSubsequence("CompensationsStarted", "ActivityCompleted", "WorkflowFailed");
  }
}

package dev.reprise.verification.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityContext;
import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.testpostgres.PostgresServer;
import dev.reprise.verification.behaviour.Await;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands about queues in processes of their own, beside a worker on PostgreSQL. */
class QueuesTest {
  @TempDir private Path folder;
  private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
  private Commands commands;
  private Engine engine;

  /** Mixes paint, which somebody has to look at. */
  public interface Mixer {
    String mix(String colour);
  }

  /** Orders paint. */
  static final class PaintOrder implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String colour) {
      return ctx.activities(Mixer.class, ActivityOptions.onQueue("paint")).mix(colour);
    }
  }

  @BeforeEach
  void start() {
    var url = PostgresServer.shared().createDatabase();
    commands = new Commands(url, folder);
    Mixer mixer =
        colour -> {
          tokens.add(ActivityContext.current().completeLater());
          return colour;
        };
    engine =
        Reprise.open(url).workflow(new PaintOrder()).activities(mixer).worker("paint", 4).start();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void a_limit_reaches_workers_that_run_and_a_result_the_workflow_that_waits() throws Exception {
    commands.run(0, "limit", "paint", "--pause");
    var order = engine.start(PaintOrder.class, "order", "blue");
    Await.until("the task", () -> engine.queue("paint").ready() == 1);

    assertThat(commands.run(0, "queues")).containsPattern("paint +1 .* paused +1, 4 at once");
    assertThat(tokens).isEmpty();
    assertThat(commands.run(0, "limit", "paint", "--resume"))
        .isEqualTo("paint\n  before: paused\n  after:  none\n");
    Await.until("the mixer", () -> engine.queue("paint").external() == 1);

    assertThat(commands.run(0, "describe", "order")).contains("waits to be completed from outside");
    assertThat(commands.run(1, "complete", tokens.element(), "[7]")).startsWith("reprise: R136");
    assertThat(commands.run(0, "complete", tokens.element(), "\"sky blue\""))
        .isEqualTo("completed\n");
    assertThat(order.result(Commands.LIMIT)).isEqualTo("sky blue");
  }
}

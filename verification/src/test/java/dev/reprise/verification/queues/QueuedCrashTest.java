package dev.reprise.verification.queues;

import static dev.reprise.verification.queues.Hall.outline;
import static dev.reprise.verification.queues.Hall.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.SourcePolicy;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.Was;
import dev.reprise.Workflow;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore.Take;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Engines that die while workflows wait on queues, and while they begin. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class QueuedCrashTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final StartOptions ON_Q = StartOptions.onQueue("q");
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final Hall hall;

  QueuedCrashTest(Database database) {
    this.hall = new Hall(database);
  }

  private static String listen(Context ctx, String in) {
    return in + " " + ctx.receive(WORD);
  }

  private static void workflows(Reprise reprise) {
    reprise.workflow("listen", String.class, String.class, QueuedCrashTest::listen);
  }

  private static boolean begins(Transition transition) {
    return transition instanceof Transition.Append append
        && append.change() instanceof RunChange.Begin;
  }

  @Test
  void the_next_engine_lets_one_begin_that_was_accepted() {
    var dying = hall.openCrashingAt(t -> t instanceof Transition.Start, QueuedCrashTest::workflows);
    startUnheard(() -> dying.start("listen", "w", "in", ON_Q.attribute("tenant", "acme")));
    hall.awaitCrash();

    var engine = hall.open(QueuedCrashTest::workflows);
    var run = engine.handle("w", String.class);
    assertThat(run.status()).isEqualTo(Status.QUEUED);
    assertThat(engine.start("listen", "w", "in", ON_Q).runId()).isEqualTo(run.runId());
    run.signal(WORD, "now");
    engine.worker("q", 1);

    assertThat(result(run)).isEqualTo("in now");
    assertThat(run.describe().attributes()).containsEntry("tenant", "acme");
  }

  /** Nobody hears of what the engine does that dies by it. */
  private static void startUnheard(Runnable start) {
    Thread.ofVirtual().start(() -> assertThatThrownBy(start::run).hasMessageContaining("R122"));
  }

  @Test
  void one_that_was_handed_out_is_handed_out_again_when_the_lease_is_over() {
    var engine = hall.open(QueuedCrashTest::workflows);
    var run = engine.start("listen", "w", "in", ON_Q);
    run.signal(WORD, "now");
    var now = hall.time().now();
    var offer = Map.of("listen", "");
    var taken =
        hall.store()
            .tasks()
            .take(new Take(UUID.randomUUID(), "q", "one that dies", offer, 1, 0, now));
    assertThat(taken).hasSize(1);
    engine.worker("q", 1);
    assertThat(run.describe().waitingFor().toString()).contains("taken by one that dies");

    hall.time().advance(LEASE.minusMillis(1));
    assertThat(run.status()).isEqualTo(Status.QUEUED);
    hall.time().advance(Duration.ofMillis(1));

    assertThat(result(run)).isEqualTo("in now");
    assertThat(outline(run)).startsWith("WorkflowStarted").containsOnlyOnce("WorkflowStarted");
  }

  @Test
  void one_that_began_goes_on_with_the_next_engine() {
    var dying = hall.openCrashingAt(QueuedCrashTest::begins, QueuedCrashTest::workflows);
    var run = dying.start("listen", "w", "in", ON_Q.deduplicate("k"));
    run.signal(WORD, "now");
    dying.worker("q", 1);
    hall.awaitCrash();

    var engine = hall.open(QueuedCrashTest::workflows);
    var again = engine.handle("w", String.class);

    assertThat(result(again)).isEqualTo("in now");
    assertThat(outline(again)).containsOnlyOnce("WorkflowStarted");
    var key = hall.store().find("w").orElseThrow().key();
    assertThat(hall.store().tasks().find(TaskRef.ofRun(key))).isEmpty();
    assertThat(Doctor.examine(hall.store())).isEmpty();
  }

  @Test
  void one_that_waits_begins_with_the_code_of_that_time() {
    var first = hall.open(QueuedCrashTest::workflows);
    first.start("listen", "w", "in", ON_Q);
    first.close();

    var engine =
        hall.open(
            r ->
                r.whenChanged(SourcePolicy.HOLD)
                    .workflow("listen", String.class, String.class, (_, in) -> "new code " + in));
    engine.worker("q", 1);

    assertThat(result(engine, "w")).isEqualTo("new code in");
  }

  /** As it was called before. */
  static final class Greeting implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String name) {
      return "hello " + name;
    }
  }

  /** As it is called now. */
  @Was("Greeting")
  static final class Welcome implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String name) {
      return "welcome " + name;
    }
  }

  @Test
  void one_that_waits_begins_under_a_new_name_of_its_workflow() {
    var first = hall.open(r -> r.workflow(new Greeting()));
    first.start(Greeting.class, "on a queue", "you", ON_Q);
    first.start(Greeting.class, "later", "you", StartOptions.defaults().delay(HOUR));
    first.close();

    var engine = hall.open(r -> r.workflow(new Welcome()));
    engine.worker("q", 1);
    hall.time().advance(HOUR);

    assertThat(result(engine, "on a queue")).isEqualTo("welcome you");
    assertThat(result(engine, "later")).isEqualTo("welcome you");
  }

  @Test
  void one_whose_time_comes_while_no_engine_is_there_begins_with_the_next() {
    var first = hall.open(QueuedCrashTest::workflows);
    first.start("listen", "w", "in", StartOptions.defaults().delay(HOUR));
    first.close();
    hall.time().advance(Duration.ofHours(2));

    var engine = hall.open(QueuedCrashTest::workflows);
    var run = engine.handle("w", String.class);
    run.signal(WORD, "late");

    assertThat(result(run)).isEqualTo("in late");
    assertThat(run.history().getFirst().recordedAt()).isEqualTo(Hall.START.plusSeconds(7_200));
  }
}

package dev.reprise.verification.queues;

import static dev.reprise.verification.queues.Hall.awaitStatus;
import static dev.reprise.verification.queues.Hall.outline;
import static dev.reprise.verification.queues.Hall.result;
import static dev.reprise.verification.queues.Hall.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityOptions;
import dev.reprise.Client;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import dev.reprise.Waiting;
import dev.reprise.engine.Reprise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Mistakes of the code are no outcomes of activities on queues: nothing fails by them. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class QueuedMistakesTest {
  private static final ActivityOptions Q = ActivityOptions.onQueue("q");

  @RegisterExtension final Hall hall;

  QueuedMistakesTest(Database database) {
    this.hall = new Hall(database);
  }

  /** What is on the queue. */
  public interface Weights {
    Map<String, Object> weigh(String what);
  }

  /** It weighs, first in a number that does not come back as it was. */
  public static final class Scales implements Weights {
    private final AtomicInteger calls = new AtomicInteger();
    private volatile boolean mended;

    @Override
    public Map<String, Object> weigh(String what) {
      calls.incrementAndGet();
      return Map.of(what, mended ? 7 : (Object) 7L);
    }
  }

  private static void register(Reprise reprise, Scales scales) {
    reprise
        .retry(RetryPolicy.none())
        .activities(scales)
        .worker("q", 1)
        .workflow("weigh", String.class, String.class, QueuedMistakesTest::weigh);
  }

  private static String weigh(Context ctx, String what) {
    return "" + ctx.activities(Weights.class, Q).weigh(what);
  }

  private static Waiting waiting(Client client) {
    var waits = client.describe("w").waitingFor();
    return waits.isEmpty() ? null : waits.getFirst();
  }

  /** Waits until the run knows that the attempt ended in a mistake. */
  private static void awaitMistake(Client client) {
    until(
        "a mistake",
        () -> {
          var wait = waiting(client);
          return wait != null && wait.lastFailure() != null;
        });
  }

  @Test
  void a_result_that_cannot_be_written_waits_for_people_and_is_asked_for_again() {
    var scales = new Scales();
    var engine = hall.open(r -> register(r, scales));
    var handle = engine.start("weigh", "w", "cat");
    awaitMistake(engine);

    assertThat(waiting(engine).lastFailure().message())
        .startsWith("R107 the result of")
        .contains("'[cat]' is a Long");
    assertThat(engine.describe("w").status()).isEqualTo(Status.RUNNING);
    assertThat(outline(handle)).doesNotContain("ActivityFailed");

    hall.time().advance(Duration.ofMinutes(1));
    until("the second attempt", () -> scales.calls.get() == 2);
    scales.mended = true;
    until("the second mistake is known", () -> outline(handle).size() == 4);
    hall.time().advance(Duration.ofMinutes(2));

    assertThat(result(handle)).isEqualTo("{cat=7}");
    assertThat(scales.calls).hasValue(3);
  }

  @Test
  void a_mistake_is_still_none_of_the_outcomes_after_a_crash() {
    var scales = new Scales();
    var first = hall.open(r -> register(r, scales));
    first.start("weigh", "w", "cat");
    awaitMistake(first);
    hall.crash();
    scales.mended = true;
    var engine = hall.open(r -> register(r, scales));
    hall.time().advance(Duration.ofMinutes(5));

    assertThat(result(engine, "w")).isEqualTo("{cat=7}");
    assertThat(scales.calls).hasValue(2);
  }

  @Test
  void the_context_inside_an_activity_on_a_queue_is_no_outcome_either() {
    var engine =
        hall.open(
            r ->
                r.activities(new Leaky())
                    .worker("q", 1)
                    .workflow(
                        "leak",
                        String.class,
                        String.class,
                        (ctx, _) -> {
                          Leaky.leaked = ctx;
                          return ctx.activities(Sink.class, Q).drip();
                        }));
    var handle = engine.start("leak", "w", "");
    awaitMistake(engine);

    assertThat(waiting(engine).lastFailure().message()).startsWith("R111");
    assertThat(outline(handle)).doesNotContain("ActivityFailed", "WorkflowFailed");
  }

  /** Uses a context that is not its own. */
  public interface Sink {
    String drip();
  }

  /** The same. */
  public static final class Leaky implements Sink {
    private static volatile Context leaked;

    @Override
    public String drip() {
      return leaked.uuid().toString();
    }
  }

  @Test
  void a_result_of_another_type_than_the_workflow_wants_blocks_until_the_code_is_mended() {
    var scales = new Scales();
    scales.mended = true;
    var wrong = hall.open(r -> registerWanting(r, scales, Integer.class));
    wrong.start("want", "w", "cat");

    awaitStatus(wrong, "w", Status.BLOCKED);
    assertThat(wrong.describe("w").blockedBy()).startsWith("R136").contains("Weights.weigh");
    hall.crash();
    var right = hall.open(r -> registerWanting(r, scales, Map.class));
    right.resume("w");

    assertThat(result(right, "w")).isEqualTo("{cat=7}");
    assertThat(scales.calls).hasValue(1);
  }

  private static void registerWanting(Reprise reprise, Scales scales, Class<?> type) {
    reprise
        .activities(scales)
        .worker("q", 1)
        .workflow(
            "want",
            String.class,
            String.class,
            (ctx, in) -> "" + ctx.with(Q).schedule("Weights.weigh", type, in).await());
  }

  @Test
  void an_activity_whose_type_never_comes_back_does_not_begin() {
    var begun = new AtomicInteger();
    var engine =
        hall.open(
            r ->
                r.activities(new Threads(begun))
                    .worker("q", 1)
                    .workflow(
                        "t",
                        String.class,
                        String.class,
                        (ctx, _) -> "" + ctx.with(Q).schedule("Spools.spool", Map.class).await()));
    engine.start("t", "w", "");
    awaitMistake(engine);

    assertThat(waiting(engine).lastFailure().message()).startsWith("R107").contains("Thread");
    assertThat(begun).hasValue(0);
  }

  /** Gives what no JSON carries. */
  public interface Spools {
    List<Thread> spool();
  }

  /** The same. */
  public record Threads(AtomicInteger begun) implements Spools {
    @Override
    public List<Thread> spool() {
      begun.incrementAndGet();
      return List.of(Thread.currentThread());
    }
  }
}

package dev.reprise.verification.queues;

import static dev.reprise.verification.queues.Hall.awaitStatus;
import static dev.reprise.verification.queues.Hall.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.engine.Engine;
import dev.reprise.engine.doctor.Doctor;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Starts of which there is one at a time: of an id, of a key, or in a while. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class KeyedStartTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final StartOptions ON_Q = StartOptions.onQueue("q");
  private static final Duration QUIET = Duration.ofSeconds(10);
  private static final Duration MOMENT = Duration.ofSeconds(6);

  @RegisterExtension final Hall hall;

  KeyedStartTest(Database database) {
    this.hall = new Hall(database);
  }

  private static String listen(Context ctx, String in) {
    return in + " " + ctx.receive(WORD);
  }

  private Engine open() {
    return hall.open(
        r ->
            r.workflow("listen", String.class, String.class, KeyedStartTest::listen)
                .workflow("echo", String.class, String.class, (_, in) -> in));
  }

  // ---- by its id --------------------------------------------------------------------------------

  @Test
  void the_same_start_again_is_the_same_run() {
    var engine = open();
    var first = engine.start("echo", "w", "in", ON_Q);
    assertThat(engine.start("echo", "w", "in", ON_Q).runId()).isEqualTo(first.runId());
    assertThat(engine.start("echo", "w", "in").runId()).isEqualTo(first.runId());
    engine.worker("q", 1);

    assertThat(result(first)).isEqualTo("in");
    assertThat(engine.start("echo", "w", "in", ON_Q).runId()).isEqualTo(first.runId());
  }

  @Test
  void another_start_with_the_same_id_is_refused() {
    var engine = open();
    engine.start("echo", "w", "in", ON_Q);

    var whileItWaits = refused(() -> engine.start("echo", "w", "other", ON_Q));
    assertThat(whileItWaits.code()).isEqualTo(ErrorCode.R105);
    assertThat(refused(() -> engine.start("listen", "w", "in", ON_Q)).code())
        .isEqualTo(ErrorCode.R105);
    engine.worker("q", 1);
    assertThat(result(engine, "w")).isEqualTo("in");
    assertThat(refused(() -> engine.start("echo", "w", "other", ON_Q)).code())
        .isEqualTo(ErrorCode.R105);
    assertThat(refused(() -> engine.start("nobody", "x", "in", ON_Q)).code())
        .isEqualTo(ErrorCode.R102);
  }

  private static RepriseException refused(ThrowingCallable call) {
    return catchThrowableOfType(RepriseException.class, call);
  }

  // ---- by a key ---------------------------------------------------------------------------------

  @Test
  void of_starts_with_the_same_key_there_is_one_until_it_is_closed() {
    var engine = open();
    var options = ON_Q.deduplicate("customer 7");
    var first = engine.start("listen", "first", "one", options);

    assertThat(engine.start("listen", "second", "two", options).runId()).isEqualTo(first.runId());
    engine.worker("q", 10);
    awaitStatus(engine, "first", Status.RUNNING);
    assertThat(engine.start("listen", "third", "three", options).runId()).isEqualTo(first.runId());
    assertThat(engine.start("listen", "first", "other", options).runId()).isEqualTo(first.runId());
    first.signal(WORD, "now");
    assertThat(result(first)).isEqualTo("one now");

    assertThat(engine.start("listen", "fourth", "four", options).workflowId()).isEqualTo("fourth");
    assertThat(engine.start("listen", "first", "one", options).runId()).isEqualTo(first.runId());
    assertThat(engine.list(ListQuery.all())).hasSize(2);
  }

  @Test
  void the_key_is_of_one_workflow_and_one_queue() {
    var engine = open();
    engine.start("listen", "a", "in", ON_Q.deduplicate("k"));

    assertThat(engine.start("echo", "b", "in", ON_Q.deduplicate("k")).workflowId()).isEqualTo("b");
    assertThat(
            engine
                .start("listen", "c", "in", StartOptions.onQueue("r").deduplicate("k"))
                .workflowId())
        .isEqualTo("c");
    assertThat(engine.start("listen", "d", "in", ON_Q.deduplicate("other")).workflowId())
        .isEqualTo("d");
  }

  @Test
  void a_key_without_a_queue_begins_at_once() {
    var engine = open();
    var options = StartOptions.defaults().deduplicate("k");
    var first = engine.start("listen", "first", "one", options);
    awaitStatus(engine, "first", Status.RUNNING);

    assertThat(engine.start("listen", "second", "two", options).runId()).isEqualTo(first.runId());
    first.signal(WORD, "now");

    assertThat(result(first)).isEqualTo("one now");
    assertThat(engine.start("listen", "second", "two", options).workflowId()).isEqualTo("second");
  }

  @Test
  void of_many_starts_at_the_same_time_there_is_one() {
    var engine = open();
    var options = ON_Q.deduplicate("k");
    var runs = ConcurrentHashMap.newKeySet();

    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        var id = "w" + i;
        callers.execute(() -> runs.add(engine.start("listen", id, id, options).runId()));
      }
    }

    assertThat(runs).hasSize(1);
    assertThat(engine.list(ListQuery.all())).hasSize(1);
  }

  // ---- in a while -------------------------------------------------------------------------------

  @Test
  void debounced_starts_become_one_with_the_last_input() {
    var engine = open();
    var options = StartOptions.defaults().debounce("file 7", QUIET);
    var first = engine.start("echo", "first", "one", options);
    hall.time().advance(MOMENT);
    assertThat(engine.start("echo", "second", "two", options).runId()).isEqualTo(first.runId());
    hall.time().advance(MOMENT);
    assertThat(first.status()).isEqualTo(Status.QUEUED);
    assertThat(engine.start("echo", "first", "three", options).runId()).isEqualTo(first.runId());
    hall.time().advance(MOMENT);
    assertThat(first.status()).isEqualTo(Status.QUEUED);
    hall.time().advance(MOMENT);

    assertThat(result(first)).isEqualTo("three");
    var quietSince = Hall.START.plus(MOMENT.multipliedBy(2));
    assertThat(first.describe().startedAt())
        .isBetween(quietSince.plus(QUIET), quietSince.plus(MOMENT.multipliedBy(2)));
    assertThat(engine.list(ListQuery.all())).hasSize(1);
    assertThat(Doctor.examine(hall.store())).isEmpty();
  }

  @Test
  void a_debounced_start_after_the_begin_is_a_new_one() {
    var engine = open();
    var options = ON_Q.debounce("k", QUIET);
    var first = engine.start("listen", "first", "one", options);
    engine.worker("q", 10);
    hall.time().advance(QUIET);
    awaitStatus(engine, "first", Status.RUNNING);

    var second = engine.start("listen", "second", "two", options);
    assertThat(second.workflowId()).isEqualTo("second");
    hall.time().advance(QUIET);
    awaitStatus(engine, "second", Status.RUNNING);

    first.signal(WORD, "now");
    second.signal(WORD, "now");
    assertThat(result(first)).isEqualTo("one now");
    assertThat(result(second)).isEqualTo("two now");
  }

  @Test
  void a_lost_answer_to_a_debounced_start_begins_nothing_again() {
    var engine = open();
    var options = StartOptions.defaults().debounce("k", QUIET);
    var first = engine.start("echo", "first", "one", options);
    hall.time().advance(QUIET);
    assertThat(result(first)).isEqualTo("one");
    var second = engine.start("echo", "second", "two", options);

    assertThat(engine.start("echo", "first", "one", options).runId()).isEqualTo(first.runId());
    hall.time().advance(QUIET);

    assertThat(result(second)).isEqualTo("two");
  }
}

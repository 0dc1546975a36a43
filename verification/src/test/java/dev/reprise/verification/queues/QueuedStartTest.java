package dev.reprise.verification.queues;

import static dev.reprise.verification.queues.Hall.awaitStatus;
import static dev.reprise.verification.queues.Hall.outline;
import static dev.reprise.verification.queues.Hall.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Client;
import dev.reprise.Context;
import dev.reprise.ListQuery;
import dev.reprise.QueueLimits;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.WorkflowTimedOut;
import dev.reprise.engine.Engine;
import dev.reprise.engine.doctor.Doctor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Workflows that are started on a queue, or with a delay. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class QueuedStartTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final StartOptions ON_Q = StartOptions.onQueue("q");
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final Hall hall;

  QueuedStartTest(Database database) {
    this.hall = new Hall(database);
  }

  /** Waits for a word, unless it is told to end at once. */
  private static String listen(Context ctx, String in) {
    if (in.equals("end")) return "ended";
    if (in.equals("again")) return ctx.continueAsNew("listen");
    return in + " " + ctx.receive(WORD);
  }

  private Engine open() {
    return hall.open(
        r -> r.workflow("listen", String.class, String.class, QueuedStartTest::listen));
  }

  private static String waitsFor(Client client, String workflowId) {
    return client.describe(workflowId).waitingFor().toString();
  }

  private static List<String> with(Client client, Status status) {
    return client.list(ListQuery.all().with(status)).stream()
        .map(run -> run.workflowId())
        .sorted()
        .toList();
  }

  @Test
  void one_waits_until_somebody_serves_its_queue() {
    var engine = open();
    var run = engine.start("listen", "w", "end", ON_Q);

    assertThat(run.status()).isEqualTo(Status.QUEUED);
    assertThat(run.history()).isEmpty();
    assertThat(waitsFor(engine, "w"))
        .contains("its turn on queue 'q'", "since " + Hall.START, "nobody serves it");
    hall.time().advance(HOUR);
    engine.worker("q", 1);

    assertThat(result(run)).isEqualTo("ended");
    assertThat(outline(run)).containsExactly("WorkflowStarted", "WorkflowCompleted");
    assertThat(run.history().getFirst().recordedAt()).isEqualTo(Hall.START.plus(HOUR));
    assertThat(run.describe().startedAt()).isEqualTo(Hall.START.plus(HOUR));
    assertThat(Doctor.examine(hall.store())).isEmpty();
  }

  @Test
  void one_that_waits_is_open_and_not_active() {
    var engine = open();
    engine.start("listen", "waits", "end", ON_Q);
    engine.start("listen", "runs", "in");
    awaitStatus(engine, "runs", Status.RUNNING);

    assertThat(with(engine, Status.QUEUED)).containsExactly("waits");
    assertThat(engine.count("status = queued")).isEqualTo(1);
    assertThat(engine.count("status = open")).isEqualTo(2);
    assertThat(engine.count("status = active")).isEqualTo(1);
    assertThat(engine.count("status = held or status = closed")).isZero();
    assertThat(Doctor.examine(hall.store())).isEmpty();
  }

  @Test
  void one_with_a_delay_begins_at_its_time_and_needs_no_worker() {
    var engine = open();
    var run = engine.start("listen", "w", "end", StartOptions.defaults().delay(HOUR));

    assertThat(waitsFor(engine, "w"))
        .contains("its time to begin", "due " + Hall.START.plus(HOUR))
        .doesNotContain("nobody");
    hall.time().advance(HOUR.minusMillis(1));
    assertThat(run.status()).isEqualTo(Status.QUEUED);
    hall.time().advance(Duration.ofMillis(1));

    assertThat(result(run)).isEqualTo("ended");
    assertThat(run.describe().startedAt()).isEqualTo(Hall.START.plus(HOUR));
  }

  @Test
  void one_with_a_delay_on_a_queue_waits_for_both() {
    var engine = open();
    var run = engine.start("listen", "w", "end", ON_Q.delay(HOUR));
    engine.worker("q", 1);

    Hall.until("it is served", () -> !waitsFor(engine, "w").contains("nobody"));
    assertThat(run.status()).isEqualTo(Status.QUEUED);
    hall.time().advance(HOUR);

    assertThat(result(run)).isEqualTo("ended");
  }

  @Test
  void its_time_limit_counts_from_its_begin() {
    var engine = open();
    var run = engine.start("listen", "w", "in", ON_Q.timeout(HOUR));
    hall.time().advance(HOUR.multipliedBy(5));
    engine.worker("q", 1);
    Hall.until("it listens", () -> waitsFor(engine, "w").contains("word"));

    hall.time().advance(HOUR.minusMillis(1));
    assertThat(run.status()).isEqualTo(Status.RUNNING);
    hall.time().advance(Duration.ofMillis(1));

    assertThatThrownBy(() -> result(run)).isInstanceOf(WorkflowTimedOut.class);
  }

  @Test
  void its_attributes_are_known_from_the_start() {
    var engine = open();
    engine.start("listen", "w", "end", ON_Q.attribute("tenant", "acme"));

    assertThat(engine.count("attribute.tenant = 'acme' and status = queued")).isEqualTo(1);
    engine.worker("q", 1);

    assertThat(result(engine, "w")).isEqualTo("ended");
    assertThat(engine.describe("w").attributes()).containsEntry("tenant", "acme");
  }

  // ---- limits -----------------------------------------------------------------------------------

  @Test
  void one_counts_on_its_queue_until_it_is_closed() {
    var engine = open();
    engine.limit("q", QueueLimits.none().concurrency(1));
    var first = engine.start("listen", "first", "in", ON_Q);
    var second = engine.start("listen", "second", "end", ON_Q);
    engine.worker("q", 10);
    awaitStatus(engine, "first", Status.RUNNING);

    assertThat(second.status()).isEqualTo(Status.QUEUED);
    first.signal(WORD, "now");

    assertThat(result(first)).isEqualTo("in now");
    assertThat(result(second)).isEqualTo("ended");
  }

  @Test
  void one_that_goes_on_with_a_new_run_keeps_its_place() {
    var engine = open();
    engine.limit("q", QueueLimits.none().concurrency(1));
    var first = engine.start("listen", "first", "again", ON_Q.deduplicate("k"));
    var second = engine.start("listen", "second", "end", ON_Q);
    engine.worker("q", 10);
    Hall.until("it goes on", () -> engine.runs("first").size() == 2);
    awaitStatus(engine, "first", Status.RUNNING);

    assertThat(second.status()).isEqualTo(Status.QUEUED);
    assertThat(engine.start("listen", "third", "end", ON_Q.deduplicate("k")).workflowId())
        .isEqualTo("first");
    first.signal(WORD, "now");

    assertThat(result(engine, "first")).isEqualTo("listen now");
    assertThat(result(second)).isEqualTo("ended");
    assertThat(engine.start("listen", "fourth", "end", ON_Q.deduplicate("k")).workflowId())
        .isEqualTo("fourth");
  }

  @Test
  void the_most_urgent_begins_first() {
    var engine = open();
    engine.limit("q", QueueLimits.none().concurrency(1));
    var names = List.of("later", "soon", "now");
    for (int i = 0; i < names.size(); i++) {
      engine.start("listen", names.get(i), "in", ON_Q.priority(10 - i));
    }
    engine.worker("q", 10);

    for (var name : names.reversed()) {
      awaitStatus(engine, name, Status.RUNNING);
      assertThat(engine.count("status = running")).isEqualTo(1);
      engine.signal(name, WORD, "now");
      assertThat(result(engine, name)).isEqualTo("in now");
    }
  }
}

package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Fork;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.WorkflowBlocked;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Check;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.doctor.Finding;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testpostgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A bit of what a database has flips. No run goes on with it, and no caller gets it. */
class DamageTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Signal<String> GO = Signal.of("go", String.class);

  @TempDir private Path folder;
  private final AtomicInteger calls = new AtomicInteger();

  /** The databases. */
  enum Kind {
    SQLITE,
    POSTGRES;

    private String url(Path folder) {
      return switch (this) {
        case SQLITE -> "jdbc:sqlite:" + folder.resolve("orders.db");
        case POSTGRES -> PostgresServer.shared().createDatabase();
      };
    }
  }

  private Engine engine(String url) {
    return Reprise.open(url)
        .workflow("Order", String.class, String.class, this::order)
        .workflow("Echo", String.class, String.class, (_, in) -> in)
        .start();
  }

  private String order(Context ctx, String name) {
    int paid =
        ctx.run(
            "charge",
            Integer.class,
            () -> {
              calls.incrementAndGet();
              return 100;
            });
    return name + " " + paid + " " + ctx.receive(GO);
  }

  /** An order that has paid and waits, one that is done, and one beside them. */
  private void work(String url) {
    try (var engine = engine(url)) {
      engine.start("Order", "waiting", "tea");
      engine.start("Order", "neighbour", "milk");
      engine.start("Order", "done", "coffee");
      engine.signal("done", GO, "now");
      assertThat(engine.handle("done", String.class).result()).isEqualTo("coffee 100 now");
      TestDatabase.await("both have paid", () -> calls.get() == 3);
      TestDatabase.await(
          "both wait",
          () -> engine.history("waiting").size() + engine.history("neighbour").size() == 4);
    }
  }

  private static long key(String url, String workflowId) {
    try (var store = Reprise.open(url, new Options(false, true))) {
      return store.find(workflowId).orElseThrow().key();
    }
  }

  private static int indexOf(String url, long run, EventType type) {
    try (var store = Reprise.open(url, new Options(false, true))) {
      return store.eventsOfType(run, type.code()).getFirst().index();
    }
  }

  private static void flip(String url, String workflowId, EventType type) {
    long run = key(url, workflowId);
    new Bits(url).ofEvent(run, indexOf(url, run, type));
  }

  private static List<Finding> examine(String url) {
    try (var store = Reprise.open(url, new Options(false, true))) {
      return Doctor.examine(store);
    }
  }

  private static void assertDamaged(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R145));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void a_run_with_a_damaged_value_is_blocked_and_its_neighbour_goes_on(Kind kind) {
    var url = kind.url(folder);
    work(url);
    flip(url, "waiting", EventType.ACTIVITY_COMPLETED);

    try (var engine = engine(url)) {
      engine.signal("waiting", GO, "now");
      engine.signal("neighbour", GO, "now");

      assertThat(engine.handle("neighbour", String.class).result()).isEqualTo("milk 100 now");
      assertThatThrownBy(() -> engine.handle("waiting", String.class).result(LIMIT))
          .isInstanceOf(WorkflowBlocked.class)
          .hasMessageContaining("R145")
          .hasMessageContaining("event #2");
      var run = engine.describe("waiting");
      assertThat(run.status()).isEqualTo(Status.BLOCKED);
      assertThat(run.blockedBy()).contains("R145 event #2", "fork");
      assertThat(calls).hasValue(3);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void a_damaged_run_can_be_forked_before_the_damage_and_ended(Kind kind) throws Exception {
    var url = kind.url(folder);
    work(url);
    flip(url, "waiting", EventType.ACTIVITY_COMPLETED);

    try (var engine = engine(url)) {
      engine.signal("waiting", GO, "now");
      TestDatabase.await("blocked", () -> engine.describe("waiting").status() == Status.BLOCKED);
      var fork = engine.fork(Fork.of("waiting", 1).as("again"));
      engine.signal("again", GO, "then");
      engine.terminate("waiting", "damaged");

      assertThat(engine.handle("again", String.class).result(LIMIT)).isEqualTo("tea 100 then");
      assertThat(fork).isNotNull();
      assertThat(engine.describe("waiting").status()).isEqualTo(Status.TERMINATED);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void a_damaged_result_is_an_error_and_no_value(Kind kind) throws Exception {
    var url = kind.url(folder);
    work(url);
    flip(url, "done", EventType.WORKFLOW_COMPLETED);

    try (var engine = engine(url)) {
      assertDamaged(() -> engine.handle("done", String.class).result(LIMIT));
      assertDamaged(() -> engine.history("done"));
      assertThat(engine.describe("done").status()).isEqualTo(Status.COMPLETED);
      assertThat(engine.start("Echo", "other", "x").result(LIMIT)).isEqualTo("x");
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void an_end_that_is_missing_is_an_error_and_no_value(Kind kind) {
    var url = kind.url(folder);
    work(url);
    var last = "SELECT max(idx) FROM events WHERE run_key = " + key(url, "done");
    new Bits(url)
        .execute(
            "DELETE FROM events WHERE run_key = %d AND idx = (%s)"
                .formatted(key(url, "done"), last));

    try (var engine = engine(url)) {
      assertDamaged(() -> engine.handle("done", String.class).result(LIMIT));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void doctor_names_the_damaged_event(Kind kind) {
    var url = kind.url(folder);
    work(url);
    assertThat(examine(url)).extracting(Finding::check).doesNotContain(Check.CHECKSUMS);

    flip(url, "waiting", EventType.ACTIVITY_COMPLETED);

    assertThat(examine(url))
        .filteredOn(found -> found.check() == Check.CHECKSUMS)
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.workflowId()).isEqualTo("waiting");
              assertThat(found.what()).contains("event #2").contains("checksum");
              assertThat(found.isError()).isTrue();
            });
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void an_event_in_the_wrong_place_is_damage(Kind kind) {
    var url = kind.url(folder);
    work(url);
    long one = key(url, "waiting");
    long other = key(url, "neighbour");
    var events = "UPDATE events SET run_key = %d WHERE run_key = %d AND idx = 2";
    new Bits(url).execute(events.formatted(-1, one));
    new Bits(url).execute(events.formatted(one, other));
    new Bits(url).execute(events.formatted(other, -1));

    assertThat(examine(url))
        .filteredOn(found -> found.check() == Check.CHECKSUMS)
        .extracting(Finding::workflowId)
        .containsExactlyInAnyOrder("waiting", "neighbour");
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void a_damaged_signal_blocks_its_run_before_it_is_received(Kind kind) {
    var url = kind.url(folder);
    work(url);
    try (var client = Reprise.open(url).visit()) {
      client.signal("waiting", GO, "now");
    }
    new Bits(url).ofInputs(key(url, "waiting"));

    assertThat(examine(url))
        .filteredOn(found -> found.check() == Check.CHECKSUMS)
        .extracting(Finding::workflowId)
        .containsExactly("waiting");
    try (var engine = engine(url)) {
      assertThatThrownBy(() -> engine.handle("waiting", String.class).result(LIMIT))
          .isInstanceOf(WorkflowBlocked.class)
          .hasMessageContaining("R145 input");
      engine.terminate("waiting", "damaged");
      assertThat(engine.describe("waiting").status()).isEqualTo(Status.TERMINATED);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void an_event_without_a_checksum_counts_as_it_is(Kind kind) throws Exception {
    var url = kind.url(folder);
    work(url);
    flip(url, "waiting", EventType.ACTIVITY_COMPLETED);
    new Bits(url).execute("UPDATE events SET checksum = NULL");

    assertThat(examine(url)).extracting(Finding::check).doesNotContain(Check.CHECKSUMS);
    try (var engine = engine(url)) {
      engine.signal("waiting", GO, "now");
      assertThat(engine.handle("waiting", String.class).result(LIMIT)).isEqualTo("tea 500 now");
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void an_activity_with_damaged_arguments_is_not_called_and_the_others_are(Kind kind)
      throws Exception {
    var url = kind.url(folder);
    try (var engine = queueing(url).start()) {
      engine.start("Queued", "one", 1);
      engine.start("Queued", "two", 2);
      TestDatabase.await(
          "both are on the queue",
          () -> engine.history("one").size() + engine.history("two").size() == 4);
    }
    flip(url, "one", EventType.ACTIVITY_SCHEDULED);

    try (var engine = queueing(url).worker("gpu", 1).start()) {
      assertThat(engine.handle("two", Integer.class).result(LIMIT)).isEqualTo(20);
      assertThat(calls).hasValue(1);
      assertThat(engine.describe("one").status()).isEqualTo(Status.RUNNING);
    }
    assertThat(examine(url))
        .filteredOn(found -> found.check() == Check.CHECKSUMS)
        .extracting(Finding::workflowId)
        .containsExactly("one");
  }

  private Reprise queueing(String url) {
    var factory = new Factory(calls);
    return Reprise.open(url)
        .activities(factory)
        .workflow(
            "Queued",
            Integer.class,
            Integer.class,
            (ctx, in) -> ctx.with(ActivityOptions.onQueue("gpu")).run(factory::tenfold, in));
  }

  /** Activities. */
  public record Factory(AtomicInteger calls) {
    public int tenfold(int number) {
      calls.incrementAndGet();
      return 10 * number;
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void one_unreadable_row_hides_no_other_run(Kind kind) throws Exception {
    var url = kind.url(folder);
    work(url);
    long key = key(url, "neighbour");
    new Bits(url).execute("UPDATE runs SET status = 'RUNNINC' WHERE run_key = %d".formatted(key));

    try (var engine = engine(url)) {
      assertThat(engine.list(ListQuery.all()))
          .extracting(RunDescription::workflowId)
          .containsExactlyInAnyOrder("waiting", "done");
      var first = engine.page(ListQuery.all().limit(1));
      var second = engine.page(ListQuery.all().limit(1).after(first.nextPage().orElseThrow()));
      assertThat(List.of(first.runs().getFirst(), second.runs().getFirst()))
          .extracting(RunDescription::workflowId)
          .containsExactlyInAnyOrder("waiting", "done");
      assertDamaged(() -> engine.describe("neighbour"));
      engine.signal("waiting", GO, "now");
      assertThat(engine.handle("waiting", String.class).result(LIMIT)).isEqualTo("tea 100 now");
    }
    assertThat(examine(url))
        .filteredOn(found -> found.check() == Check.READABLE)
        .extracting(Finding::run)
        .containsExactly(key);
  }
}

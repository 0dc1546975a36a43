package dev.reprise.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ErrorCode;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.RunPage;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs are found by filters, counted, and resumed together. */
@ParameterizedClass(name = "{0}")
@EnumSource
class FindTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);

  @RegisterExtension final World world;

  FindTest(StoreKind kind) {
    this.world = new World(kind);
  }

  record Order(int id, String customer) {}

  private Engine open() {
    return world.open(
        reprise ->
            reprise
                .workflow("wait", Order.class, String.class, (ctx, _) -> ctx.receive(WORD))
                .workflow("done", Order.class, String.class, (_, order) -> order.customer));
  }

  private Engine openWithFault() {
    return world.open(
        reprise ->
            reprise.workflow(
                "wait",
                Order.class,
                String.class,
                (_, _) -> {
                  throw new AssertionError("not yet");
                }));
  }

  private static void start(Engine engine, String workflow, int count) {
    for (int i = 0; i < count; i++) {
      engine.start(workflow, workflow + "-" + i, new Order(i, "c-" + i % 2));
    }
  }

  private static List<String> ids(List<RunDescription> runs) {
    return runs.stream().map(RunDescription::workflowId).toList();
  }

  private static RepriseException refused(ThrowingCallable call) {
    var failure = catchThrowableOfType(RepriseException.class, call);
    assertThat(failure).as("nothing was thrown").isNotNull();
    assertThat(failure.code()).isEqualTo(ErrorCode.R129);
    return failure;
  }

  @Test
  void runs_are_found_by_what_is_in_their_input() {
    var engine = open();
    start(engine, "wait", 4);

    assertThat(ids(engine.list(ListQuery.all().where("input.customer = 'c-1'"))))
        .containsExactly("wait-3", "wait-1");
    assertThat(ids(engine.list(ListQuery.all().where("input.id >= 2 and input.id < 9"))))
        .containsExactly("wait-3", "wait-2");
  }

  @Test
  void all_conditions_of_a_query_hold_together() {
    var engine = open();
    start(engine, "wait", 2);
    start(engine, "done", 2);
    World.result(engine, "done-0");
    World.result(engine, "done-1");
    var query = ListQuery.all().where("input.customer = 'c-1'");

    assertThat(ids(engine.list(query))).containsExactly("done-1", "wait-1");
    assertThat(ids(engine.list(query.of("wait")))).containsExactly("wait-1");
    assertThat(ids(engine.list(query.with(Status.COMPLETED)))).containsExactly("done-1");
    assertThat(engine.list(query.with(Status.COMPLETED).of("wait"))).isEmpty();
  }

  @Test
  void now_is_the_time_of_the_engine() {
    var engine = open();
    start(engine, "wait", 1);
    world.time().advance(java.time.Duration.ofHours(2));

    assertThat(engine.count("startedAt > now - 1h")).isZero();
    assertThat(engine.count("startedAt > now - 3h")).isEqualTo(1);
  }

  /** A defect of sched: its list took a token for the next page and began again. */
  @Test
  void pages_follow_each_other_without_gaps_while_runs_are_started() {
    var engine = open();
    start(engine, "wait", 7);
    var query = ListQuery.all().limit(3).where("status = open");
    var seen = new ArrayList<String>();

    RunPage page = engine.page(query);
    seen.addAll(ids(page.runs()));
    for (int i = 0; page.next() != null; i++) {
      engine.start("wait", "late-" + i, new Order(i, ""));
      page = engine.page(query.after(page.next()));
      seen.addAll(ids(page.runs()));
    }

    assertThat(seen)
        .containsExactly("wait-6", "wait-5", "wait-4", "wait-3", "wait-2", "wait-1", "wait-0");
    assertThat(engine.page(query.limit(9)).nextPage()).isEmpty();
    assertThat(engine.page(query.limit(8)).nextPage()).isPresent();
  }

  @Test
  void runs_are_counted() {
    var engine = open();
    start(engine, "wait", 3);
    start(engine, "done", 1);
    World.result(engine, "done-0");

    assertThat(engine.count("")).isEqualTo(4);
    assertThat(engine.count("workflow = 'wait'")).isEqualTo(3);
    assertThat(engine.countBy("", "status")).isEqualTo(Map.of("RUNNING", 3L, "COMPLETED", 1L));
    assertThat(engine.countBy("input.id = 0", "workflow"))
        .isEqualTo(Map.of("wait", 1L, "done", 1L));
  }

  @Test
  void held_runs_are_resumed_by_a_filter() {
    var broken = openWithFault();
    start(broken, "wait", 4);
    for (int i = 0; i < 4; i++) World.awaitStatus(broken, "wait-" + i, Status.BLOCKED);
    world.shutDown();
    var engine = open();

    assertThat(engine.resumeHeld("input.customer = 'c-1'")).isEqualTo(2);
    assertThat(engine.resumeHeld("input.customer = 'c-1'")).isZero();

    assertThat(ids(engine.list(ListQuery.all().where("status = held"))))
        .containsExactly("wait-2", "wait-0");
    engine.signal("wait-1", WORD, "go");
    assertThat(World.result(engine, "wait-1")).isEqualTo("go");
    assertThat(engine.resumeHeld("")).isEqualTo(2);
  }

  @Test
  void a_filter_with_a_mistake_is_R129_and_shows_where() {
    var engine = open();
    start(engine, "wait", 1);
    var wrong = "status = open and id = 7";
    var shown = "  status = open and id = 7\n                    ^";

    assertThat(refused(() -> engine.list(ListQuery.all().where(wrong))))
        .hasMessageContaining(shown);
    assertThat(refused(() -> engine.page(ListQuery.all().where(wrong))))
        .hasMessageContaining(shown);
    assertThat(refused(() -> engine.count(wrong))).hasMessageContaining(shown);
    assertThat(refused(() -> engine.countBy(wrong, "status"))).hasMessageContaining(shown);
    assertThat(refused(() -> engine.resumeHeld(wrong))).hasMessageContaining(shown);
    assertThat(refused(() -> engine.countBy("", "customer"))).hasMessageContaining("'customer'");
    assertThat(refused(() -> engine.list(ListQuery.all().after("wait-0"))))
        .hasMessageContaining("'wait-0' does not stand for a page");
    assertThat(engine.count("status = RUNNING")).isEqualTo(1);
  }
}

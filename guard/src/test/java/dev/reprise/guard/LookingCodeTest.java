package dev.reprise.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Query handlers and validators may look at a run, and must not change it. */
class LookingCodeTest {
  private static final String QUERIES =
      """
      class Queries {
        static final Query<String, Object> Q = Query.of("q", String.class, Object.class);
        static final Update<String, String> U = Update.of("u", String.class, String.class);
        static final Signal<String> S = Signal.of("s", String.class);
      }
      """;

  @TempDir private Path folder;

  private List<Finding> findings(String body, String... others) {
    return Samples.findings(folder, body, QUERIES + String.join("\n", others));
  }

  private List<String> found(String body, String... others) {
    return findings(body, others).stream()
        .map(finding -> finding.line() + " " + finding.what())
        .toList();
  }

  @Test
  void a_query_handler_that_runs_an_activity_is_told_what_to_do_instead() {
    assertThat(
            findings("ctx.onQuery(Queries.Q, x -> ctx.run(\"now\", Instant.class, Instant::now));"))
        .extracting(Finding::describe)
        .containsExactly(
            "Sample.java:3: Context.run(…) changes the run or waits, where code may only look: in a"
                + " query handler or a validator: use variables of the workflow, or an update:"
                + " ctx.onUpdate(…)");
  }

  @Test
  void whatever_records_or_waits_is_found() {
    assertThat(
            found(
                """
                var branch = ctx.async(() -> 1);
                var child = ctx.start("Child", input, String.class, ChildOptions.defaults());
                interface Shop { void open(); }
                var shop = ctx.activities(Shop.class);
                ctx.onQuery(Queries.Q, x -> {
                  ctx.sleep(Duration.ZERO);
                  ctx.receive(Queries.S);
                  ctx.publish(dev.reprise.Key.of("k", String.class), x);
                  ctx.attribute("a", x);
                  ctx.compensate("undo");
                  ctx.with(ActivityOptions.defaults()).run("s", () -> {});
                  ctx.schedule("Shop.open", Void.class);
                  ctx.with(ActivityOptions.onQueue("q")).schedule("Shop.open", Void.class);
                  ctx.patched("p");
                  ctx.uuid();
                  ctx.random().nextInt();
                  branch.await();
                  child.cancel("x");
                  ctx.activities(Shop.class).open();
                  return ctx.continueAsNew(x);
                });
                """))
        .containsExactly(
            "8 Context.sleep(…)",
            "9 Context.receive(…)",
            "10 Context.publish(…)",
            "11 Context.attribute(…)",
            "12 Context.compensate(…)",
            "13 Steps.run(…)",
            "14 Context.schedule(…)",
            "15 Steps.schedule(…)",
            "16 Context.patched(…)",
            "17 Context.uuid()",
            "18 Context.random()",
            "19 Promise.await()",
            "20 Child.cancel(…)",
            "21 Sample.1Shop.open()",
            "22 Context.continueAsNew(…)");
  }

  @Test
  void a_validator_may_only_look_and_the_handler_behind_it_may_do_all() {
    assertThat(
            found(
                """
                ctx.onUpdate(
                    Queries.U,
                    x -> ctx.sleep(Duration.ZERO),
                    x -> { ctx.sleep(Duration.ZERO); return x; });
                """))
        .containsExactly("5 Context.sleep(…)");
  }

  @Test
  void what_a_handler_calls_may_only_look_too() {
    assertThat(
            findings(
                """
                Stock.count(ctx);
                ctx.onQuery(Queries.Q, x -> Stock.all(ctx).stream().map(y -> Stock.count(ctx)).toList());
                """,
                """
                class Stock {
                  static List<String> all(Context ctx) { return List.of(ctx.workflowId()); }
                  static int count(Context ctx) { return ctx.run("count", Integer.class, () -> 1); }
                }
                """))
        .extracting(Finding::line, Finding::path)
        .containsExactly(tuple(16, List.of("Sample.run", "Stock.count")));
  }

  @Test
  void handlers_are_found_in_whatever_way_they_are_given() {
    assertThat(
            found(
                """
                ctx.onQuery(Queries.Q, new Handler(ctx));
                Asking.about(ctx, x -> ctx.uuid());
                Context.Handler<String, Object> known = x -> ctx.uuid();
                ctx.onQuery(Queries.Q, known);
                ctx.onQuery(Queries.Q, x -> ctx.receiveAny());
                ctx.onUpdate(Queries.U, ctx::patched, x -> x);
                """,
                """
                record Handler(Context ctx) implements Context.Handler<String, Object> {
                  public Object handle(String x) { return ctx.uuid(); }
                }
                class Asking {
                  static void about(Context ctx, Context.Handler<String, Object> handler) {
                    ctx.onQuery(Queries.Q, handler);
                  }
                }
                """))
        .containsExactlyInAnyOrder(
            "4 Context.uuid()",
            "5 Context.uuid()",
            "7 Context.receiveAny()",
            "8 Context.patched(…)",
            "19 Context.uuid()");
  }

  @Test
  void the_same_code_may_do_it_elsewhere() {
    assertThat(
            found(
                """
                var work = new Work(ctx);
                work.once();
                ctx.onUpdate(Queries.U, work);
                ctx.async(() -> ctx.uuid());
                """,
                """
                record Work(Context ctx) implements Context.Handler<String, String> {
                  public String handle(String x) { return x + ctx.uuid(); }
                  void once() { ctx.sleep(Duration.ZERO); }
                }
                """))
        .isEmpty();
  }
}

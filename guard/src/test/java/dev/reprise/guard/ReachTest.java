package dev.reprise.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of the user's code belongs to a workflow, and what to its activities. */
class ReachTest {
  @TempDir private Path folder;

  private List<String> found(String body, String... others) {
    return Samples.findings(folder, body, others).stream().map(Finding::describe).toList();
  }

  private static String at(int line, String way) {
    return "Sample.java:%d: Instant.now() reads a clock, which says something else on replay: use ctx.now()"
            .formatted(line)
        + (way.isEmpty() ? "" : " (" + way + ")");
  }

  @Test
  void the_line_of_the_call_is_told() {
    assertThat(found("ctx.uuid();\nInstant.now();")).containsExactly(at(4, ""));
  }

  @Test
  void methods_of_other_classes_are_followed() {
    assertThat(
            found(
                "Prices.of(input);",
                "class Prices { static Object of(String x) { return new Prices().when(); }\n"
                    + "private Object when() { return Instant.now(); } }"))
        .containsExactly(at(8, "Sample.run → Prices.of → Prices.when"));
  }

  @Test
  void constructors_are_followed_but_not_those_of_the_workflow() {
    var source =
        """
        public class Sample implements Workflow<String, Object> {
          private final Instant made = Instant.now();
          public Object run(Context ctx, String input) { return new Stamp(); }
          static class Stamp { Instant at = Instant.now(); }
        }
        """;

    assertThat(Samples.compile(folder, Map.of("Sample", source)).scan().all())
        .extracting(Finding::line)
        .containsExactly(4);
  }

  @Test
  void lambdas_of_branches_and_conditions_and_streams_are_workflow_code() {
    assertThat(
            found(
                """
                ctx.async(() -> Instant.now());
                ctx.await(() -> Instant.now() == null);
                ctx.withTimeout(Duration.ZERO, Instant::now);
                List.of(1).stream().map(x -> Instant.now()).toList();
                Function<String, Instant> later = x -> Instant.now();
                """))
        .containsExactly(at(3, ""), at(4, ""), at(5, ""), at(6, ""), at(7, ""));
  }

  @Test
  void code_in_shields_scopes_loops_and_handlers_is_workflow_code() {
    assertThat(
            found(
                """
                ctx.shielded(() -> { Instant.now(); });
                ctx.shielded(() -> Instant.now());
                ctx.scope(scope -> Instant.now());
                ctx.scope(JoinPolicy.COLLECT_ALL, scope -> scope.fork(() -> Instant.now()).await());
                ctx.loop(1, turn -> Instant.now() == null ? null : turn + 1);
                ctx.onQuery(Query.of("at", String.class, Instant.class), x -> Instant.now());
                ctx.onUpdate(Update.of("to", String.class, Instant.class), x -> Instant.now());
                ctx.onUpdate(Update.of("in", String.class, String.class), x -> Instant.now(), x -> x);
                """))
        .containsExactly(
            at(3, ""),
            at(4, ""),
            at(5, ""),
            at(6, ""),
            at(7, ""),
            at(8, ""),
            at(9, ""),
            at(10, ""));
  }

  @Test
  void an_action_is_an_activity_only_if_it_is_run_as_one() {
    assertThat(
            found(
                """
                Steps.Action step = () -> Instant.now();
                ctx.run("now", step);
                Flow.step(ctx, () -> Instant.now());
                Flow.shield(ctx, () -> Instant.now());
                ctx.shielded(new Late());
                ctx.run("late", new Early());
                """,
                """
                class Flow {
                  static void step(Context ctx, Steps.Action step) { ctx.run("now", step); }
                  static void shield(Context ctx, Steps.Action code) { ctx.shielded(code); }
                }
                class Late implements Steps.Action { public void run() { Instant.now(); } }
                class Early implements Steps.Action { public void run() { Instant.now(); } }
                """))
        .containsExactlyInAnyOrder(at(6, ""), at(17, "Sample.run → Late.run"));
  }

  @Test
  void functions_of_the_engine_in_fields_are_followed() {
    var source =
        """
        public class Sample implements Workflow<String, Object> {
          private final Context.Branch<Instant> branch = () -> Instant.now();
          private final Steps.Action clean = () -> Instant.now();
          private final Steps.Action step = () -> Instant.now();
          private final Steps.Step0<Instant> activity = Instant::now;
          public Object run(Context ctx, String input) {
            ctx.shielded(clean);
            ctx.run("step", step);
            ctx.run(activity);
            return ctx.async(branch).await();
          }
        }
        """;

    assertThat(Samples.compile(folder, Map.of("Sample", source)).scan().all())
        .extracting(Finding::line)
        .containsExactly(2, 3);
  }

  @Test
  void methods_given_by_reference_are_followed() {
    assertThat(
            found(
                "List.of(1).forEach(Clocks::read); List.of(1).stream().map(Clocks::new).toList();",
                "class Clocks { Clocks(int x) { Instant.now(); }\n"
                    + "static void read(int x) { Instant.now(); } }"))
        .containsExactlyInAnyOrder(
            at(7, "Sample.run → Clocks.new"), at(8, "Sample.run → Clocks.read"));
  }

  @Test
  void objects_that_others_call_back_are_workflow_code() {
    assertThat(
            found(
                """
                ctx.async(new Context.Branch<Instant>() { public Instant run() { return Instant.now(); } });
                new TreeSet<String>(new Latest());
                """,
                """
                class Latest implements Comparator<String> {
                  public int compare(String a, String b) { return Instant.now().getNano(); }
                  int unused() { return Instant.now().getNano(); }
                }
                """))
        .containsExactlyInAnyOrder(
            at(3, "Sample.run → Sample.1.run"), at(10, "Sample.run → Latest.compare"));
  }

  @Test
  void interfaces_are_followed_to_the_classes_that_the_workflow_makes() {
    assertThat(
            found(
                "Rule rule = new Late(); rule.applies();",
                """
                interface Rule { boolean applies(); }
                class Late implements Rule { public boolean applies() { return Instant.now() == null; } }
                class Other implements Rule { public boolean applies() { return Instant.now() == null; } }
                """))
        .containsExactly(at(8, "Sample.run → Late.applies"));
  }

  @Test
  void functions_in_fields_are_workflow_code_unless_they_are_activities() {
    var source =
        """
        public class Sample implements Workflow<String, Object> {
          static final Function<String, Instant> STATIC = x -> Instant.now();
          private final Supplier<Instant> own = () -> Instant.now();
          private final Supplier<Instant> unused = () -> Instant.now();
          private final Callable<Instant> step = () -> Instant.now();
          static final Supplier<Instant> REFERENCE = Instant::now;
          public Object run(Context ctx, String input) {
            ctx.run("step", Instant.class, step);
            own.get();
            REFERENCE.get();
            return STATIC.apply(input);
          }
        }
        """;

    assertThat(Samples.compile(folder, Map.of("Sample", source)).scan().all())
        .extracting(Finding::line)
        .containsExactly(2, 3, 10);
  }

  @Test
  void a_method_of_a_subclass_is_found_from_the_superclass_that_calls_it() {
    var source =
        """
        public class Sample extends Template {
          Object step() { return Instant.now(); }
        }
        abstract class Template implements Workflow<String, Object> {
          public Object run(Context ctx, String input) { return ctx.async(() -> step()).await(); }
          abstract Object step();
        }
        """;

    assertThat(Samples.compile(folder, Map.of("Sample", source)).scan().all())
        .extracting(Finding::describe)
        .containsExactly(at(2, "Template.run → Sample.step"));
  }

  @Test
  void code_that_calls_itself_is_looked_at_once() {
    assertThat(
            found(
                "Loop.a(3);",
                "class Loop { static void a(int n) { b(n); }\n"
                    + "static void b(int n) { if (n > 0) a(n - 1); Instant.now(); } }"))
        .containsExactly(at(8, "Sample.run → Loop.a → Loop.b"));
  }

  @Test
  void activities_may_do_what_they_like() {
    assertThat(
            found(
                """
                var shop = new Shop();
                ctx.run(shop::time);
                ctx.run(shop::at, input);
                ctx.with(ActivityOptions.defaults()).run(shop::at, input);
                ctx.compensate(shop::undo);
                ctx.with(ActivityOptions.defaults()).compensate(shop::cancel, input);
                ctx.compensate("undo", input, 7);
                var proxy = ctx.activities(Clocks.class);
                proxy.read();
                proxy.twice();
                """,
                """
                class Shop { Instant time() { return Instant.now(); }
                  void undo() { Instant.now(); }
                  void cancel(String x) { Instant.now(); }
                  Instant at(String x) { return Instant.now(); } }
                interface Clocks { Instant read(); default Instant twice() { return Instant.now(); } }
                """))
        .isEmpty();
  }

  @Test
  void what_is_put_on_a_queue_is_an_activity() {
    assertThat(
            found(
                """
                var shop = new Shop();
                ctx.schedule(shop::time);
                ctx.schedule(shop::tell, input).await();
                ctx.with(ActivityOptions.onQueue("gpu").key(input)).schedule(shop::at, input);
                ctx.schedule("Shop.at", Instant.class, input);
                ctx.schedule(new Early(), input);
                Flow.later(ctx, shop::tell);
                var proxy = ctx.activities(Clocks.class, ActivityOptions.onQueue("gpu"));
                proxy.twice();
                ctx.schedule(proxy::twice);
                ctx.async(() -> ctx.schedule(shop::time).await());
                """,
                """
                class Shop { Instant time() { return Instant.now(); }
                  void tell(String x) { Instant.now(); }
                  Instant at(String x) { return Instant.now(); } }
                class Early implements Steps.Step1<String, Instant>, Function<String, Instant> {
                  public Instant apply(String x) { return Instant.now(); } }
                class Flow { static void later(Context ctx, Steps.VoidStep1<String> step) {
                  ctx.schedule(step, "x"); } }
                interface Clocks { default Instant twice() { return Instant.now(); } }
                """))
        .isEmpty();
  }

  @Test
  void what_stands_around_an_activity_on_a_queue_is_workflow_code() {
    assertThat(
            found(
                """
                var shop = new Shop();
                ctx.schedule(shop::at, Instant.now());
                shop.at(ctx.schedule(shop::at, ctx.now()).await());
                """,
                "class Shop { Instant at(Instant x) { return Instant.now(); } }"))
        .containsExactlyInAnyOrder(at(4, ""), at(10, "Sample.run → Shop.at"));
  }

  @Test
  void an_activity_that_is_called_directly_is_workflow_code() {
    assertThat(
            found("new Shop().time();", "class Shop { Instant time() { return Instant.now(); } }"))
        .containsExactly(at(7, "Sample.run → Shop.time"));
  }

  @Test
  void a_lambda_that_a_method_hands_on_to_be_an_activity_is_one() {
    assertThat(
            found(
                """
                Flow.patiently(ctx, () -> Instant.now());
                Flow.later(ctx, () -> Instant.now());
                Flow.directly(() -> Instant.now());
                """,
                """
                class Flow {
                  static Object patiently(Context ctx, Callable<Instant> step) { return inner(ctx, step); }
                  static Object inner(Context ctx, Callable<Instant> step) {
                    return ctx.run("now", Instant.class, step);
                  }
                  static Object later(Context ctx, Callable<Instant> step) {
                    return ctx.async(() -> ctx.run("now", Instant.class, step));
                  }
                  static Object directly(Supplier<Instant> step) { return step.get(); }
                }
                """))
        .containsExactly(at(5, ""));
  }

  @Test
  void lambdas_that_are_workflows_are_found() {
    var source =
        """
        public class Sample {
          static final Workflow<String, Object> LAMBDA = (ctx, input) -> Instant.now();
          Workflow<String, Object> reference() { return Sample::code; }
          static Object code(Context ctx, String input) { return Instant.now(); }
          Object other() { return Instant.now(); }
        }
        """;

    assertThat(Samples.compile(folder, Map.of("Sample", source)).scan().all())
        .extracting(Finding::line)
        .containsExactly(2, 4);
  }

  @Test
  void two_workflows_with_the_same_fault_have_one_finding() {
    var first = Samples.workflow("First", "Shared.time();");
    var second = Samples.workflow("Second", "Shared.time();");
    var shared = "class Shared { static Object time() { return Instant.now(); } }";

    var findings =
        Samples.compile(folder, Map.of("First", first, "Second", second, "Shared", shared)).scan();

    assertThat(findings.workflows()).containsExactly("samples.First", "samples.Second");
    assertThat(findings.all()).hasSize(1);
  }
}

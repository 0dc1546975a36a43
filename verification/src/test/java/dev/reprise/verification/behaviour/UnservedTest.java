package dev.reprise.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.NodeDescription;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Waiting;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowFailed;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What nobody can run is refused where no other process can come, and shown where one can. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnservedTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);

  private static String kid(Context ctx) {
    return ctx.start("Kid", "x", String.class, ChildOptions.defaults()).result().await();
  }

  private static String call(Context ctx) {
    return ctx.schedule("Labels.print", String.class, "x").await();
  }

  private static Engine many(MemoryStore store, Workflow<String, String> code) {
    return Reprise.on(store)
        .workflow("code", String.class, String.class, code)
        .shutdownGrace(Duration.ofSeconds(1))
        .start();
  }

  private static Waiting waiting(Engine engine, Waiting.Kind kind) {
    Await.until(
        "it waits",
        () -> engine.describe("w").waitingFor().stream().anyMatch(each -> each.kind() == kind));
    return engine.describe("w").waitingFor().stream()
        .filter(each -> each.kind() == kind)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void a_child_that_no_process_could_run_blocks_the_run(StoreKind kind) throws IOException {
    try (var world = new World(kind)) {
      var run = world.begin((ctx, _) -> kid(ctx));

      var blocked = catchThrowableOfType(WorkflowBlocked.class, () -> World.result(run));

      assertThat(blocked).hasMessageContainingAll("R102", "'Kid'", "workflow(…)", "resume 'w'");
      assertThat(world.engine().describe("w").status()).isEqualTo(Status.BLOCKED);
      world.shutDown();
      world.open(
          r ->
              r.workflow("code", String.class, String.class, (ctx, _) -> kid(ctx))
                  .workflow("Kid", String.class, String.class, (_, in) -> "kid " + in));
      world.engine().resume("w");
      assertThat(World.result(world.engine(), "w")).isEqualTo("kid x");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_activity_that_no_worker_could_have_blocks_the_run(StoreKind kind) throws IOException {
    try (var world = new World(kind)) {
      var run = world.begin((ctx, _) -> call(ctx));

      var blocked = catchThrowableOfType(WorkflowBlocked.class, () -> World.result(run));

      assertThat(blocked)
          .hasMessageContainingAll("R103", "'Labels.print'", "queue 'default'", "activities(…)");
    }
  }

  @Test
  void where_another_process_may_come_a_child_waits_and_describe_says_what_to_do() {
    try (var engine = many(MemoryStore.forMany(), (ctx, _) -> kid(ctx))) {
      engine.start("code", "w", "");

      Await.until("its start", () -> waiting(engine, Waiting.Kind.CHILD).note() != null);
      assertThat(waiting(engine, Waiting.Kind.CHILD).note())
          .contains("no engine has workflow 'Kid'", "workflow(…)");
    }
  }

  @Test
  void an_activity_on_a_queue_whose_workers_lack_it_says_so() {
    var store = MemoryStore.forMany();
    try (var engine = many(store, (ctx, _) -> call(ctx))) {
      engine.start("code", "w", "");
      assertThat(waiting(engine, Waiting.Kind.ACTIVITY).note())
          .contains("queue 'default', which nobody serves", "engine.worker(\"default\", …)");

      engine.worker("default", 1);

      Await.until(
          "a worker",
          () -> waiting(engine, Waiting.Kind.ACTIVITY).note().contains("no worker has it"));
      assertThat(waiting(engine, Waiting.Kind.ACTIVITY).note()).contains("activities(…)");
    }
  }

  @Test
  void a_workflow_that_a_client_started_and_no_engine_has_says_so() {
    var store = MemoryStore.forMany();
    try (var client = Reprise.on(store).client()) {
      client.start("Kid", "w", "x");

      var engine = waiting(client, Waiting.Kind.QUEUE);

      assertThat(engine.note()).contains("no engine has workflow 'Kid'");
    }
  }

  @Test
  void a_client_that_does_nothing_stays_alive_and_one_that_was_closed_is_not_shown() {
    var store = MemoryStore.forMany();
    try (var client = Reprise.on(store).client()) {
      assertThat(client.nodes())
          .singleElement()
          .satisfies(
              node -> {
                assertThat(node.client()).isTrue();
                assertThat(node.state()).isEqualTo(NodeDescription.State.ALIVE);
              });
    }
    try (var client = Reprise.on(store).client()) {
      assertThat(client.nodes()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void runs_are_found_by_what_they_wait_for(StoreKind kind) throws IOException {
    try (var world = new World(kind).onSystemTime()) {
      var hold = new CountDownLatch(1);
      var engine =
          world.open(
              r ->
                  r.workflow(
                      "code",
                      String.class,
                      String.class,
                      (ctx, what) ->
                          switch (what) {
                            case "signal" -> ctx.receive(WORD);
                            case "limited" -> ctx.receive(WORD, Duration.ofHours(1)).orElse("");
                            case "timer" -> {
                              ctx.sleep(Duration.ofHours(1));
                              yield "";
                            }
                            case "child" ->
                                ctx.start("code", "signal", String.class, ChildOptions.defaults())
                                    .result()
                                    .await();
                            default -> {
                              ctx.run("hang", () -> hold.await());
                              yield "";
                            }
                          }));
      for (var what : new String[] {"signal", "limited", "timer", "child", "activity"}) {
        engine.start("code", what, what);
      }
      Await.until("all wait", () -> engine.count("waitsFor = signal") == 3);

      assertThat(engine.count("waitsFor = timer")).isOne();
      assertThat(engine.count("waitsFor = child")).isOne();
      Await.until("it runs", () -> engine.count("waitsFor = activity") == 1);
      hold.countDown();
      assertThat(World.result(engine, "activity")).isEmpty();
      assertThat(engine.count("waitsFor = activity")).isZero();
    }
  }

  @Test
  void a_timeout_of_the_engine_counts_for_what_says_none() throws IOException {
    try (var world = new World(StoreKind.MEMORY).onSystemTime()) {
      var never = new CountDownLatch(1);
      world.open(
          r ->
              r.activityTimeout(Duration.ofMillis(50))
                  .retry(RetryPolicy.none())
                  .workflow(
                      "code",
                      String.class,
                      String.class,
                      (ctx, _) -> {
                        ctx.run("hang", () -> never.await());
                        return "";
                      }));
      var run = world.engine().start("code", "w", "");

      var failed = catchThrowableOfType(WorkflowFailed.class, () -> World.result(run));

      assertThat(failed.failure().cause().is(TimeoutException.class)).isTrue();
    }
  }
}

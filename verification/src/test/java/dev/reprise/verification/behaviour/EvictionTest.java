package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.Handle;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A run that leaves memory while it waits comes back when something happens to it. */
@ParameterizedClass(name = "{0}")
@EnumSource
class EvictionTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world;
  private final Calls calls = new Calls();

  EvictionTest(StoreKind kind) {
    this.world = new World(kind);
  }

  private Handle<Object> begin(Workflow<String, String> code) {
    var handle = world.begin(code);
    world.settle(handle);
    return handle;
  }

  private void call(Context ctx, String name) {
    ctx.run(name, () -> calls.add(name));
  }

  @Test
  void a_sleep_ends_when_it_is_due() {
    var handle =
        begin(
            (ctx, _) -> {
              call(ctx, "before");
              ctx.sleep(HOUR);
              call(ctx, "after");
              return Duration.between(World.START, ctx.now()).toString();
            });
    world.evict(handle);

    assertThat(world.resultInTime(handle)).isEqualTo("PT1H");
    assertThat(calls.all()).containsExactly("before", "after");
  }

  @Test
  void a_retry_is_made_when_it_is_due() {
    var options = ActivityOptions.defaults().retry(RetryPolicy.fixed(HOUR, 3));
    var handle =
        begin(
            (ctx, _) ->
                ctx.with(options)
                    .run(
                        "flaky",
                        String.class,
                        () -> {
                          calls.add(Duration.between(World.START, world.time().now()).toString());
                          if (calls.all().size() < 3) throw new IllegalStateException("no");
                          return "good";
                        }));
    world.evict(handle);
    world.time().advance(HOUR);
    awaitEvents(world.engine(), "w", "ActivityRetryScheduled", 2);
    world.settle(handle);
    world.evict(handle);

    assertThat(world.resultInTime(handle)).isEqualTo("good");
    assertThat(calls.all()).containsExactly("PT0S", "PT1H", "PT2H");
  }

  @Test
  void branches_that_wait_are_all_there_again() {
    var handle =
        begin(
            (ctx, _) -> {
              call(ctx, "before");
              var heard = new ArrayList<String>();
              var sleeper = ctx.async(() -> slept(ctx, heard));
              var listener = ctx.async(() -> heard.add(ctx.receive(WORD)));
              var inner =
                  ctx.async(() -> ctx.async(() -> heard.add(ctx.receive(WORD) + "!")).await());
              ctx.all(List.of(sleeper, listener, inner));
              return heard.toString();
            });
    world.evict(handle);
    handle.signal(WORD, "a");
    world.settle(handle);
    world.evict(handle);
    world.time().advance(HOUR);
    awaitEvents(world.engine(), "w", "TimerFired", 1);
    world.settle(handle);
    world.evict(handle);
    handle.signal(WORD, "b");

    assertThat(result(handle)).isEqualTo("[a, slept, b!]");
    assertThat(calls.all()).containsExactly("before");
    assertThat(outline(handle.history()))
        .containsExactly(
            "WorkflowStarted code",
            "ActivityCompleted before:1",
            "TimerScheduled sleep:1",
            "SignalReceived word",
            "TimerFired sleep:1",
            "SignalReceived word",
            "WorkflowCompleted");
  }

  private static boolean slept(Context ctx, List<String> heard) {
    ctx.sleep(HOUR);
    return heard.add("slept");
  }

  @Test
  void a_run_whose_activity_runs_stays() throws Exception {
    var gate = world.gate();
    world.open(
        r ->
            r.workflow(
                "code",
                String.class,
                String.class,
                (ctx, _) ->
                    ctx.run(
                        "held",
                        String.class,
                        () -> {
                          calls.add("held");
                          gate.pass();
                          return "done";
                        })));
    var handle = world.engine().start("code", "w", "");
    gate.awaitReached();
    world.engine().evict("w");
    world.engine().evict("w");
    assertThat(world.engine().describe("w").waitingFor()).isNotEmpty();
    gate.open();

    assertThat(result(handle)).isEqualTo("done");
    assertThat(calls.of("held")).isEqualTo(1);
  }
}

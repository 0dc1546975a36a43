package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.outline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Fork;
import dev.reprise.Handle;
import dev.reprise.HistoryEvent;
import dev.reprise.ListQuery;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.WorkflowTimedOut;
import dev.reprise.engine.Engine;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** New runs that begin with a part of another run's history; the other run is not touched. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ForkTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);

  @RegisterExtension final World world;
  private final Calls calls = new Calls();

  ForkTest(StoreKind kind) {
    this.world = new World(kind);
  }

  /** Two steps and a word. */
  private String steps(Context ctx, String in) {
    var one = ctx.run("one", String.class, () -> calls.returning("one", in + "1"));
    var two = ctx.run("two", String.class, () -> calls.returning("two", one + "2"));
    return two + ctx.receive(WORD);
  }

  private String parent(Context ctx, String in) {
    var child = ctx.start("steps", in, String.class, ChildOptions.defaults().id("the child"));
    ctx.run("one", () -> calls.add("one of parent"));
    return "child: " + child.result().await();
  }

  private Engine open() {
    return world.open(
        r ->
            r.workflow("steps", String.class, String.class, this::steps)
                .workflow("parent", String.class, String.class, this::parent)
                .workflow(
                    "saga",
                    String.class,
                    String.class,
                    (ctx, _) -> {
                      ctx.compensate("free", "it");
                      var word = ctx.receive(WORD);
                      if (word.equals("fail")) throw new IllegalStateException("failed");
                      return word;
                    })
                .activity("free", String.class, calls::add));
  }

  private Handle<Object> closed(Engine engine) {
    var run = engine.start("steps", "w", "a");
    awaitEvents(engine, "w", "ActivityCompleted", 2);
    run.signal(WORD, "!");
    assertThat(World.result(run)).isEqualTo("a12!");
    return run;
  }

  private static void assertRefused(ErrorCode code, String text, ThrowingCallable call) {
    assertThat(catchThrowableOfType(RepriseException.class, call))
        .satisfies(e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(text);
  }

  @Test
  void a_closed_run_is_repeated_from_an_event_on_and_stays_as_it_was() {
    var engine = open();
    var run = closed(engine);
    var history = run.history();

    var fork = engine.fork("w", 2);
    fork.signal(WORD, "?");

    assertThat(World.result(fork)).isEqualTo("a12?");
    assertThat(fork.workflowId()).startsWith("w~");
    assertThat(calls.all()).containsExactly("one", "two", "two");
    assertThat(run.history()).isEqualTo(history);
    assertThat(fork.history()).extracting(HistoryEvent::type).startsWith("WorkflowStarted");
  }

  @Test
  void an_open_run_goes_on_beside_its_forks_each_with_an_id_of_its_own() {
    var engine = open();
    var run = engine.start("steps", "w", "a");
    awaitEvents(engine, "w", "ActivityCompleted", 2);

    var one = engine.fork(Fork.of("w", 3).as("mine"));
    var two = engine.fork("w", 3);
    assertThat(engine.fork(Fork.of("w", 3).as("mine")).runId()).isEqualTo(one.runId());
    assertRefused(ErrorCode.R105, "mine", () -> engine.fork(Fork.of("w", 2).as("mine")));

    run.signal(WORD, "!");
    one.signal(WORD, "?");
    two.signal(WORD, ".");
    assertThat(World.result(run)).isEqualTo("a12!");
    assertThat(World.result(engine, "mine")).isEqualTo("a12?");
    assertThat(World.result(two)).isEqualTo("a12.");
    assertThat(calls.all()).containsExactly("one", "two");
  }

  @Test
  void the_input_and_the_result_of_a_step_are_edited() {
    var engine = open();
    closed(engine);

    var input = engine.fork(Fork.of("w", 1).as("input").input("b"));
    var result = engine.fork(Fork.of("w", 2).as("result").result("one:1", "z"));
    input.signal(WORD, "!");
    result.signal(WORD, "!");

    assertThat(World.result(input)).isEqualTo("b12!");
    assertThat(World.result(result)).isEqualTo("z2!");
  }

  @Test
  void a_fork_has_open_children_of_its_own() {
    var engine = open();
    var run = engine.start("parent", "p", "a");
    awaitEvents(engine, "p", "ActivityCompleted", 1);
    awaitEvents(engine, "the child", "ActivityCompleted", 2);

    var fork = engine.fork(Fork.of("p", 3).as("f"));
    Await.until("its child", () -> engine.count("parent = 'f'") == 1);
    engine.signal("the child", WORD, "!");

    assertThat(World.result(run)).isEqualTo("child: a12!");
    assertThat(fork.status()).isEqualTo(Status.RUNNING);
    var child = engine.list(ListQuery.all().where("parent = 'f'")).getFirst().workflowId();
    engine.signal(child, WORD, "?");
    assertThat(World.result(fork)).isEqualTo("child: a12?");
  }

  @Test
  void an_index_that_is_not_there_is_refused() {
    var engine = open();
    var run = closed(engine);
    int end = run.history().size();

    for (int index : new int[] {0, -1, end, end + 1}) {
      assertRefused(ErrorCode.R130, "event " + index, () -> engine.fork("w", index));
    }
    assertRefused(
        ErrorCode.R113, "no run", () -> engine.fork(Fork.of("w", 1).ofRun(new UUID(0, 0))));
    assertRefused(ErrorCode.R113, "'nobody'", () -> engine.fork("nobody", 1));
    assertRefused(ErrorCode.R112, "blank", () -> engine.fork(Fork.of("w", 1).as(" ")));
    assertRefused(
        ErrorCode.R130, "[two:1]", () -> engine.fork(Fork.of("w", 2).result("two:1", "x")));
    assertThat(engine.count("")).isEqualTo(1);
  }

  @Test
  void a_fork_begins_before_the_code_ended_not_among_what_was_undone() {
    var engine = open();
    engine.start("saga", "s", "").signal(WORD, "fail");
    awaitStatus(engine, "s", Status.FAILED);
    assertThat(outline(engine.history("s")))
        .extracting(text -> text.split(" ")[0])
        .containsExactly(
            "WorkflowStarted",
            "CompensationRegistered",
            "SignalReceived",
            "CompensationsStarted",
            "CompensationCompleted",
            "WorkflowFailed");

    assertRefused(ErrorCode.R130, "events 1 to 3", () -> engine.fork("s", 4));
    var fork = engine.fork("s", 2);
    fork.signal(WORD, "well");

    assertThat(World.result(fork)).isEqualTo("well");
    assertThat(calls.all()).containsExactly("it");
  }

  @Test
  void a_fork_has_its_own_time() {
    var engine = open();
    var limit = StartOptions.defaults().timeout(Duration.ofHours(1));
    var run = engine.start("steps", "w", "a", limit);
    awaitEvents(engine, "w", "ActivityCompleted", 2);
    assertThatThrownBy(() -> world.resultInTime(run)).isInstanceOf(WorkflowTimedOut.class);

    var fork = engine.fork("w", 3);
    assertThat(fork.describe().startedAt()).isEqualTo(World.START.plus(Duration.ofHours(1)));
    fork.signal(WORD, "!");

    assertThat(World.result(fork)).isEqualTo("a12!");
  }
}

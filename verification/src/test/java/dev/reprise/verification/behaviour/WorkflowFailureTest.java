package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ActivityFailed;
import dev.reprise.ActivityOptions;
import dev.reprise.BranchFailed;
import dev.reprise.ErrorCode;
import dev.reprise.Handle;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowFailed;
import dev.reprise.engine.Engine;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An exception is an outcome of a workflow; a mistake is not, and only holds it up. */
@ParameterizedClass(name = "{0}")
@EnumSource
class WorkflowFailureTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);

  @RegisterExtension final World world;
  private final Calls calls = new Calls();
  private Engine engine;

  WorkflowFailureTest(StoreKind kind) {
    this.world = new World(kind);
  }

  private Handle<Object> begin(Workflow<String, String> code) {
    engine =
        world.open(
            r ->
                r.workflow("code", String.class, String.class, code)
                    .workflow("echo", String.class, String.class, (_, in) -> in));
    return engine.start("code", "w", "");
  }

  private static WorkflowFailed failure(Handle<?> handle) {
    return catchThrowableOfType(WorkflowFailed.class, () -> result(handle));
  }

  // ---- outcomes ---------------------------------------------------------------------------------

  @Test
  void an_exception_fails_the_workflow_with_its_class_and_message() {
    var handle =
        begin(
            (ctx, _) -> {
              ctx.run("step", () -> calls.add("step"));
              throw new FileNotFoundException("order.txt");
            });

    var failed = failure(handle);

    assertThat(failed.workflowId()).isEqualTo("w");
    assertThat(failed.failure().type()).isEqualTo("java.io.FileNotFoundException");
    assertThat(failed.failure().message()).isEqualTo("order.txt");
    assertThat(failed.is(IOException.class)).isTrue();
    assertThat(failed.is(IllegalStateException.class)).isFalse();
    assertThat(failed).hasMessageContaining("'w'").hasMessageContaining("order.txt");
    assertThat(handle.status()).isEqualTo(Status.FAILED);
    assertThat(outline(handle.history()))
        .containsExactly("WorkflowStarted code", "ActivityCompleted step:1", "WorkflowFailed");
  }

  @Test
  void a_failed_workflow_says_so_for_ever() {
    begin(
        (_, _) -> {
          throw new IllegalStateException("no");
        });
    var before = failure(engine.handle("w", String.class));
    world.shutDown();

    engine = world.open(r -> r.workflow("code", String.class, String.class, (_, in) -> in));

    assertThat(failure(engine.handle("w", String.class)).failure()).isEqualTo(before.failure());
  }

  @Test
  void a_failed_activity_that_nobody_caught_is_the_cause() {
    var once = ActivityOptions.defaults().retry(RetryPolicy.none());
    var handle =
        begin(
            (ctx, _) -> {
              ctx.with(once)
                  .run(
                      "charge",
                      () -> {
                        throw new IOException("bank");
                      });
              return "";
            });

    var failed = failure(handle);

    assertThat(failed.is(ActivityFailed.class)).isTrue();
    assertThat(failed.failure().message()).contains("charge:1").contains("bank");
    assertThat(failed.failure().cause().type()).isEqualTo("java.io.IOException");
  }

  @Test
  void a_checked_exception_of_a_branch_fails_the_workflow_with_its_cause() {
    var handle =
        begin(
            (ctx, _) ->
                ctx.<String>async(
                        () -> {
                          throw new IOException("disk");
                        })
                    .await());

    var failed = failure(handle);

    assertThat(failed.is(BranchFailed.class)).isTrue();
    assertThat(failed.failure().cause().message()).isEqualTo("disk");
  }

  @Test
  void an_exception_that_cannot_be_told_fails_the_workflow_all_the_same() {
    var handle =
        begin(
            (_, _) -> {
              throw new ActivityFailureTest.Unspeakable();
            });

    assertThat(failure(handle).is(ActivityFailureTest.Unspeakable.class)).isTrue();
  }

  @Test
  void the_failure_of_one_workflow_harms_no_other() {
    begin(
        (_, _) -> {
          throw new IllegalStateException("no");
        });

    assertThat(result(engine.start("echo", "e", "fine"))).isEqualTo("fine");
  }

  // ---- mistakes ---------------------------------------------------------------------------------

  @Test
  void an_error_in_workflow_code_blocks_the_run_and_harms_no_other() {
    var handle =
        begin(
            (ctx, _) -> {
              ctx.run("step", () -> calls.add("step"));
              throw new AssertionError("cannot be");
            });

    var blocked = catchThrowableOfType(WorkflowBlocked.class, () -> result(handle));

    assertThat(blocked.reason()).isEqualTo("java.lang.AssertionError: cannot be");
    assertThat(handle.status()).isEqualTo(Status.BLOCKED);
    assertThat(outline(handle.history()))
        .containsExactly("WorkflowStarted code", "ActivityCompleted step:1");
    assertThat(result(engine.start("echo", "e", "fine"))).isEqualTo("fine");
  }

  @Test
  void endless_recursion_in_workflow_code_blocks_the_run() {
    var handle = begin((_, _) -> String.valueOf(recurse(1)));

    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle)).reason())
        .startsWith("java.lang.StackOverflowError");
  }

  private static int recurse(int depth) {
    return depth < 0 ? 0 : recurse(depth + 1) + 1; // the stack ends long before the numbers
  }

  @Test
  void an_error_in_a_branch_blocks_the_run_when_it_is_awaited() {
    var handle =
        begin(
            (ctx, _) ->
                ctx.<String>async(
                        () -> {
                          throw new AssertionError("cannot be");
                        })
                    .await());

    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle)).reason())
        .contains("cannot be");
  }

  @Test
  void a_blocked_run_goes_on_where_it_stopped_when_it_is_resumed() {
    var broken = new AtomicBoolean(true);
    var handle =
        begin(
            (ctx, _) -> {
              ctx.run("step", () -> calls.add("step"));
              if (broken.get()) throw new AssertionError("not yet deployed");
              return ctx.receive(WORD);
            });
    awaitStatus(engine, "w", Status.BLOCKED);
    handle.signal(WORD, "while blocked");
    broken.set(false);

    engine.resume("w");

    assertThat(result(handle)).isEqualTo("while blocked");
    assertThat(calls.all()).containsExactly("step");
  }

  @Test
  void a_blocked_run_stays_blocked_through_restarts_until_it_is_resumed() {
    Workflow<String, String> broken =
        (_, _) -> {
          throw new AssertionError("no");
        };
    begin(broken);
    awaitStatus(engine, "w", Status.BLOCKED);
    world.crash();
    begin((_, in) -> in + "mended");

    assertThat(engine.describe("w").status()).isEqualTo(Status.BLOCKED);
    assertThat(engine.describe("w").blockedBy()).contains("AssertionError");
    engine.resume("w");

    assertThat(result(engine, "w")).isEqualTo("mended");
    assertThat(engine.describe("w").blockedBy()).isNull();
  }

  @Test
  void a_wrong_use_of_the_engine_that_nobody_caught_blocks_the_run() {
    var handle =
        begin(
            (ctx, _) -> {
              ctx.activities(Runnable.class).run();
              return "";
            });

    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle)).reason())
        .startsWith("R103");
  }

  @Test
  void a_wrong_use_of_the_engine_may_be_caught() {
    var handle =
        begin(
            (ctx, _) -> {
              try {
                ctx.activities(Runnable.class).run();
                return "";
              } catch (RepriseException e) {
                return e.code().name();
              }
            });

    assertThat(result(handle)).isEqualTo(ErrorCode.R103.name());
  }

  @Test
  void to_resume_a_run_that_is_not_blocked_changes_nothing() {
    var handle = begin((ctx, _) -> ctx.receive(WORD));
    world.settle(handle);

    engine.resume("w");
    handle.signal(WORD, "x");

    assertThat(result(handle)).isEqualTo("x");
    assertThatThrownBy(() -> engine.resume("w"))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R114));
    assertThat(handle.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void whoever_waits_for_a_result_hears_of_the_block_and_can_wait_again() throws Exception {
    var broken = new AtomicBoolean(true);
    var handle =
        begin(
            (ctx, _) -> {
              var word = ctx.receive(WORD);
              if (broken.get()) throw new AssertionError("no");
              return word;
            });
    world.settle(handle);
    handle.signal(WORD, "x");
    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle))).isNotNull();
    broken.set(false);
    engine.resume("w");

    assertThat(result(handle)).isEqualTo("x");
  }
}

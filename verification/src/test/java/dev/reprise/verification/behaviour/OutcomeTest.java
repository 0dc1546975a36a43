package dev.reprise.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ChildFailed;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Handle;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import dev.reprise.WorkflowNotCompleted;
import dev.reprise.WorkflowTerminated;
import dev.reprise.WorkflowTimedOut;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a run ends, for those who ask for its result. */
class OutcomeTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);

  @RegisterExtension final World world = new World(StoreKind.MEMORY);

  private static WorkflowNotCompleted end(Handle<?> handle) {
    return catchThrowableOfType(WorkflowNotCompleted.class, () -> World.result(handle));
  }

  // ---- one parent -------------------------------------------------------------------------------

  @Test
  void each_end_without_a_result_says_its_status() {
    var failed = world.begin((_, _) -> failing());
    var engine = world.engine();
    var limited = StartOptions.defaults().timeout(Duration.ofSeconds(1));
    world.shutDown();
    engine = world.openWith((ctx, _) -> ctx.receive(WORD));
    var cancelled = engine.start("code", "cancelled", "");
    cancelled.cancel("enough");
    var terminated = engine.start("code", "terminated", "");
    terminated.terminate("enough");
    var late = engine.start("code", "late", "", limited);
    world.settle(late);
    world.time().advance(Duration.ofSeconds(2));

    var fails = engine.handle(failed.workflowId(), String.class);
    assertEnd(end(fails), WorkflowFailed.class, Status.FAILED, "w");
    assertEnd(end(cancelled), WorkflowCancelled.class, Status.CANCELLED, "cancelled");
    assertEnd(end(terminated), WorkflowTerminated.class, Status.TERMINATED, "terminated");
    assertEnd(end(late), WorkflowTimedOut.class, Status.TIMED_OUT, "late");
  }

  private static String failing() {
    throw new IllegalStateException("no");
  }

  private static void assertEnd(
      WorkflowNotCompleted end, Class<?> type, Status status, String workflowId) {
    assertThat(end).isInstanceOf(type);
    assertThat(end.status()).isEqualTo(status);
    assertThat(end.workflowId()).isEqualTo(workflowId);
  }

  @Test
  void a_blocked_run_tells_its_code() {
    interface Nothing {}

    var handle =
        world.begin(
            (ctx, in) -> {
              ctx.activities(Nothing.class);
              return in;
            });

    var end = (WorkflowBlocked) end(handle);

    assertThat(end.status()).isEqualTo(Status.BLOCKED);
    assertThat(end.code()).contains(ErrorCode.R103);
  }

  @Test
  void a_run_that_an_error_blocks_has_no_code() {
    var handle =
        world.begin(
            (_, _) -> {
              throw new AssertionError("broken");
            });

    var end = (WorkflowBlocked) end(handle);

    assertThat(end.code()).isEmpty();
    assertThat(end.reason()).contains("broken");
  }

  static final class Refunds {
    void refund(String order) {
      throw new IllegalStateException("no money for " + order);
    }
  }

  @Test
  void a_run_that_could_not_be_undone_says_so() {
    var refunds = new Refunds();
    var engine =
        world.open(
            r ->
                r.retry(RetryPolicy.none())
                    .activities(refunds)
                    .workflow(
                        "code",
                        String.class,
                        String.class,
                        (ctx, in) -> {
                          ctx.compensate(refunds::refund, in);
                          return failing();
                        }));

    var end = (WorkflowBlocked) end(engine.start("code", "w", "o"));

    assertThat(end.status()).isEqualTo(Status.COMPENSATION_FAILED);
    assertThat(end.code()).contains(ErrorCode.R132);
  }

  // ---- what it failed with ----------------------------------------------------------------------

  static final class Child implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      return ctx.run("read", String.class, () -> read());
    }

    private static String read() throws IOException {
      throw new FileNotFoundException("gone");
    }
  }

  @Test
  void the_exception_of_an_activity_is_what_the_workflow_failed_with() {
    var engine =
        world.open(
            r ->
                r.retry(RetryPolicy.none())
                    .workflow(new Child())
                    .workflow(
                        "parent",
                        String.class,
                        String.class,
                        (ctx, in) -> ctx.call(Child.class, in)));

    var ofActivity = (WorkflowFailed) end(engine.start(Child.class, "c", ""));
    var ofChild = (WorkflowFailed) end(engine.start("parent", "p", ""));

    for (var failed : new WorkflowFailed[] {ofActivity, ofChild}) {
      assertThat(failed.is(FileNotFoundException.class)).isTrue();
      assertThat(failed.is(IOException.class)).isTrue();
      assertThat(failed.is(IllegalStateException.class)).isFalse();
    }
    assertThat(ofChild.is(ChildFailed.class)).isTrue();
  }

  @Test
  void a_cause_that_the_code_gave_itself_is_not_what_it_failed_with() {
    var handle =
        world.begin(
            (_, _) -> {
              throw new IllegalStateException("mine", new IOException("below"));
            });

    var failed = (WorkflowFailed) end(handle);

    assertThat(failed.is(IllegalStateException.class)).isTrue();
    assertThat(failed.is(IOException.class)).isFalse();
  }

  // ---- waiting ----------------------------------------------------------------------------------

  private static <T> T of(CompletionStage<T> stage)
      throws InterruptedException, ExecutionException, TimeoutException {
    Future<T> future = stage.toCompletableFuture();
    return future.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void a_result_can_be_waited_for_without_a_thread() throws Exception {
    var handle = world.begin((ctx, _) -> ctx.receive(WORD));
    var result = handle.resultAsync();
    assertThat(result.toCompletableFuture()).isNotDone();

    handle.signal(WORD, "now");

    assertThat(of(result)).isEqualTo("now");
  }

  @Test
  void a_failure_can_be_waited_for_without_a_thread() {
    var result = world.begin((_, _) -> failing()).resultAsync();

    var failed = catchThrowableOfType(ExecutionException.class, () -> of(result));

    assertThat(failed).hasCauseInstanceOf(WorkflowFailed.class);
  }

  @Test
  void an_end_is_waited_for_with_a_limit_and_without_a_checked_exception() {
    var handle = world.begin((ctx, _) -> ctx.receive(WORD).isEmpty() ? null : failing());

    assertThat(handle.awaitEnd(Duration.ofMillis(1))).isFalse();
    handle.signal(WORD, "");

    assertThat(handle.awaitEnd(Await.LIMIT)).isTrue();
    assertThat(handle.result()).isNull();
  }

  @Test
  void a_failed_run_has_ended() {
    var handle = world.begin((_, _) -> failing());

    assertThat(handle.awaitEnd(Await.LIMIT)).isTrue();
    assertThat(end(handle)).isInstanceOf(WorkflowFailed.class);
  }
}

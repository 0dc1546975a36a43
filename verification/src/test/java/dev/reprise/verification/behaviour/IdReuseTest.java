package dev.reprise.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ErrorCode;
import dev.reprise.Handle;
import dev.reprise.IdReuse;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.WorkflowNotCompleted;
import dev.reprise.engine.Engine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A workflow id that is used again after a run that did not complete. */
@ParameterizedClass(name = "{0}")
@EnumSource
class IdReuseTest {
  private static final StartOptions AGAIN = StartOptions.defaults().reuseId(IdReuse.AFTER_FAILURE);
  private static final Signal<String> WORD = Signal.of("word", String.class);

  @RegisterExtension final World world;

  private Engine engine;

  IdReuseTest(StoreKind kind) {
    world = new World(kind);
  }

  @BeforeEach
  void open() {
    engine =
        world.openWith(
            (ctx, in) -> {
              var word = in.equals("wait") ? ctx.receive(WORD) : in;
              if (word.equals("fail")) throw new IllegalStateException("no");
              if (word.equals("again")) return ctx.continueAsNew("wait");
              return word;
            });
  }

  private Handle<String> start(String input, StartOptions options) {
    return engine.start("code", String.class, "w", input, options);
  }

  private Handle<String> start(String input) {
    return start(input, AGAIN);
  }

  private static Status end(Handle<?> handle) {
    return catchThrowableOfType(WorkflowNotCompleted.class, () -> World.result(handle)).status();
  }

  private List<Status> statuses() {
    return engine.runs("w").stream().map(RunDescription::status).toList();
  }

  @Test
  void a_failed_workflow_is_started_again_under_its_id() {
    var failed = start("fail");
    assertThat(end(failed)).isEqualTo(Status.FAILED);

    var next = start("fine");

    assertThat(World.result(next)).isEqualTo("fine");
    assertThat(next.runId()).isNotEqualTo(failed.runId());
    assertThat(statuses()).containsExactly(Status.COMPLETED, Status.FAILED);
    assertThat(engine.history("w", failed.runId()).getLast().type()).isEqualTo("WorkflowFailed");
    assertThat(engine.history("w").getLast().type()).isEqualTo("WorkflowCompleted");
  }

  @Test
  void a_handle_of_the_failed_run_says_how_that_one_ended() {
    end(start("fail"));
    var failed = engine.handle("w", String.class); // which has not looked yet
    World.result(start("fine"));

    assertThat(end(failed)).isEqualTo(Status.FAILED);
  }

  @Test
  void so_is_one_that_was_cancelled_terminated_or_ran_out_of_time() {
    var cancelled = start("wait");
    cancelled.cancel("enough");
    assertThat(end(cancelled)).isEqualTo(Status.CANCELLED);
    var terminated = start("wait");
    terminated.terminate("enough");
    assertThat(end(terminated)).isEqualTo(Status.TERMINATED);
    var late = start("wait", AGAIN.timeout(Duration.ofSeconds(1)));
    world.settle(late);
    world.time().advance(Duration.ofSeconds(2));
    assertThat(end(late)).isEqualTo(Status.TIMED_OUT);

    assertThat(World.result(start("fine"))).isEqualTo("fine");
    assertThat(statuses())
        .containsExactly(Status.COMPLETED, Status.TIMED_OUT, Status.TERMINATED, Status.CANCELLED);
  }

  @Test
  void an_open_or_completed_run_is_given_as_ever() {
    var open = start("wait");
    assertThat(start("wait").runId()).isEqualTo(open.runId());
    assertTaken("other");

    open.signal(WORD, "fine");
    assertThat(World.result(open)).isEqualTo("fine");

    assertThat(start("wait").runId()).isEqualTo(open.runId());
    assertTaken("other");
    assertThat(statuses()).containsExactly(Status.COMPLETED);
  }

  private void assertTaken(String input) {
    var taken = catchThrowableOfType(RepriseException.class, () -> start(input));
    assertThat(taken.code()).isEqualTo(ErrorCode.R105);
  }

  @Test
  void without_the_option_the_failed_run_is_given() {
    var failed = start("fail");
    end(failed);

    assertThat(start("fail", StartOptions.defaults()).runId()).isEqualTo(failed.runId());
    assertThat(statuses()).containsExactly(Status.FAILED);
  }

  @Test
  void the_new_run_is_the_one_that_a_repeated_start_gives() {
    end(start("fail"));
    var next = start("wait");

    assertThat(start("wait").runId()).isEqualTo(next.runId());
    assertThat(start("wait", StartOptions.defaults()).runId()).isEqualTo(next.runId());
    assertTaken("fail");
  }

  @Test
  void it_goes_on_with_new_runs_and_is_known_by_its_own_input() {
    end(start("fail"));
    var next = start("again");
    world.settle(next);
    engine.signal("w", WORD, "fail");
    assertThat(end(next)).isEqualTo(Status.FAILED);

    var last = start("again");
    world.settle(last);

    assertThat(start("again").runId()).isEqualTo(engine.runs("w").getFirst().runId());
    assertTaken("fail");
    assertThat(statuses())
        .containsExactly(
            Status.RUNNING, Status.CONTINUED, Status.FAILED, Status.CONTINUED, Status.FAILED);
  }

  @Test
  void it_may_wait_on_a_queue() {
    end(start("fail"));

    var waiting = start("fine", AGAIN.queue("q"));

    assertThat(waiting.status()).isEqualTo(Status.QUEUED);
    assertThat(start("fine", AGAIN.queue("q")).runId()).isEqualTo(waiting.runId());
    engine.worker("q", 1);
    assertThat(World.result(waiting)).isEqualTo("fine");
    assertThat(statuses()).containsExactly(Status.COMPLETED, Status.FAILED);
  }

  @Test
  void of_many_starts_at_once_one_begins_and_all_give_it() throws Exception {
    end(start("fail"));
    var runs = new HashSet<UUID>();
    try (var threads = Executors.newFixedThreadPool(8)) {
      var starts = new ArrayList<Callable<UUID>>();
      for (int i = 0; i < 40; i++) starts.add(() -> start("wait").runId());
      for (Future<UUID> started : threads.invokeAll(starts)) runs.add(started.get());
    }

    assertThat(runs).hasSize(1);
    assertThat(statuses()).containsExactly(Status.RUNNING, Status.FAILED);
  }

  @Test
  void the_new_run_survives_a_crash() {
    end(start("fail"));
    var next = start("wait");
    world.settle(next);

    world.crash();
    open();
    engine.signal("w", WORD, "fine");

    assertThat(World.result(engine, "w")).isEqualTo("fine");
    assertThat(engine.describe("w").runId()).isEqualTo(next.runId());
  }

  @Test
  void a_key_of_which_there_is_one_does_not_go_with_it() {
    assertThatThrownBy(() -> AGAIN.deduplicate("k")).isInstanceOf(IllegalArgumentException.class);
  }
}

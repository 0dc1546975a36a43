package dev.reprise.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.WorkflowFailed;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.testkit.CrashingStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What real engines leave behind is sound, by the judgement of the doctor. */
public interface HealthContract extends StoreUnderTest {

  @Test
  default void an_empty_database_is_sound() {
    assertThat(Doctor.examine(store())).isEmpty();
  }

  @Test
  default void what_an_engine_does_is_sound_while_it_runs_and_when_it_has_gone() {
    try (var engine = engine(new CrashingStore(store(), _ -> false))) {
      engine.start("Everything", "done", "").result();
      assertThatThrownBy(() -> engine.start("Everything", "failed", "fail").result())
          .isInstanceOf(WorkflowFailed.class);
      engine.start("Everything", "asleep", "sleep");
      var waiting = engine.start("Everything", "waiting", "wait");
      engine.evict("waiting");
      engine.signal("waiting", Workflows.GO, "now");
      waiting.result();
      engine.start("Everything", "still waiting", "wait");

      assertThat(Doctor.examine(store())).isEmpty();
    }

    var examined = new Doctor(store()).examine();

    assertThat(examined.findings()).isEmpty();
    assertThat(examined.runs()).isEqualTo(5);
    assertThat(examined.events()).isGreaterThan(20);
  }

  @Test
  default void what_a_crashed_engine_leaves_behind_is_sound() throws InterruptedException {
    var appended = new AtomicInteger();
    var crashing =
        new CrashingStore(store(), t -> t instanceof Append && appended.incrementAndGet() == 5);
    try (var engine = engine(crashing)) {
      for (var id : List.of("one", "two", "three")) tryToStart(engine, id);
      crashing.awaitCrash();
    }

    assertThat(Doctor.examine(store())).isEmpty();
  }

  /** It may have crashed already. */
  private static void tryToStart(Engine engine, String workflowId) {
    try {
      engine.start("Everything", workflowId, "");
    } catch (RepriseException crashed) {
      assertThat(crashed.code()).isIn(ErrorCode.R119, ErrorCode.R122);
    }
  }

  private static Engine engine(CrashingStore store) {
    return Reprise.on(store)
        .shutdownGrace(Duration.ofSeconds(1))
        .workflow("Everything", String.class, String.class, Workflows::everything)
        .start();
  }

  /** A workflow whose history has something of everything. */
  final class Workflows {
    static final Signal<String> GO = Signal.of("go", String.class);
    private static final Signal<String> NEVER = Signal.of("never", String.class);
    private static final ActivityOptions TWICE =
        ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofMillis(1), 2));

    private Workflows() {}

    static String everything(Context ctx, String wish) {
      ctx.run("charge", String.class, () -> "paid");
      var attempts = new AtomicInteger();
      ctx.with(TWICE).run("ship", () -> failOnce(attempts));
      ctx.sleep(Duration.ofMillis(2));
      ctx.receive(NEVER, Duration.ofMillis(1));
      ctx.patched("second");
      if (wish.equals("fail")) throw new IllegalStateException("as asked");
      if (wish.equals("sleep")) ctx.sleep(Duration.ofHours(1));
      if (wish.equals("wait")) return ctx.receive(GO);
      return "done";
    }

    private static void failOnce(AtomicInteger attempts) {
      if (attempts.incrementAndGet() == 1) throw new IllegalStateException("not yet");
    }
  }
}

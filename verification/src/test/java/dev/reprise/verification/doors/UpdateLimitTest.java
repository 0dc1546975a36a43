package dev.reprise.verification.doors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Update;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Store;
import dev.reprise.verification.queues.Database;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Nobody waits without end for the answer of an update. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UpdateLimitTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofDays(1_000_000_000);
  private static final Signal<String> GO = Signal.of("go", String.class);
  private static final Update<String, String> ASK = Update.of("ask", String.class, String.class);

  private final Database database;
  @TempDir Path folder;
  private Supplier<Store> stores;
  private @Nullable Engine engine;

  UpdateLimitTest(Database database) {
    this.database = database;
  }

  private static String desk(Context ctx, String in) {
    ctx.onUpdate(ASK, question -> question + ": " + ctx.receive(GO));
    return ctx.receive(Signal.of("never", String.class));
  }

  @BeforeEach
  void begin() {
    stores = database.in(folder);
  }

  private Engine open(UnaryOperator<Reprise> setup) {
    end();
    return engine = setup.apply(Reprise.on(stores.get())).start();
  }

  private Engine openDesk() {
    return open(r -> r.workflow("desk", String.class, String.class, UpdateLimitTest::desk));
  }

  @AfterEach
  void end() {
    if (engine != null) engine.close();
    engine = null;
  }

  private static void late(String text, ThrowingCallable call) {
    assertThat(catchThrowableOfType(RepriseException.class, call))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.R123))
        .satisfies(e -> assertThat(e.code().isRetryable()).isTrue())
        .hasMessageContaining(text);
  }

  @Test
  void a_caller_whose_handler_waits_is_told_after_its_limit_and_may_ask_again() {
    var desk = openDesk();
    var run = desk.start("desk", "w", "");

    late("within PT0.05S", () -> desk.update("w", ASK, "a", "m", SHORT));
    late("message id 'm'", () -> run.update(ASK, "a", "m", SHORT));
    desk.signal("w", GO, "yes");

    assertThat(run.update(ASK, "a", "m", LONG)).isEqualTo("a: yes");
    assertThat(run.update(ASK, "b", "m")).isEqualTo("a: yes");
  }

  @Test
  void without_a_limit_of_its_own_the_call_timeout_counts() {
    var limit = Duration.ofSeconds(2);
    var desk =
        open(
            r ->
                r.callTimeout(limit)
                    .workflow("desk", String.class, String.class, UpdateLimitTest::desk));
    var run = desk.start("desk", "w", "");

    late("within PT2S", () -> run.update(ASK, "a"));
    late("within PT2S", () -> run.update(ASK, "a", "m"));
  }

  /** What a silent database does not answer: to find the run, to look into it, to store that. */
  @Test
  void a_limit_counts_for_all_that_the_database_has_to_answer() {
    openDesk().start("desk", "w", "");
    end();
    for (var method : silences()) {
      var silence = new CountDownLatch(1);
      var other = openSilent(method, silence);
      long asked = System.nanoTime();

      late("within PT1S", () -> other.update("w", ASK, "a", method, Duration.ofSeconds(1)));

      assertThat(Duration.ofNanos(System.nanoTime() - asked))
          .as(method)
          .isLessThan(Duration.ofSeconds(10)); // the call timeout is 30 s
      silence.countDown();
      end();
    }
  }

  @Test
  void a_limit_longer_than_the_call_timeout_outlasts_a_silent_database() throws Exception {
    openDesk().start("desk", "w", "");
    end();
    var silence = new CountDownLatch(1);
    var other = openSilent("find", silence, Duration.ofMillis(300));

    try (var caller = Executors.newSingleThreadExecutor()) {
      var answer = caller.submit(() -> other.update("w", ASK, "a", "m", Duration.ofSeconds(2)));
      assertThatThrownBy(() -> other.describe("w"))
          .isInstanceOfSatisfying(
              RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R118));
      silence.countDown();
      assertThatThrownBy(answer::get)
          .hasMessageContaining("did not answer the update 'ask' within PT2S");
    }

    assertThat(openDesk().history("w")).isNotEmpty();
  }

  /** A database in this process has no network: there a lone caller commits on its own thread. */
  private List<String> silences() {
    if (database == Database.POSTGRES) return List.of("find", "history", "commit");
    return List.of("find", "history");
  }

  private Engine openSilent(String method, CountDownLatch silence) {
    return openSilent(method, silence, Duration.ofSeconds(30));
  }

  /** An engine without the code, whose database does not answer that. */
  private Engine openSilent(String method, CountDownLatch silence, Duration callTimeout) {
    var store = stores.get();
    var silent =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (_, called, arguments) -> {
                  if (called.getName().equals(method)) silence.await();
                  try {
                    return called.invoke(store, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause() == null ? e : e.getCause();
                  }
                });
    return engine =
        Reprise.on(silent)
            .callTimeout(callTimeout)
            .workflow("other", String.class, String.class, (_, in) -> in)
            .start();
  }

  @Test
  void a_caller_is_told_while_no_engine_has_the_code_and_gets_the_answer_later() {
    openDesk().start("desk", "w", "");
    var other = open(r -> r.workflow("other", String.class, String.class, (_, in) -> in));

    var enough = Duration.ofSeconds(2); // for the database, to store the request
    late("did not answer the update 'ask'", () -> other.update("w", ASK, "a", "m", enough));
    late("did not answer the update 'ask'", () -> other.update("w", ASK, "a", "m", SHORT));

    var desk = openDesk();
    desk.signal("w", GO, "yes");
    assertThat(desk.update("w", ASK, "b", "m", LONG)).isEqualTo("a: yes");
  }
}

package dev.reprise.verification.doors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Update;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Store;
import dev.reprise.verification.behaviour.Await;
import dev.reprise.verification.queues.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A message id counts among signals of one name, or among updates of one name. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MessageIdTest {
  private static final Signal<String> END = Signal.of("end", String.class);
  private static final Signal<String> NOTE = Signal.of("note", String.class);
  private static final Signal<String> REMARK = Signal.of("remark", String.class);
  private static final Update<String, String> RENAME =
      Update.of("rename", String.class, String.class);
  private static final Update<String, String> MOVE = Update.of("move", String.class, String.class);
  private static final Update<String, String> STRICT =
      Update.of("strict", String.class, String.class);

  private final Database database;
  @TempDir Path folder;
  private Supplier<Store> stores;
  private Engine engine;

  MessageIdTest(Database database) {
    this.database = database;
  }

  private static String desk(Context ctx, String in) {
    var seen = new ArrayList<String>();
    ctx.onUpdate(RENAME, name -> seen(seen, "renamed " + name));
    ctx.onUpdate(
        MOVE,
        place -> {
          if (place.equals("wait")) ctx.receive(NOTE);
          return seen(seen, "moved " + place);
        });
    ctx.onUpdate(
        STRICT,
        _ -> {
          throw new IllegalArgumentException("never");
        },
        _ -> "");
    var end = ctx.receive(END);
    if (end.equals("next")) return ctx.continueAsNew("again");
    ctx.receive(NOTE, Duration.ZERO).ifPresent(seen::add);
    ctx.receive(REMARK, Duration.ZERO).ifPresent(seen::add);
    return in + end + seen;
  }

  private static String seen(List<String> all, String what) {
    all.add(what);
    return what;
  }

  @BeforeEach
  void begin() {
    stores = database.in(folder);
    open();
    engine.start("desk", "w", "");
  }

  private void open() {
    engine =
        Reprise.on(stores.get())
            .workflow("desk", String.class, String.class, MessageIdTest::desk)
            .start();
  }

  @AfterEach
  void end() {
    engine.close();
  }

  private void restart() {
    engine.close();
    open();
  }

  private void evict() {
    Await.until(
        "out of memory",
        () -> {
          engine.evict("w");
          return engine.runsInMemory() == 0;
        });
  }

  private String result() {
    return engine.<String>handle("w", String.class).result();
  }

  @Test
  void an_update_with_the_message_id_of_a_signal_is_answered() {
    engine.signal("w", NOTE, "first", "m");

    assertThat(engine.update("w", RENAME, "a", "m")).isEqualTo("renamed a");
    evict();
    assertThat(engine.update("w", RENAME, "b", "m")).isEqualTo("renamed a");
    engine.signal("w", END, "done");
    assertThat(result()).isEqualTo("done[renamed a, first]");
  }

  @Test
  void a_signal_with_the_message_id_of_an_update_arrives() {
    engine.update("w", RENAME, "a", "m");

    engine.signal("w", NOTE, "first", "m");
    engine.signal("w", NOTE, "again", "m");
    evict();
    engine.signal("w", REMARK, "second", "m");
    engine.signal("w", NOTE, "and again", "m");
    engine.signal("w", END, "done");

    assertThat(result()).isEqualTo("done[renamed a, first, second]");
  }

  @Test
  void updates_of_two_names_with_one_message_id_have_an_answer_each() {
    assertThat(engine.update("w", RENAME, "a", "m")).isEqualTo("renamed a");
    assertThat(engine.update("w", MOVE, "b", "m")).isEqualTo("moved b");
    restart();

    assertThat(engine.update("w", RENAME, "c", "m")).isEqualTo("renamed a");
    assertThat(engine.update("w", MOVE, "d", "m")).isEqualTo("moved b");
    engine.signal("w", END, "done");
    assertThat(result()).isEqualTo("done[renamed a, moved b]");
    assertThat(engine.update("w", MOVE, "e", "m")).isEqualTo("moved b");
    assertThat(engine.update("w", RENAME, "f", "m")).isEqualTo("renamed a");
  }

  @Test
  void an_update_that_waits_and_one_of_another_name_with_its_id_do_not_mix_up_answers()
      throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var waits = threads.submit(() -> engine.update("w", MOVE, "wait", "m"));
      awaitReceived(1);

      assertThat(engine.update("w", RENAME, "a", "m")).isEqualTo("renamed a");
      evict();
      assertThat(engine.update("w", RENAME, "b", "m")).isEqualTo("renamed a");
      engine.signal("w", NOTE, "go", "m");

      assertThat(waits.get()).isEqualTo("moved wait");
      assertThat(engine.update("w", MOVE, "c", "m")).isEqualTo("moved wait");
    }
  }

  private void awaitReceived(int count) {
    Await.until(
        "received",
        () ->
            engine.history("w").stream().filter(e -> e.type().equals("UpdateReceived")).count()
                >= count);
  }

  @Test
  void a_refused_update_and_one_of_another_name_have_an_answer_each() {
    evict();
    for (int again = 0; again < 2; again++) {
      var refused =
          catchThrowableOfType(RepriseException.class, () -> engine.update("w", STRICT, "a", "m"));
      assertThat(refused.code()).isEqualTo(ErrorCode.R126);
      assertThat(engine.update("w", RENAME, "a", "m")).isEqualTo("renamed a");
      evict();
    }
  }

  @Test
  void what_was_taken_in_before_a_run_went_on_counts_by_kind_and_name() {
    engine.signal("w", REMARK, "lost with the run", "m");
    assertThat(engine.update("w", RENAME, "a", "m")).isEqualTo("renamed a");
    engine.signal("w", END, "next", "m");
    awaitRuns(2);

    assertThat(engine.update("w", RENAME, "b", "m")).isEqualTo("renamed a");
    assertThat(engine.update("w", MOVE, "c", "m")).isEqualTo("moved c");
    engine.signal("w", NOTE, "new", "m");
    engine.signal("w", END, "repeated", "m");
    restart();
    engine.signal("w", END, "done", "other");

    assertThat(result()).startsWith("againdone[moved c, new");
    assertThat(engine.update("w", MOVE, "d", "m")).isEqualTo("moved c");
  }

  private void awaitRuns(int count) {
    Await.until("goes on", () -> engine.runs("w").size() == count);
  }
}

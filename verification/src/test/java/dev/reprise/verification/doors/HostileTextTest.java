package dev.reprise.verification.doors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ActivityOptions;
import dev.reprise.ChildOptions;
import dev.reprise.Client;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.Fork;
import dev.reprise.Key;
import dev.reprise.ListQuery;
import dev.reprise.Query;
import dev.reprise.QueueLimits;
import dev.reprise.RepriseException;
import dev.reprise.RunDescription;
import dev.reprise.Signal;
import dev.reprise.StartOptions;
import dev.reprise.Texts;
import dev.reprise.Update;
import dev.reprise.WorkflowBlocked;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowFailed;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.verification.queues.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Texts that some database cannot keep, or that mean something to it, at every door. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HostileTextTest {
  private static final String HIGH = "\ud83d"; // half of an emoji, and
  private static final String LOW = "\ude00"; // the other half

  /** What no store may ever be asked to keep as an id or a name. */
  private static final List<String> REFUSED =
      List.of("", " ", "\t\n", "\0", "a\0b", HIGH, "a" + HIGH, HIGH + "b", LOW + "b", LOW + HIGH);

  /** What is as good as any other id. */
  private static final List<String> KEPT =
      List.of(
          HIGH + LOW,
          "👩‍👩‍👧 paid 💶",
          "שלום-عقد",
          "\u202Eabc",
          "\uFEFFbom",
          "caf\u00e9",
          "cafe\u0301",
          "'; DROP TABLE runs; --",
          "<b onclick='x'>&amp;</b>",
          "../../etc/passwd",
          "C:\\temp\\\"x\"",
          "${jndi:ldap://x}",
          "%s%_%d",
          "two\nlines\r\u001b[31mred",
          " padded ",
          "漢".repeat(255));

  private static final Signal<String> END = Signal.of("end", String.class);

  private final Database database;
  @TempDir Path folder;
  private Engine engine;

  HostileTextTest(Database database) {
    this.database = database;
  }

  @BeforeEach
  void open() {
    engine =
        Reprise.on(database.in(folder).get())
            .workflow("echo", String.class, String.class, HostileTextTest::echo)
            .workflow("desk", String.class, String.class, HostileTextTest::desk)
            .workflow("doors", String.class, String.class, HostileTextTest::doors)
            .workflow("many", String.class, String.class, HostileTextTest::many)
            .start();
    engine.start("desk", "w", "");
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static String echo(Context ctx, String in) {
    if (in.startsWith("fail")) throw new IllegalStateException(in);
    if (in.startsWith("block")) throw new AssertionError(in);
    return ctx.run("again", String.class, () -> in);
  }

  private static String desk(Context ctx, String name) {
    var given = name.isEmpty() ? "w" : name;
    ctx.onUpdate(Update.of(given, String.class, String.class), in -> "updated " + in);
    ctx.onQuery(Query.of(given, String.class, String.class), in -> "answered " + in);
    ctx.publish(Key.of(given, String.class), given);
    ctx.attribute("name", given);
    ctx.receive(END);
    return given + ctx.receive(Signal.of(given, String.class), Duration.ZERO).orElse(" missed");
  }

  // ---- refused ----------------------------------------------------------------------------------

  /** Everything of a client that takes the id or name of something. */
  private static Map<String, BiConsumer<Client, String>> doorsOfClients() {
    var doors = new LinkedHashMap<String, BiConsumer<Client, String>>();
    var update = Update.of("w", String.class, String.class);
    doors.put("start", (c, id) -> c.start("echo", id, ""));
    doors.put("start on a queue", (c, id) -> c.start("echo", id, "", StartOptions.onQueue("q")));
    doors.put("handle", (c, id) -> c.handle(id, String.class));
    doors.put("signal", (c, id) -> c.signal(id, END, ""));
    doors.put("signal, message", (c, id) -> c.signal("w", END, "", id));
    doors.put("signal, name", (c, id) -> c.signal("w", Signal.of(id, String.class), ""));
    doors.put("cancel", (c, id) -> c.cancel(id, "why"));
    doors.put("terminate", (c, id) -> c.terminate(id, "why"));
    doors.put("query", (c, id) -> c.query(id, Query.of("w", String.class, String.class), ""));
    doors.put("query, name", (c, id) -> c.query("w", Query.of(id, String.class, String.class), ""));
    doors.put("update", (c, id) -> c.update(id, update, ""));
    doors.put("update, message", (c, id) -> c.update("w", update, "", id));
    doors.put(
        "update, name", (c, id) -> c.update("w", Update.of(id, String.class, String.class), ""));
    doors.put("published", (c, id) -> c.published(id, Key.of("k", String.class)));
    doors.put("published, key", (c, id) -> c.published("w", Key.of(id, String.class)));
    doors.put("fork", (c, id) -> c.fork(Fork.of(id, 1)));
    doors.put("fork, as", (c, id) -> c.fork(Fork.of("w", 1).as(id)));
    doors.put("describe", (c, id) -> c.describe(id));
    doors.put("history", (c, id) -> c.history(id));
    doors.put("history of a run", (c, id) -> c.history(id, new UUID(1, 2)));
    doors.put("runs", (c, id) -> c.runs(id));
    doors.put("resume", (c, id) -> c.resume(id));
    doors.put("queue", (c, id) -> c.queue(id));
    doors.put("limit", (c, id) -> c.limit(id, QueueLimits.none()));
    doors.put("weight of a key", (c, id) -> c.limit("q", QueueLimits.none().weight(id, 1)));
    doors.put("queue of a start", (_, id) -> StartOptions.onQueue(id));
    doors.put("key of a start", (_, id) -> StartOptions.defaults().key(id));
    doors.put("deduplicate", (_, id) -> StartOptions.defaults().deduplicate(id));
    doors.put("debounce", (_, id) -> StartOptions.defaults().debounce(id, Duration.ofDays(1)));
    doors.put("attribute", (_, id) -> StartOptions.defaults().attribute(id, "x"));
    doors.put("worker", (c, id) -> ((Engine) c).worker(id, 1));
    return doors;
  }

  @Test
  void what_cannot_be_stored_is_refused_alike_by_every_client() {
    doorsOfClients()
        .forEach(
            (name, door) -> {
              for (var text : REFUSED) assertInvalid(name, text, () -> door.accept(engine, text));
            });
    assertThat(engine.count("")).isEqualTo(1);
  }

  private static void assertInvalid(String door, String text, Runnable call) {
    var as = "%s of %s".formatted(door, Texts.shown(text));
    var thrown = catchThrowable(call::run);
    assertThat(thrown).as(as).isInstanceOf(RepriseException.class);
    assertThat(((RepriseException) thrown).code()).as(as).isEqualTo(ErrorCode.R112);
  }

  @Test
  @SuppressWarnings("NullAway") // callers without a checker give null
  void null_is_no_id() {
    for (var door : List.of("start", "describe", "signal", "signal, message", "queue", "worker")) {
      assertInvalid(door, "null", () -> doorsOfClients().get(door).accept(engine, null));
    }
    assertThat(catchThrowableOfType(RepriseException.class, () -> engine.complete(null, "")).code())
        .isEqualTo(ErrorCode.R133);
    assertThat(catchThrowableOfType(RepriseException.class, () -> engine.fail("", null)).code())
        .isEqualTo(ErrorCode.R133);
  }

  /** Which of the doors of a context let the text pass. */
  private static String doors(Context ctx, String text) {
    var passed = new StringBuilder();
    Map<String, Runnable> doors = new LinkedHashMap<>();
    doors.put("label", () -> ctx.run(text, () -> {}));
    doors.put("activity id", () -> ActivityOptions.defaults().id(text));
    doors.put("queue", () -> ActivityOptions.onQueue(text));
    doors.put("key", () -> ActivityOptions.defaults().key(text));
    doors.put("child id", () -> ChildOptions.defaults().id(text));
    doors.put("change", () -> ctx.patched(text));
    doors.put("attribute", () -> ctx.attribute(text, 1));
    doors.put("published", () -> ctx.publish(Key.of(text, String.class), ""));
    doors.put("signal", () -> ctx.receive(Signal.of(text, String.class), Duration.ZERO));
    doors.put("query", () -> ctx.onQuery(Query.of(text, String.class, String.class), _ -> ""));
    doors.put("update", () -> ctx.onUpdate(Update.of(text, String.class, String.class), _ -> ""));
    if (!text.isBlank()) doors.put("attribute text", () -> ctx.attribute("text", text));
    doors.forEach(
        (name, door) -> {
          try {
            door.run();
            passed.append(name).append(' ');
          } catch (RepriseException refused) {
            if (refused.code() != ErrorCode.R112) passed.append(refused.code()).append(' ');
          }
        });
    return passed.toString();
  }

  @Test
  void what_cannot_be_stored_is_refused_alike_by_every_context() {
    for (int i = 0; i < REFUSED.size(); i++) {
      var run = engine.start("doors", "doors " + i, REFUSED.get(i));
      assertThat(run.result()).as(Texts.shown(REFUSED.get(i))).isEqualTo("");
    }
  }

  @Test
  void filters_with_what_cannot_be_stored_are_R129() {
    for (var text : List.of("\0", HIGH, LOW + HIGH)) {
      for (Runnable call :
          List.<Runnable>of(
              () -> engine.count("workflowId = 'a%s'".formatted(text)),
              () -> engine.list(ListQuery.all().where("workflowId = '%s'".formatted(text))),
              () -> engine.resumeHeld("workflow = '%s'".formatted(text)))) {
        assertThat(catchThrowableOfType(RepriseException.class, call::run).code())
            .isEqualTo(ErrorCode.R129);
      }
    }
  }

  // ---- kept -------------------------------------------------------------------------------------

  @Test
  void other_texts_are_ids_and_names_like_any() {
    for (var id : KEPT) {
      var run = engine.start("desk", id, id);
      var update = Update.of(id, String.class, String.class);
      engine.signal(id, Signal.of(id, String.class), " heard", id);
      engine.signal(id, Signal.of(id, String.class), " heard again", id);

      assertThat(engine.update(id, update, "a", id)).isEqualTo("updated a");
      assertThat(engine.update(id, update, "b", id)).isEqualTo("updated a");
      assertThat(run.query(Query.of(id, String.class, String.class), "c")).isEqualTo("answered c");
      assertThat(run.published(Key.of(id, String.class))).contains(id);
      assertThat(engine.describe(id).workflowId()).isEqualTo(id);
      engine.signal(id, END, "");
      assertThat(run.result()).isEqualTo(id + " heard");
      assertThat(engine.count("workflowId = '%s'".formatted(id.replace("'", "''")))).isEqualTo(1);
    }
    assertThat(engine.list(ListQuery.all().limit(100)))
        .extracting(RunDescription::workflowId)
        .containsAll(KEPT)
        .hasSize(KEPT.size() + 1);
  }

  @Test
  void values_come_back_as_they_went_in() {
    for (var text : REFUSED) {
      var id = "value " + REFUSED.indexOf(text);
      assertThat(engine.start("echo", id, text).result()).isEqualTo(text);
      assertThat(engine.handle(id, String.class).result()).isEqualTo(text);
    }
  }

  // ---- reasons ----------------------------------------------------------------------------------

  @Test
  void a_failure_keeps_its_message() {
    var message = "fail \0 " + HIGH + " for good";

    var failed =
        catchThrowableOfType(
            WorkflowFailed.class, () -> engine.start("echo", "f", message).result());

    assertThat(failed.failure().message()).isEqualTo(message);
  }

  @Test
  void a_blocked_run_shows_its_reason() {
    var run = engine.start("echo", "b", "block \0 " + HIGH + "\nfor good");

    var blocked = catchThrowableOfType(WorkflowBlocked.class, run::result);

    assertThat(blocked.reason()).contains("block \\u0000 \\uD83D\\nfor good");
    assertThat(engine.describe("b").blockedBy()).contains("block \\u0000 \\uD83D\\nfor good");
  }

  @Test
  void a_cancel_keeps_its_reason() {
    engine.cancel("w", "too \0 late " + LOW);

    var cancelled =
        catchThrowableOfType(
            WorkflowCancelled.class, () -> engine.handle("w", String.class).result());

    assertThat(cancelled.reason()).isEqualTo("too \\u0000 late \\uDE00");
  }

  @Test
  void an_error_has_no_line_that_an_id_brings_with_it() {
    var error =
        catchThrowableOfType(
            RepriseException.class, () -> engine.describe("no\n[main] ERROR \u001b[31m\u202E"));

    assertThat(error.code()).isEqualTo(ErrorCode.R113);
    assertThat(error.getMessage()).contains("'no\\n[main] ERROR \\u001B[31m\\u202E'");
  }

  // ---- how many ---------------------------------------------------------------------------------

  private static String many(Context ctx, String in) {
    for (int i = 0; i < 100; i++) ctx.attribute("a" + i, i);
    ctx.attribute("a7", "other");
    try {
      ctx.attribute("a100", in);
      return "accepted";
    } catch (RepriseException e) {
      return e.code().name();
    }
  }

  @Test
  void a_run_has_at_most_a_hundred_attributes() {
    assertThat(engine.start("many", "m", "").result()).isEqualTo("R112");
    assertThat(engine.describe("m").attributes()).hasSize(100).containsEntry("a7", "other");
  }
}

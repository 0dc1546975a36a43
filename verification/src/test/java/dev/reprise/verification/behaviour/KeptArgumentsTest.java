package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.events;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.reprise.ActivityOptions;
import dev.reprise.Fork;
import dev.reprise.HistoryEvent;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.TerminalFailure;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.codec.Codec;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.store.Store;
import dev.reprise.testkit.ReplayCheck;
import dev.reprise.verification.queues.Database;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The history has what steps were called with, and says which argument is another one. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class KeptArgumentsTest {
  private static final Signal<String> GO = Signal.of("go", String.class);
  private static final ActivityOptions TWICE =
      ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofMillis(1), 2));

  /** Something with members. */
  record Order(String id, @Nullable String note, double weight) {}

  private final Database database;
  private final Calls calls = new Calls();
  @TempDir Path folder;
  private Supplier<Store> stores;
  private @Nullable Engine engine;

  KeptArgumentsTest(Database database) {
    this.database = database;
  }

  @BeforeEach
  void begin() {
    stores = database.in(folder);
  }

  @AfterEach
  void end() {
    if (engine != null) engine.close();
  }

  // ---- activities -------------------------------------------------------------------------------

  String charge(Order order, int cents) {
    return calls.returning("charge", order.id + " " + cents);
  }

  String flaky(String what) {
    calls.add("flaky");
    if (calls.of("flaky") == 1) throw new IllegalStateException("the first time");
    return what;
  }

  void refund(String payment, int cents) {
    calls.add("refund " + payment + cents);
  }

  void refuse(String what) {
    throw new TerminalFailure("refused: " + what);
  }

  private static Order order(double weight) {
    return new Order("order-7", null, weight);
  }

  private Workflow<String, String> charging(Order order, int cents) {
    return (ctx, _) -> ctx.run(this::charge, order, cents) + ctx.receive(GO);
  }

  // ---- engines ----------------------------------------------------------------------------------

  private Engine open(UnaryOperator<Reprise> setup, Workflow<String, String> code) {
    end();
    var reprise = Reprise.on(stores.get()).workflow("code", String.class, String.class, code);
    engine = setup.apply(reprise).start();
    return engine;
  }

  private Engine open(Workflow<String, String> code) {
    return open(UnaryOperator.identity(), code);
  }

  /** Runs the code until it waits for a signal. */
  private void record(UnaryOperator<Reprise> setup, Workflow<String, String> code) {
    var first = open(setup, code);
    first.start("code", "w", "");
    World.awaitWaiting(first, "w", "go");
    Await.until("what it did is durable", () -> first.history("w").size() == 2);
  }

  private String blockedBy(UnaryOperator<Reprise> setup, Workflow<String, String> changed) {
    var next = open(setup, changed);
    next.signal("w", GO, "!");
    awaitStatus(next, "w", Status.BLOCKED);
    return next.describe("w").blockedBy();
  }

  private String finished(UnaryOperator<Reprise> setup, Workflow<String, String> code) {
    var next = open(setup, code);
    next.signal("w", GO, "!");
    return result(next, "w");
  }

  /** What a blocked run returns with this code. */
  private String resumed(UnaryOperator<Reprise> setup, Workflow<String, String> code) {
    var next = open(setup, code);
    next.resume("w");
    return result(next, "w");
  }

  private List<HistoryEvent> ended(Workflow<String, String> code) {
    var handle = open(code).start("code", "w", "");
    Await.until("the end of w", () -> handle.status().isClosed());
    return handle.history();
  }

  // ---- what is there ----------------------------------------------------------------------------

  @Test
  void a_step_is_recorded_with_its_arguments() {
    record(UnaryOperator.identity(), charging(order(2.50), 5900));

    var step = engine.history("w").get(1);
    assertThat(step.arguments())
        .containsExactly("{\"id\":\"order-7\",\"note\":null,\"weight\":2.5}", "5900");
    assertThat(step.value()).isEqualTo("\"order-7 5900\"");
    assertThat(step.attributes())
        .endsWith(",\"arguments\":[{\"id\":\"order-7\",\"note\":null,\"weight\":2.5},5900]}");
  }

  @Test
  void only_the_first_event_of_a_call_has_them() {
    var history = ended((ctx, _) -> ctx.with(TWICE).run(this::flaky, "x"));

    assertThat(history)
        .extracting(HistoryEvent::type, HistoryEvent::arguments)
        .contains(
            tuple("ActivityRetryScheduled", List.of("\"x\"")),
            tuple("ActivityCompleted", List.of()));
  }

  @Test
  void so_is_one_that_fails_and_one_with_an_id_of_its_own() {
    var options = ActivityOptions.defaults().id("my id");

    ended(
        (ctx, _) -> {
          ctx.with(options).run(this::refuse, "x");
          return "";
        });

    assertThat(events(engine, "w", "ActivityFailed"))
        .singleElement()
        .satisfies(event -> assertThat(event.arguments()).containsExactly("\"x\""));
  }

  @Test
  void what_will_be_undone_shows_its_arguments_apart() {
    record(
        reprise -> reprise.activities(this),
        (ctx, _) -> {
          ctx.compensate(this::refund, "o-1", 2);
          return ctx.receive(GO);
        });

    var registered = engine.history("w").get(1);
    assertThat(registered.type()).isEqualTo("CompensationRegistered");
    assertThat(registered.arguments()).containsExactly("\"o-1\"", "2");
    assertThat(
            blockedBy(
                reprise -> reprise.activities(this),
                (ctx, _) -> {
                  ctx.compensate(this::refund, "o-1", 3);
                  return ctx.receive(GO);
                }))
        .contains("the arguments are not the same: argument 2: 2, now 3\n");
  }

  // ---- what differs -----------------------------------------------------------------------------

  @Test
  void the_argument_that_differs_is_named() {
    record(UnaryOperator.identity(), charging(order(2.5), 5900));

    assertThat(blockedBy(UnaryOperator.identity(), charging(order(2.5), 6100)))
        .contains(
            "\n  difference:     the arguments are not the same: argument 2: 5900, now 6100\n");
  }

  @Test
  void one_that_was_too_long_is_named_too() {
    UnaryOperator<Reprise> little = reprise -> reprise.keepArguments(10);
    record(little, charging(order(2.5), 5900));

    assertThat(engine.history("w").get(1).arguments())
        .containsExactly("(41 bytes, too long to be kept)", "5900");
    assertThat(blockedBy(little, charging(order(7.5), 5900)))
        .contains(
            "argument 1: (41 bytes, too long to be kept), now (41 bytes, too long to be kept)\n");
    assertThat(resumed(little, charging(order(2.5), 5900))).isEqualTo("order-7 5900!");
  }

  // ---- the switch -------------------------------------------------------------------------------

  @Test
  void nothing_is_kept_where_that_is_switched_off() {
    UnaryOperator<Reprise> off = reprise -> reprise.keepArguments(0);
    record(off, charging(order(2.5), 5900));

    assertThat(engine.history("w").get(1).arguments()).isEmpty();
    assertThat(engine.history("w").get(1).attributes()).doesNotContain("arguments", "order-7");
    assertThat(blockedBy(off, charging(order(2.5), 6100)))
        .contains("the arguments are not the same; which of them is not known, as none are kept\n");
  }

  @Test
  void the_switch_may_be_turned_while_runs_are_open() {
    UnaryOperator<Reprise> off = reprise -> reprise.keepArguments(0);
    record(off, charging(order(2.5), 5900));

    assertThat(blockedBy(UnaryOperator.identity(), charging(order(2.5), 6100)))
        .contains("those in the history were not kept, now ({\"id\":\"order-7\"", ", 6100)\n");
    assertThat(resumed(UnaryOperator.identity(), charging(order(2.5), 5900)))
        .isEqualTo("order-7 5900!");
  }

  @Test
  void a_history_with_arguments_goes_on_without() {
    record(UnaryOperator.identity(), charging(order(2.5), 5900));

    assertThat(finished(reprise -> reprise.keepArguments(0), charging(order(2.5), 5900)))
        .isEqualTo("order-7 5900!");
    assertThat(calls.of("charge")).isEqualTo(1);
  }

  @Test
  void more_than_32_kilobytes_or_less_than_nothing_is_refused() {
    for (var bytes : List.of(-1, 32_769)) {
      assertThatThrownBy(() -> Reprise.inMemory().keepArguments(bytes))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("between 0 and 32768 bytes of arguments can be kept, not " + bytes);
    }
  }

  // ---- others who read histories ----------------------------------------------------------------

  /** Writes what is no text. */
  private static final class Turned implements Codec {
    private final Codec json = new JsonCodec();

    private static byte[] turned(byte[] bytes) {
      var turned = bytes.clone();
      for (int i = 0; i < turned.length; i++) turned[i] ^= (byte) 0xff;
      return turned;
    }

    @Override
    public byte[] encode(@Nullable Object value, Type type) throws Exception {
      return turned(json.encode(value, type));
    }

    @Override
    public @Nullable Object decode(byte[] bytes, Type type) throws Exception {
      return json.decode(turned(bytes), type);
    }
  }

  @Test
  void a_codec_may_write_what_it_likes() {
    UnaryOperator<Reprise> encrypting = reprise -> reprise.codec(new Turned());
    record(encrypting, charging(order(2.5), 5900));

    assertThat(engine.history("w").get(1).arguments().get(1)).isEqualTo("base64 ysbPzw==");
    assertThat(blockedBy(encrypting, charging(order(2.5), 6100)))
        .contains("argument 2: base64 ysbPzw==, now base64 yc7Pzw==");
    assertThat(resumed(encrypting, charging(order(2.5), 5900))).isEqualTo("order-7 5900!");
  }

  @Test
  void a_fork_takes_them_along() {
    record(UnaryOperator.identity(), charging(order(2.5), 5900));

    engine.fork(Fork.of("w", 2).as("f").result("KeptArgumentsTest.charge:1", "edited"));
    engine.signal("f", GO, "!");

    assertThat(result(engine, "f")).isEqualTo("edited!");
    assertThat(engine.history("f").get(1).arguments()).hasSize(2).contains("5900");
  }

  @Test
  void a_history_file_has_them() {
    record(UnaryOperator.identity(), charging(order(1e10), 5900));

    var file = ReplayCheck.download(engine.handle("w", String.class));

    check(charging(order(1e10), 5900)).replay(file);
    assertThatThrownBy(() -> check(charging(order(1e10), 1)).replay(file))
        .hasMessageContaining("the arguments are not the same: argument 2: 5900, now 1\n");
  }

  private static ReplayCheck check(Workflow<String, String> code) {
    return new ReplayCheck().workflow("code", String.class, String.class, code);
  }
}

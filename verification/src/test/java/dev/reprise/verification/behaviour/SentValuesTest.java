package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ErrorCode;
import dev.reprise.Query;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.TypeRef;
import dev.reprise.Update;
import dev.reprise.WorkflowBlocked;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.codec.Codec;
import dev.reprise.engine.codec.JsonCodec;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Signals without a value, and JSON that people wrote. */
@ParameterizedClass(name = "{0}")
@EnumSource
class SentValuesTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Signal<Void> PING = Signal.of("ping");
  private static final Signal<Approval> APPROVAL = Signal.of("approval", Approval.class);
  private static final Signal<Json> RAW_APPROVAL = Signal.of("approval", Json.class);
  private static final Query<Void, List<String>> SEEN =
      Query.of("seen", new TypeRef<List<String>>() {});
  private static final Update<Void, Integer> COUNT = Update.of("count", Integer.class);
  private static final Update<Approval, String> DECIDE =
      Update.of("decide", Approval.class, String.class);
  private static final Update<Json, String> RAW_DECIDE =
      Update.of("decide", Json.class, String.class);

  @RegisterExtension final World world;

  SentValuesTest(StoreKind kind) {
    this.world = new World(kind);
  }

  record Approval(boolean granted, String by) {}

  /** A value as a person typed it. */
  record Json(String text) {}

  /** Passes what people typed through, as the command line does. */
  private record Typed(Codec others) implements Codec {
    @Override
    public byte[] encode(Object value, Type type) throws Exception {
      return value instanceof Json(var text)
          ? text.getBytes(StandardCharsets.UTF_8)
          : others.encode(value, type);
    }

    @Override
    public Object decode(byte[] bytes, Type type) throws Exception {
      return others.decode(bytes, type);
    }

    @Override
    public Object receive(byte[] bytes, Type type) throws Exception {
      return others.receive(bytes, type);
    }

    @Override
    public byte[] write(Object value) throws Exception {
      return encode(value, value == null ? Object.class : value.getClass());
    }
  }

  private Engine open(Codec codec) {
    return world.open(r -> register(r.codec(new Typed(codec))));
  }

  private Engine open() {
    return open(new JsonCodec());
  }

  private static void register(Reprise reprise) {
    reprise
        .workflow("approve", String.class, String.class, (ctx, _) -> "" + ctx.receive(APPROVAL))
        .workflow("soon", String.class, String.class, (ctx, _) -> "" + ctx.receive(APPROVAL, HOUR))
        .workflow(
            "late",
            String.class,
            String.class,
            (ctx, _) -> {
              ctx.sleep(HOUR);
              return "" + ctx.receive(APPROVAL);
            })
        .workflow("take", Approval.class, String.class, (ctx, in) -> "" + in)
        .workflow(
            "answer",
            String.class,
            String.class,
            (ctx, _) -> {
              ctx.onUpdate(DECIDE, a -> "" + a.granted());
              return "" + ctx.receive(PING);
            });
  }

  private static void assertRefused(ThrowingCallable call, ErrorCode code, String... texts) {
    var e = catchThrowableOfType(RepriseException.class, call);
    assertThat(e).as("nothing was thrown").isNotNull();
    assertThat(e.code()).isEqualTo(code);
    assertThat(e).hasMessageContainingAll(texts);
  }

  // ---- nothing ----------------------------------------------------------------------------------

  @Test
  void a_signal_without_a_value_says_that_it_came() {
    var handle =
        world.begin(
            (ctx, _) -> {
              ctx.receive(PING);
              boolean second = ctx.awaitSignal(PING, HOUR);
              boolean third = ctx.awaitSignal(PING, HOUR);
              return second + " " + third;
            });
    handle.signal(PING);
    world.engine().signal("w", PING);

    assertThat(world.resultInTime(handle)).isEqualTo("true false");
  }

  @Test
  void what_came_without_a_value_came_after_a_restart_too() {
    var handle =
        world.begin(
            (ctx, _) -> {
              boolean came = ctx.awaitSignal(PING, HOUR);
              ctx.sleep(HOUR);
              return "" + came;
            });
    handle.signal(PING);
    world.settle(handle);
    world.crash();
    var engine = reopenedWith();

    assertThat(world.resultInTime(engine.handle("w", String.class))).isEqualTo("true");
  }

  private Engine reopenedWith() {
    return world.openWith(
        (ctx, _) -> {
          boolean came = ctx.awaitSignal(PING, HOUR);
          ctx.sleep(HOUR);
          return "" + came;
        });
  }

  @Test
  void an_optional_cannot_say_that_nothing_came_with_nothing() {
    var handle = world.begin((ctx, _) -> "" + ctx.receive(PING, HOUR));

    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle)).reason())
        .startsWith("R146")
        .contains("ctx.awaitSignal");
  }

  @Test
  void questions_and_requests_may_do_without_an_argument() {
    var handle =
        world.begin(
            (ctx, _) -> {
              var seen = new ArrayList<String>();
              ctx.onQuery(SEEN, _ -> seen);
              ctx.onUpdate(
                  COUNT,
                  _ -> {
                    seen.add("x");
                    return seen.size();
                  });
              ctx.receive(PING);
              return "end";
            });
    world.settle(handle);

    assertThat(handle.update(COUNT)).isEqualTo(1);
    assertThat(world.engine().update("w", COUNT)).isEqualTo(2);
    assertThat(handle.query(SEEN)).containsExactly("x", "x");
    assertThat(world.engine().query("w", SEEN)).hasSize(2);
  }

  @Test
  void a_signal_that_takes_a_value_is_not_sent_without_one() {
    var engine = open();
    var handle = engine.start("approve", "w", "");
    world.settle(handle);

    assertRefused(() -> handle.signal(APPROVAL, null), ErrorCode.R146, "'approval'", "Approval");
    assertRefused(
        () -> handle.signal(RAW_APPROVAL, new Json("null")), ErrorCode.R146, "'approval'");
    handle.signal(APPROVAL, new Approval(true, "ops"));
    assertThat(result(handle)).isEqualTo("Approval[granted=true, by=ops]");
  }

  @Test
  void a_signal_that_came_without_its_value_blocks_and_does_not_fail() {
    open();
    for (var workflow : List.of("approve", "soon")) {
      world.engine().start(workflow, workflow, "");
      assertBlockedBy(workflow, "null", "R146", "'approval'");
    }
  }

  /** Another process sends it: nobody can look at it before it is accepted. */
  private void assertBlockedBy(String workflowId, String json, String... texts) {
    var engine = world.engine();
    world.settle(engine.handle(workflowId, String.class));
    world.crash();
    world.visit(
        r -> r.codec(new Typed(new JsonCodec())),
        visitor -> visitor.signal(workflowId, RAW_APPROVAL, new Json(json)));
    var again = open();

    awaitStatus(again, workflowId, Status.BLOCKED);
    assertThat(again.describe(workflowId).blockedBy()).contains(texts);
    again.resume(workflowId);
    awaitStatus(again, workflowId, Status.BLOCKED);
    assertThat(again.describe(workflowId).blockedBy()).as("still").contains(texts);
  }

  // ---- members that do not exist ----------------------------------------------------------------

  @Test
  void a_typing_error_in_a_signal_is_told_to_its_sender() {
    var engine = open();
    var handle = engine.start("approve", "w", "");
    world.settle(handle);

    assertRefused(
        () -> handle.signal(RAW_APPROVAL, new Json("{\"grantd\":true}")),
        ErrorCode.R108,
        "the signal 'approval'",
        "'grantd'",
        "[by, granted]");
    handle.signal(RAW_APPROVAL, new Json("{\"granted\":true}"));
    assertThat(result(handle)).isEqualTo("Approval[granted=true, by=null]");
  }

  @Test
  void a_typing_error_that_nobody_could_see_blocks_the_run_where_it_is_received() {
    var engine = open();
    engine.start("approve", "w", "");

    assertBlockedBy("w", "{\"grantd\":true}", "R108", "'grantd'");

    world.crash();
    var lenient = open(new JsonCodec().lenient());
    lenient.resume("w");
    assertThat(result(lenient, "w")).isEqualTo("Approval[granted=false, by=null]");
  }

  @Test
  void a_typing_error_in_a_signal_that_waits_blocks_the_run() {
    var engine = open();
    var handle = engine.start("late", "w", "");
    world.settle(handle);
    handle.signal(RAW_APPROVAL, new Json("{\"grantd\":true}"));
    world.time().advanceTo(World.START.plus(HOUR));

    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle)).reason())
        .startsWith("R108 the signal 'approval'")
        .contains("'grantd'");
  }

  @Test
  void a_typing_error_in_an_update_is_told_to_its_sender() {
    var engine = open();
    var handle = engine.start("answer", "w", "");
    world.settle(handle);

    assertRefused(
        () -> handle.update(RAW_DECIDE, new Json("{\"grantd\":true}")),
        ErrorCode.R108,
        "update 'decide'",
        "'grantd'");
    assertThat(handle.update(RAW_DECIDE, new Json("{\"granted\":true}"))).isEqualTo("true");
  }

  @Test
  void a_typing_error_in_an_input_blocks_the_run_before_it_does_anything() {
    var engine = open();
    var handle = engine.start("take", "w", new Json("{\"grantd\":true}"));

    assertThat(catchThrowableOfType(WorkflowBlocked.class, () -> result(handle)).reason())
        .startsWith("R108 the input cannot be read")
        .contains("'grantd'");
  }

  /** A later version of the code has done without a member that the run was started with. */
  @Test
  void what_the_code_has_taken_before_is_read_again_whatever_its_members_are() {
    var engine =
        world.open(
            r ->
                r.workflow(
                    "code",
                    Older.class,
                    String.class,
                    (ctx, in) -> {
                      ctx.sleep(HOUR);
                      return in.by() + in.reason();
                    }));
    world.settle(engine.start("code", "w", new Older(true, "ops", "why")));
    world.crash();
    var later =
        world.open(
            r ->
                r.workflow(
                    "code",
                    Approval.class,
                    String.class,
                    (ctx, in) -> {
                      ctx.sleep(HOUR);
                      return in.by();
                    }));

    assertThat(world.resultInTime(later.handle("w", String.class))).isEqualTo("ops");
  }

  record Older(boolean granted, String by, String reason) {}
}

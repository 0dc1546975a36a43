package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.outline;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Signal;
import dev.reprise.TypeRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Signals wait in line for the workflow, by name and in the order in which they came. */
class SignalTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Signal<Integer> NUMBER = Signal.of("number", Integer.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world = new World(StoreKind.MEMORY);

  @Test
  void signals_that_come_before_the_wait_are_kept_in_order() {
    var handle =
        world.begin(
            (ctx, _) -> {
              ctx.sleep(HOUR);
              return ctx.receive(WORD) + ctx.receive(WORD) + ctx.receive(WORD);
            });
    for (var word : List.of("a", "b", "c")) handle.signal(WORD, word);

    assertThat(world.resultInTime(handle)).isEqualTo("abc");
  }

  @Test
  void each_name_has_a_line_of_its_own() {
    var handle =
        world.begin(
            (ctx, _) -> {
              int first = ctx.receive(NUMBER);
              return first + ctx.receive(WORD) + ctx.receive(NUMBER) + ctx.receive(WORD);
            });
    handle.signal(WORD, "a");
    handle.signal(WORD, "b");
    handle.signal(NUMBER, 1);
    handle.signal(NUMBER, 2);

    assertThat(result(handle)).isEqualTo("1a2b");
  }

  @Test
  void receive_any_gives_signals_of_all_names_in_the_order_of_their_arrival() {
    var handle =
        world.begin(
            (ctx, _) -> {
              ctx.sleep(HOUR);
              var heard = new ArrayList<Object>();
              for (int i = 0; i < 4; i++) {
                var signal = ctx.receiveAny();
                heard.add(signal.is(WORD) ? signal.value(WORD) : signal.value(NUMBER));
              }
              heard.add(ctx.receiveAny(HOUR).isPresent());
              return heard.toString();
            });
    handle.signal(WORD, "a");
    handle.signal(NUMBER, 1);
    handle.signal(NUMBER, 2);
    handle.signal(WORD, "b");

    assertThat(world.resultInTime(handle)).isEqualTo("[a, 1, 2, b, false]");
  }

  @Test
  void receive_any_takes_what_receive_has_left() {
    var handle =
        world.begin(
            (ctx, _) -> {
              ctx.sleep(HOUR);
              var second = ctx.receive(NUMBER);
              var first = ctx.receiveAny();
              return second + first.name() + first.value(WORD) + ctx.receiveAny().value(NUMBER);
            });
    handle.signal(WORD, "a");
    handle.signal(NUMBER, 1);
    handle.signal(NUMBER, 2);

    assertThat(world.resultInTime(handle)).isEqualTo("1worda2");
  }

  @Test
  void the_value_of_another_signal_is_refused() {
    var handle =
        world.begin(
            (ctx, _) -> {
              try {
                return ctx.receiveAny().value(WORD);
              } catch (IllegalArgumentException e) {
                return e.getMessage();
              }
            });
    handle.signal(NUMBER, 1);

    assertThat(result(handle)).isEqualTo("this is signal 'number', not 'word'");
  }

  @Test
  void branches_that_wait_for_one_name_get_signals_in_the_order_of_their_waiting() {
    var handle =
        world.begin(
            (ctx, _) -> {
              var heard = new ArrayList<String>();
              for (int i = 0; i < 3; i++) {
                int branch = i;
                ctx.async(() -> heard.add(branch + ctx.receive(WORD)));
              }
              ctx.await(() -> heard.size() == 3);
              return heard.toString();
            });
    for (var word : List.of("a", "b", "c")) handle.signal(WORD, word);

    assertThat(result(handle)).isEqualTo("[0a, 1b, 2c]");
  }

  @Test
  void a_limit_on_a_wait_is_kept() {
    var handle =
        world.begin(
            (ctx, _) -> {
              var none = ctx.receive(WORD, HOUR);
              var waited = Duration.between(World.START, ctx.now());
              return none + " after " + waited + ", then " + ctx.receive(WORD, HOUR).orElseThrow();
            });
    world.time().advanceTo(world.settle(handle));
    awaitEvents(world.engine(), "w", "WaitTimedOut", 1);
    handle.signal(WORD, "late");

    assertThat(result(handle)).isEqualTo("Optional.empty after PT1H, then late");
    assertThat(outline(handle.history())).contains("WaitTimedOut receive word:1");
  }

  @Test
  void a_limit_of_nothing_takes_what_is_there_and_waits_for_nothing() {
    var handle =
        world.begin(
            (ctx, _) -> {
              ctx.receive(NUMBER);
              return "" + ctx.receive(WORD, Duration.ZERO) + ctx.receive(WORD, Duration.ZERO);
            });
    handle.signal(WORD, "there");
    handle.signal(NUMBER, 1);

    assertThat(world.resultInTime(handle)).isEqualTo("Optional[there]Optional.empty");
  }

  @Test
  void values_may_be_generic_and_empty() {
    var note = Signal.of("note", new TypeRef<Optional<String>>() {});
    var prices = Signal.of("prices", new TypeRef<Map<String, List<Integer>>>() {});
    var handle =
        world.begin((ctx, _) -> ctx.receive(prices).get("a").getFirst() + "/" + ctx.receive(note));
    handle.signal(prices, Map.of("a", List.of(7)));
    handle.signal(note, Optional.empty());

    assertThat(result(handle)).isEqualTo("7/Optional.empty");
  }

  @Test
  void signals_that_nobody_receives_are_recorded_and_harm_nothing() {
    var handle = world.begin((ctx, _) -> ctx.receive(WORD));
    handle.signal(NUMBER, 1);
    handle.signal(NUMBER, 2);
    handle.signal(WORD, "end");

    assertThat(result(handle)).isEqualTo("end");
    assertThat(outline(handle.history()))
        .containsExactly(
            "WorkflowStarted code",
            "SignalReceived number",
            "SignalReceived number",
            "SignalReceived word",
            "WorkflowCompleted");
  }

  @Test
  void an_activity_may_signal_its_own_workflow() {
    var handle =
        world.begin(
            (ctx, _) -> {
              ctx.run("tell", () -> world.engine().signal("w", WORD, "from inside"));
              return ctx.receive(WORD);
            });

    assertThat(result(handle)).isEqualTo("from inside");
  }
}

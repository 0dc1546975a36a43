package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.events;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.HistoryEvent;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Transition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A signal that was acknowledged is in the history once, whatever happens to the engine. */
@ParameterizedClass(name = "{0}")
@EnumSource
class RestartSignalsTest {
  private static final Signal<Integer> NUMBER = Signal.of("number", Integer.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final World world;

  RestartSignalsTest(StoreKind kind) {
    this.world = new World(kind);
  }

  /** Receives so many numbers, after a sleep if the input says so. */
  private void register(Reprise reprise) {
    reprise.workflow(
        "numbers",
        Integer.class,
        String.class,
        (ctx, count) -> {
          if (count < 0) ctx.sleep(HOUR);
          var numbers = new ArrayList<Integer>();
          for (int i = 0; i < Math.abs(count); i++) numbers.add(ctx.receive(NUMBER));
          return numbers.toString();
        });
  }

  private static List<String> received(List<HistoryEvent> history) {
    return history.stream()
        .filter(event -> event.type().equals("SignalReceived"))
        .map(HistoryEvent::value)
        .toList();
  }

  @Test
  void a_wait_for_a_signal_survives_any_number_of_restarts() {
    var first = world.open(this::register);
    first.start("numbers", "w", 1);
    world.settle(first.handle("w", String.class));
    world.crash();
    world.open(this::register);
    world.crash();
    world.open(this::register);
    world.shutDown();
    var last = world.open(this::register);
    last.signal("w", NUMBER, 7);

    assertThat(result(last, "w")).isEqualTo("[7]");
  }

  @Test
  void signals_accepted_before_a_crash_are_there_in_order() {
    var first = world.open(this::register);
    first.start("numbers", "w", -20);
    awaitEvents(first, "w", "TimerScheduled", 1);
    IntStream.range(0, 10).forEach(i -> first.signal("w", NUMBER, i));
    world.crash();

    var second = world.open(this::register);
    IntStream.range(10, 20).forEach(i -> second.signal("w", NUMBER, i));
    world.time().advance(HOUR);

    assertThat(result(second, "w")).isEqualTo(IntStream.range(0, 20).boxed().toList().toString());
  }

  @Test
  void signals_for_a_run_that_no_engine_has_in_memory_keep_their_order_through_a_crash() {
    var first = world.open(this::register);
    first.start("numbers", "w", -20);
    awaitEvents(first, "w", "TimerScheduled", 1);
    world.crash();
    for (int i = 0; i < 20; i += 4) {
      var stranger =
          world.open(r -> r.workflow("other", String.class, String.class, (_, in) -> in));
      for (int n = i; n < i + 4; n++) stranger.signal("w", NUMBER, n);
      world.crash();
    }

    var last = world.open(this::register);
    world.time().advance(HOUR);

    assertThat(result(last, "w")).isEqualTo(IntStream.range(0, 20).boxed().toList().toString());
    assertThat(received(last.history("w"))).hasSize(20);
  }

  @Test
  void a_signal_whose_answer_was_lost_is_in_the_history_once() {
    var first =
        world.openCrashingAt(
            t -> t instanceof Transition.Append append && append.events().size() == 1,
            this::register);
    var handle = first.start("numbers", "w", 2);
    world.settle(handle);
    try {
      handle.signal(NUMBER, 1);
    } catch (RepriseException dead) {
      assertThat(world.hasCrashed()).isTrue();
    }
    world.awaitCrash();

    var second = world.open(this::register);
    second.signal("w", NUMBER, 2);

    assertThat(result(second, "w")).isEqualTo("[1, 2]");
    assertThat(received(second.history("w"))).containsExactly("1", "2");
  }

  @Test
  void every_acknowledged_signal_survives_a_crash_among_many_senders() throws Exception {
    var commits = new java.util.concurrent.atomic.AtomicInteger();
    var first = world.openCrashingAt(_ -> commits.incrementAndGet() == 10, this::register);
    first.start("numbers", "w", 1_000);
    var acknowledged = java.util.concurrent.ConcurrentHashMap.<String>newKeySet();
    var senders =
        IntStream.range(0, 8)
            .mapToObj(
                sender ->
                    Thread.startVirtualThread(
                        () -> {
                          for (int i = 0; i < 20; i++) {
                            int number = sender * 100 + i;
                            try {
                              first.signal("w", NUMBER, number);
                            } catch (RepriseException dead) {
                              return;
                            }
                            acknowledged.add(String.valueOf(number));
                          }
                        }))
            .toList();
    world.awaitCrash();
    for (var sender : senders) assertThat(sender.join(Await.LIMIT)).isTrue();

    var kept = received(world.stored("w"));

    assertThat(kept).doesNotHaveDuplicates().containsAll(acknowledged);
    for (int sender = 0; sender < 8; sender++) assertSorted(kept, sender);
  }

  private static void assertSorted(List<String> numbers, int sender) {
    var own =
        numbers.stream().map(Integer::valueOf).filter(number -> number / 100 == sender).toList();
    assertThat(own).as("sender %d", sender).isSorted();
  }

  @Test
  void a_wait_with_a_limit_ends_when_it_was_due_before_the_crash() {
    var first = world.open(this::registerLimited);
    first.start("limited", "w", "");
    world.settle(first.handle("w", String.class));
    world.time().advance(Duration.ofMinutes(50));
    world.crash();

    var second = world.open(this::registerLimited);
    world.time().advance(Duration.ofMinutes(10));

    assertThat(result(second, "w")).isEqualTo("Optional.empty");
    assertThat(events(second, "w", "WaitTimedOut").getFirst().recordedAt())
        .isEqualTo(World.START.plus(HOUR));
  }

  @Test
  void a_signal_that_arrives_in_time_after_a_crash_is_received() {
    var first = world.open(this::registerLimited);
    first.start("limited", "w", "");
    world.settle(first.handle("w", String.class));
    world.crash();
    world.time().advance(Duration.ofMinutes(59));

    var second = world.open(this::registerLimited);
    second.signal("w", NUMBER, 5);

    assertThat(result(second, "w")).isEqualTo("Optional[5]");
  }

  private void registerLimited(Reprise reprise) {
    reprise.workflow(
        "limited",
        String.class,
        String.class,
        (ctx, _) -> String.valueOf(ctx.receive(NUMBER, HOUR)));
  }
}

package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Handle;
import dev.reprise.Signal;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Code may run ahead of the disk, effects may not: nothing is done or said before it is durable.
 */
@ParameterizedClass(name = "{0}")
@EnumSource
class DurabilityTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final Duration A_WHILE = Duration.ofMillis(100); // for what must not happen

  @RegisterExtension final World world;
  private final Calls calls = new Calls();
  private final Gate disk;
  private TroubledStore store;

  DurabilityTest(StoreKind kind) {
    this.world = new World(kind);
    this.disk = world.gate();
  }

  private Store slow(Store below) {
    store = new TroubledStore(below);
    return store;
  }

  /** Opens an engine whose disk holds the first transition with such an event. */
  private void openHolding(String event) {
    world.openOn(
        this::slow,
        r ->
            r.workflow(
                "code",
                String.class,
                String.class,
                (ctx, _) -> {
                  ctx.run("first", () -> calls.add("first"));
                  ctx.run("second", () -> calls.add("second"));
                  return ctx.receive(WORD);
                }));
    store.before =
        transition -> {
          if (has(transition, event)) passed();
          return List.of();
        };
  }

  private void passed() {
    try {
      disk.pass();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean has(Transition transition, String text) {
    return switch (transition) {
      case Transition.Start _ -> text.equals("start");
      case Transition.Append append ->
          append.events().stream()
              .anyMatch(e -> new String(e.attributes(), StandardCharsets.UTF_8).contains(text));
      case Transition.Accept _ -> false;
    };
  }

  private static void assertStillWaiting(CompletableFuture<?> answer) throws Exception {
    try {
      answer.get(A_WHILE.toMillis(), TimeUnit.MILLISECONDS);
      throw new AssertionError("answered before it was durable");
    } catch (TimeoutException expected) {
      assertThat(answer).isNotDone();
    }
  }

  @Test
  void a_start_is_acknowledged_when_it_is_durable_and_no_activity_begins_before() throws Exception {
    openHolding("start");
    var started = CompletableFuture.supplyAsync(() -> world.engine().start("code", "w", ""));
    disk.awaitReached();

    assertStillWaiting(started);
    assertThat(calls.all()).isEmpty();
    disk.open();

    Handle<Object> handle = started.get(20, TimeUnit.SECONDS);
    handle.signal(WORD, "done");
    assertThat(result(handle)).isEqualTo("done");
  }

  @Test
  void an_activity_begins_when_everything_before_it_is_durable() throws Exception {
    openHolding("first:1");
    var handle = world.engine().start("code", "w", "");
    disk.awaitReached();
    var result = CompletableFuture.supplyAsync(handle::result);

    assertStillWaiting(result);
    assertThat(calls.all()).containsExactly("first");
    disk.open();

    handle.signal(WORD, "done");
    assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("done");
    assertThat(calls.all()).containsExactly("first", "second");
  }

  @Test
  void a_signal_is_acknowledged_and_a_result_is_given_when_they_are_durable() throws Exception {
    openHolding("\"signal\"");
    var handle = world.engine().start("code", "w", "");
    world.settle(handle);
    var sent = CompletableFuture.runAsync(() -> handle.signal(WORD, "done"));
    var result = CompletableFuture.supplyAsync(handle::result);
    disk.awaitReached();

    assertStillWaiting(sent);
    assertStillWaiting(result);
    disk.open();

    sent.get(20, TimeUnit.SECONDS);
    assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("done");
  }
}

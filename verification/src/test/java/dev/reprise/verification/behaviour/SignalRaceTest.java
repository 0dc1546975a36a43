package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.events;
import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.HistoryEvent;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Senders that do not wait for each other, nor for the workflow. */
@ParameterizedClass(name = "{0}")
@EnumSource
class SignalRaceTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);
  private static final int SENDERS = 50;
  private static final int EACH = 10;

  @RegisterExtension final World world;

  SignalRaceTest(StoreKind kind) {
    this.world = new World(kind).onSystemTime();
  }

  // ---- many senders -----------------------------------------------------------------------------

  @Test
  void signals_of_many_senders_arrive_once_each_and_in_the_order_of_their_sender()
      throws Exception {
    var engine = world.open(r -> r.workflow("all", Integer.class, String.class, this::receiveAll));
    engine.start("all", "w", SENDERS * EACH);

    inParallel(SENDERS, sender -> send(engine, sender));

    assertInOrder(result(engine, "w"));
  }

  @Test
  void order_is_kept_while_the_run_leaves_memory_again_and_again() throws Exception {
    var engine =
        world.open(
            r -> r.memoryBudget(0).workflow("all", Integer.class, String.class, this::receiveAll));
    engine.start("all", "w", SENDERS * EACH);

    inParallel(SENDERS, sender -> send(engine, sender));

    assertInOrder(result(engine, "w"));
  }

  private String receiveAll(Context ctx, int count) {
    var words = new ArrayList<String>();
    for (int i = 0; i < count; i++) words.add(ctx.receive(WORD));
    return String.join(" ", words);
  }

  private static void send(Engine engine, int sender) {
    for (int i = 0; i < EACH; i++) engine.signal("w", WORD, sender + ":" + i);
  }

  private static void assertInOrder(String words) {
    var all = List.of(words.split(" "));
    assertThat(all).hasSize(SENDERS * EACH);
    for (int sender = 0; sender < SENDERS; sender++) {
      var prefix = sender + ":";
      assertThat(all.stream().filter(word -> word.startsWith(prefix)))
          .containsExactlyElementsOf(IntStream.range(0, EACH).mapToObj(i -> prefix + i).toList());
    }
  }

  // ---- a wake-up is never lost ------------------------------------------------------------------

  @Test
  void a_signal_that_comes_while_the_workflow_is_about_to_wait_wakes_it() throws Exception {
    var engine =
        world.open(
            r ->
                r.workflow(
                    "ping",
                    String.class,
                    String.class,
                    (ctx, id) -> {
                      ctx.run("nothing", () -> {});
                      return ctx.receive(WORD) + id;
                    }));
    var results = new ArrayList<Future<String>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 300; i++) {
        var id = "w" + i;
        results.add(
            threads.submit(
                () -> {
                  engine.start("ping", id, id);
                  engine.signal(id, WORD, "pong ");
                  return result(engine, id);
                }));
      }
      for (int i = 0; i < 300; i++) assertThat(soon(results.get(i))).isEqualTo("pong w" + i);
    }
  }

  @Test
  void a_signal_that_comes_while_the_run_leaves_memory_brings_it_back() throws Exception {
    var engine = world.open(r -> r.workflow("all", Integer.class, String.class, this::receiveAll));
    engine.start("all", "w", 200);

    for (int i = 0; i < 200; i++) {
      int number = i;
      inParallel(
          2,
          which -> {
            if (which == 0) engine.evict("w");
            else engine.signal("w", WORD, String.valueOf(number));
          });
    }

    assertThat(result(engine, "w"))
        .isEqualTo(String.join(" ", IntStream.range(0, 200).mapToObj(String::valueOf).toList()));
  }

  // ---- signals and the end ----------------------------------------------------------------------

  @Test
  void of_signals_that_race_with_the_end_the_acknowledged_ones_are_in_the_history_and_no_other()
      throws Exception {
    var engine =
        world.open(
            r -> r.workflow("first", String.class, String.class, (ctx, _) -> ctx.receive(WORD)));
    for (int round = 0; round < 200; round++) {
      var id = "w" + round;
      engine.start("first", id, "");
      Set<String> acknowledged = ConcurrentHashMap.newKeySet();

      inParallel(
          4,
          sender -> {
            if (isAccepted(engine, id, "word " + sender))
              acknowledged.add("\"word " + sender + "\"");
          });

      result(engine, id);
      assertThat(events(engine, id, "SignalReceived"))
          .as("round %d", round)
          .extracting(HistoryEvent::value)
          .containsExactlyInAnyOrderElementsOf(acknowledged);
      assertThat(engine.history(id).getLast().type()).isEqualTo("WorkflowCompleted");
    }
  }

  private static boolean isAccepted(Engine engine, String id, String word) {
    try {
      engine.signal(id, WORD, word);
      return true;
    } catch (RepriseException closed) {
      assertThat(closed.code()).isEqualTo(ErrorCode.R114);
      return false;
    }
  }

  @Test
  void the_same_with_a_run_that_leaves_memory_whenever_it_waits() throws Exception {
    var engine =
        world.open(
            r ->
                r.memoryBudget(0)
                    .workflow("first", String.class, String.class, (ctx, _) -> ctx.receive(WORD)));
    for (int round = 0; round < 100; round++) {
      var id = "w" + round;
      engine.start("first", id, "");
      Set<String> acknowledged = ConcurrentHashMap.newKeySet();

      inParallel(
          4,
          sender -> {
            if (isAccepted(engine, id, "word " + sender))
              acknowledged.add("\"word " + sender + "\"");
          });

      Await.until("the end", () -> engine.describe(id).status() == Status.COMPLETED);
      assertThat(events(engine, id, "SignalReceived"))
          .as("round %d", round)
          .extracting(HistoryEvent::value)
          .containsExactlyInAnyOrderElementsOf(acknowledged);
    }
  }

  // ---- starts -----------------------------------------------------------------------------------

  @Test
  void of_twenty_starts_with_one_id_there_is_one_run() throws Exception {
    var calls = new Calls();
    var engine =
        world.open(
            r ->
                r.workflow(
                    "once",
                    String.class,
                    String.class,
                    (ctx, in) -> ctx.run("work", String.class, () -> calls.returning("work", in))));
    for (int round = 0; round < 20; round++) {
      var id = "w" + round;
      Set<Object> runs = ConcurrentHashMap.newKeySet();
      Set<Object> outcomes = ConcurrentHashMap.newKeySet();

      inParallel(
          20,
          _ -> {
            var handle = engine.start("once", id, "in");
            runs.add(handle.runId());
            outcomes.add(result(handle));
          });

      assertThat(runs).hasSize(1);
      assertThat(outcomes).containsExactly("in");
    }
    assertThat(calls.of("work")).isEqualTo(20);
  }

  // ---- threads ----------------------------------------------------------------------------------

  private interface Part {
    void play(int which) throws Exception;
  }

  /** Lets so many threads begin at the same moment, and waits for all. */
  private static void inParallel(int count, Part part) throws Exception {
    var begin = new CyclicBarrier(count);
    try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      var parts = new ArrayList<Future<Void>>();
      for (int i = 0; i < count; i++) {
        int which = i;
        Callable<Void> task =
            () -> {
              begin.await();
              part.play(which);
              return null;
            };
        parts.add(threads.submit(task));
      }
      for (var done : parts) soon(done);
    }
  }

  private static <T> T soon(Future<T> future) throws Exception {
    return future.get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }
}

package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.awaitStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.reprise.ChildOptions;
import dev.reprise.Client;
import dev.reprise.Context;
import dev.reprise.Fork;
import dev.reprise.HistoryEvent;
import dev.reprise.Name;
import dev.reprise.Signal;
import dev.reprise.SourcePolicy;
import dev.reprise.Status;
import dev.reprise.WhenChanged;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.Store;
import dev.reprise.verification.queues.Database;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Which code a run has had, where the process that starts or resumes it does not have the code. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CodeOfRunsTest {
  private static final String TAKEN_UP = "WorkflowTakenUp";

  private final Supplier<Store> stores;
  private final boolean isShared;

  CodeOfRunsTest(Database database, @TempDir Path folder) {
    this.stores = database.in(folder);
    this.isShared = database == Database.POSTGRES;
  }

  /** What a process does that has no code. */
  private void client(Consumer<Client> what) {
    live(Reprise::visit, what::accept);
  }

  /** What an engine does that holds runs of changed code. */
  private void engine(Workflow<?, ?> order, Consumer<Engine> what) {
    live(reprise -> reprise.whenChanged(SourcePolicy.HOLD).workflow(order).start(), what);
  }

  private void live(Function<Reprise, Engine> start, Consumer<Engine> what) {
    try (var store = stores.get();
        var engine = start.apply(Reprise.on(store))) {
      what.accept(engine);
    }
  }

  private static List<String> types(Client client, String id) {
    return client.history(id).stream().map(HistoryEvent::type).toList();
  }

  private void startAndTakeUp() {
    client(client -> client.start("Order", "a", "a"));
    engine(new Yesterday(), engine -> awaitEvents(engine, "a", TAKEN_UP, 1));
  }

  @Test
  void a_run_that_a_client_started_is_held_from_other_code_than_took_it_up() {
    startAndTakeUp();

    engine(
        new Today(),
        engine -> {
          engine.signal("a", ChangedSourceTest.WORD, "go");
          awaitStatus(engine, "a", Status.BLOCKED);
          assertThat(engine.describe("a").blockedBy()).contains("R131").contains("Order");
        });
  }

  @Test
  void it_goes_on_with_the_code_that_took_it_up_and_that_is_recorded_once() {
    startAndTakeUp();

    engine(
        new Yesterday(),
        engine -> {
          engine.signal("a", ChangedSourceTest.WORD, "go");
          assertThat(World.result(engine, "a")).isEqualTo("ago");
          assertThat(types(engine, "a"))
              .containsExactly("WorkflowStarted", TAKEN_UP, "SignalReceived", "WorkflowCompleted");
        });
  }

  @Test
  void a_run_that_a_client_resumed_is_held_again_by_the_next_change() {
    engine(
        new Yesterday(),
        engine -> {
          engine.start(Yesterday.class, "a", "a");
          World.awaitWaiting(engine, "a", "word");
        });
    engine(
        new Today(),
        engine -> {
          engine.signal("a", Signal.of("wake", String.class), "up");
          awaitStatus(engine, "a", Status.BLOCKED);
        });
    client(client -> client.resume("a"));
    engine(new Today(), engine -> awaitEvents(engine, "a", TAKEN_UP, 1));

    engine(
        new Yesterday(),
        engine -> {
          engine.signal("a", Signal.of("wake", String.class), "again");
          awaitStatus(engine, "a", Status.BLOCKED);
          assertThat(engine.describe("a").blockedBy()).contains("R131");
        });
  }

  @Test
  void an_engine_that_starts_a_run_of_its_own_code_records_nothing_more() {
    engine(
        new Yesterday(),
        engine -> {
          engine.start(Yesterday.class, "a", "a");
          engine.signal("a", ChangedSourceTest.WORD, "go");
          assertThat(World.result(engine, "a")).isEqualTo("ago");
          assertThat(types(engine, "a"))
              .containsExactly("WorkflowStarted", "SignalReceived", "WorkflowCompleted");
        });
  }

  @Test
  void a_child_is_held_from_other_code_than_took_it_up_although_its_parent_had_none() {
    assumeTrue(isShared, "where no other process can come such a child is refused (R102)");
    live(
        reprise ->
            reprise
                .workflow(
                    "parent",
                    String.class,
                    String.class,
                    (ctx, in) ->
                        ctx.start("Order", in, String.class, ChildOptions.defaults())
                            .result()
                            .await())
                .start(),
        engine -> {
          engine.start("parent", "p", "a");
          Await.until("the child", () -> engine.count("parent = 'p'") == 1);
        });
    engine(new Yesterday(), engine -> awaitEvents(engine, "p/Order:1", TAKEN_UP, 1));

    engine(
        new Today(),
        engine -> {
          engine.signal("p/Order:1", ChangedSourceTest.WORD, "go");
          awaitStatus(engine, "p/Order:1", Status.BLOCKED);
        });
  }

  @Test
  void a_fork_belongs_to_the_code_that_takes_it_up() {
    startAndTakeUp();
    client(client -> client.fork(Fork.of("a", 2).as("b")));
    engine(
        new Today(),
        engine -> {
          awaitEvents(engine, "b", TAKEN_UP, 2);
          engine.signal("b", ChangedSourceTest.WORD, "go");
          assertThat(World.result(engine, "b")).isEqualTo("a today go");
        });
  }

  /** Looks at what is durable when its first effect happens. */
  @Name("Order")
  @WhenChanged(SourcePolicy.HOLD)
  record Looking(Supplier<Store> stores, List<String> seen) implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      return ctx.run(
          "look",
          String.class,
          () -> {
            try (var store = stores.get()) {
              var run = store.find(ctx.workflowId()).orElseThrow();
              HistoryView.of(store, run.key()).forEach(event -> seen.add(event.type()));
            }
            return in;
          });
    }
  }

  @Test
  void where_runs_are_held_the_code_is_durable_before_the_first_effect() {
    client(client -> client.start("Order", "a", "a"));
    var seen = new CopyOnWriteArrayList<String>();
    live(
        reprise -> reprise.workflow(new Looking(stores, seen)).start(),
        engine -> assertThat(World.result(engine, "a")).isEqualTo("a"));

    assertThat(seen).containsExactly("WorkflowStarted", TAKEN_UP);
  }
}

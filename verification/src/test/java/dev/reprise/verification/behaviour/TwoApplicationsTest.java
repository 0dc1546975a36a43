package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitStatus;
import static dev.reprise.verification.behaviour.World.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ChildOptions;
import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.HandlerFailed;
import dev.reprise.Key;
import dev.reprise.ParentClose;
import dev.reprise.Query;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Update;
import dev.reprise.Workflow;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowTerminated;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.testkit.CrashingStore;
import dev.reprise.testpostgres.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shop and a warehouse, two applications with different workflows on one PostgreSQL. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class TwoApplicationsTest {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Signal<String> PACKED = Signal.of("packed", String.class);
  private static final Query<String, String> ASK = Query.of("ask", String.class, String.class);
  private static final Update<String, String> TELL = Update.of("tell", String.class, String.class);
  private static final Key<String> STATE = Key.of("state", String.class);

  private final String url = PostgresServer.shared().createDatabase();
  private final List<Node> nodes = new ArrayList<>();

  /** An engine, and what it is killed by. */
  private record Node(Engine engine, CrashingStore store, Store below) {
    /** Nothing that it still does reaches the database, which sees it go. */
    void kill() {
      store.crash();
      below.close();
    }
  }

  /** Lets the warehouse pack, which is another application's. */
  static final class Order implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      var options =
          ChildOptions.defaults()
              .id(ctx.workflowId() + "-parcel")
              .onParentClose(ParentClose.CANCEL);
      return "order " + ctx.start("Parcel", in, String.class, options).result().await();
    }
  }

  /** Waits until it is packed. */
  static final class Parcel implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      var told = new ArrayList<String>();
      ctx.onQuery(ASK, question -> question + " " + told);
      ctx.onUpdate(
          TELL,
          what -> {
            if (what.isBlank()) throw new IllegalArgumentException("nothing was said");
          },
          what -> {
            if (what.equals("throw")) throw new IllegalStateException("not that");
            told.add(what);
            ctx.publish(STATE, what);
            return in + " " + told;
          });
      return in + " " + ctx.receive(PACKED) + told;
    }
  }

  private Node open(Workflow<?, ?>... workflows) {
    var below = Reprise.open(url, new StoreProvider.Options(true, false));
    var store = new CrashingStore(below, _ -> false);
    var reprise = Reprise.on(store).lease(LEASE);
    for (var workflow : workflows) reprise.workflow(workflow);
    var node = new Node(reprise.start(), store, below);
    nodes.add(node);
    return node;
  }

  private Engine client() {
    var below = Reprise.open(url, new StoreProvider.Options(true, false));
    var store = new CrashingStore(below, _ -> false);
    var node = new Node(Reprise.on(store).lease(LEASE).client(), store, below);
    nodes.add(node);
    return node.engine;
  }

  @AfterEach
  void closeAll() {
    for (var node : nodes.reversed()) {
      node.engine.close();
      node.below.close();
    }
  }

  private static void awaitParcel(Engine engine) {
    Await.until("the parcel", () -> engine.count("parent = 'o'") == 1);
  }

  @Test
  void a_child_of_another_application_tells_its_parent_exactly_once() {
    var shop = open(new Order());
    shop.engine.start(Order.class, "o", "book");
    awaitParcel(shop.engine);

    var warehouse = open(new Parcel());
    warehouse.engine.signal("o-parcel", PACKED, "well");

    assertThat(World.result(shop.engine, "o")).isEqualTo("order book well[]");
    assertThat(events(shop.engine, "o", "ChildCompleted")).hasSize(1);
    assertThat(warehouse.engine.describe("o-parcel").parent()).isEqualTo("o");
  }

  @Test
  void the_node_of_the_parent_dies_and_then_that_of_the_child() {
    var shop = open(new Order());
    var warehouse = open(new Parcel());
    shop.engine.start(Order.class, "o", "book");
    awaitParcel(warehouse.engine);
    World.awaitWaiting(warehouse.engine, "o-parcel", "packed");

    shop.kill();
    var nextShop = open(new Order());
    warehouse.kill();
    var nextWarehouse = open(new Parcel());
    nextShop.engine.signal("o-parcel", PACKED, "late");

    assertThat(World.result(nextShop.engine, "o")).isEqualTo("order book late[]");
    assertThat(events(nextShop.engine, "o", "ChildStarted")).hasSize(1);
    assertThat(events(nextShop.engine, "o", "ChildCompleted")).hasSize(1);
    assertThat(nextWarehouse.engine.runs("o-parcel")).hasSize(1);
  }

  @Test
  void the_end_of_a_parent_reaches_its_child_on_the_other_node() {
    var shop = open(new Order());
    var warehouse = open(new Parcel());
    var order = shop.engine.start(Order.class, "o", "book");
    awaitParcel(warehouse.engine);
    World.awaitWaiting(warehouse.engine, "o-parcel", "packed");

    warehouse.engine.terminate("o", "fire");

    assertThatThrownBy(order::result).isInstanceOf(WorkflowTerminated.class);
    awaitStatus(shop.engine, "o-parcel", Status.CANCELLED);
  }

  @Test
  void requests_reach_a_run_that_another_node_has() {
    var one = open(new Parcel());
    var two = open(new Parcel()).engine;
    var client = client();
    var run = one.engine.start(Parcel.class, "p", "book");
    World.awaitWaiting(one.engine, "p", "packed");

    assertThat(two.update("p", TELL, "a", "m-1")).isEqualTo("book [a]");
    assertThat(client.update("p", TELL, "b", "m-2")).isEqualTo("book [a, b]");
    assertThat(client.update("p", TELL, "a", "m-1")).isEqualTo("book [a]");
    assertThat(two.query("p", ASK, "?")).isEqualTo("? [a, b]");
    assertThat(one.engine.query("p", ASK, "?")).isEqualTo("? [a, b]");
    assertThat(client.published("p", STATE)).contains("b");
    assertThat(two.describe("p").waitingFor()).isNotEmpty();

    assertCode(ErrorCode.R102, () -> client.query("p", ASK, "?"));
    assertCode(ErrorCode.R126, () -> client.update("p", TELL, " "));
    assertCode(ErrorCode.R127, () -> two.update("p", Update.of("x", String.class, int.class), ""));
    assertThatThrownBy(() -> two.update("p", TELL, "throw")).isInstanceOf(HandlerFailed.class);

    two.cancel("p", "sold out");
    assertThatThrownBy(run::result).isInstanceOf(WorkflowCancelled.class);
    assertCode(ErrorCode.R114, () -> client.update("p", TELL, "c"));
    assertThat(client.update("p", TELL, "b", "m-2")).isEqualTo("book [a, b]");
  }

  private static void assertCode(ErrorCode code, Runnable call) {
    assertThat(catchThrowableOfType(RepriseException.class, call::run))
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void the_node_that_answers_an_update_dies_and_the_next_one_answers() throws Exception {
    var one = open(new Parcel());
    var client = client();
    one.engine.start(Parcel.class, "p", "book");
    World.awaitWaiting(one.engine, "p", "packed");
    one.kill();

    var answer = CompletableFuture.supplyAsync(() -> client.update("p", TELL, "a", "m-1"));
    var two = open(new Parcel());

    assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("book [a]");
    two.engine.signal("p", PACKED, "well");
    assertThat(World.result(two.engine, "p")).isEqualTo("book well[a]");
  }

  @Test
  void a_run_is_terminated_through_a_client_and_undone_by_the_node_that_can() {
    var undone = new Calls();
    var one =
        open(
            "hold",
            (ctx, _) -> {
              ctx.compensate("free", "it");
              return ctx.receive(PACKED);
            },
            undone);
    one.engine.start("hold", "h", "");
    World.awaitWaiting(one.engine, "h", "packed");

    client().terminate("h", "fire", true);

    awaitStatus(one.engine, "h", Status.TERMINATED);
    assertThat(undone.all()).containsExactly("it");
  }

  private Node open(String name, Workflow<String, String> code, Calls calls) {
    var below = Reprise.open(url, new StoreProvider.Options(true, false));
    var store = new CrashingStore(below, _ -> false);
    var reprise =
        Reprise.on(store)
            .lease(LEASE)
            .workflow(name, String.class, String.class, code)
            .activity("free", String.class, calls::add);
    var node = new Node(reprise.start(), store, below);
    nodes.add(node);
    return node;
  }
}

package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.awaitStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.HistoryEvent;
import dev.reprise.Name;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.testkit.ForwardingStore;
import dev.reprise.testpostgres.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two applications on one database, with different workflows of the same name. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class TwoCodesTest {
  static final Signal<String> GO = Signal.of("go", String.class);

  private final Supplier<Store> stores;
  private final List<Life> lives = new ArrayList<>();

  /** Databases that several engines share. */
  enum Shared {
    MEMORY {
      @Override
      Supplier<Store> stores() {
        var store = MemoryStore.forMany();
        return () -> store;
      }
    },
    POSTGRES {
      @Override
      Supplier<Store> stores() {
        var url = PostgresServer.shared().createDatabase();
        return () -> Reprise.open(url, new StoreProvider.Options(true, false));
      }
    };

    abstract Supplier<Store> stores();
  }

  /** What one engine sees of the database: it takes runs only while it may. */
  private static final class View extends ForwardingStore {
    private final List<String> taken = new CopyOnWriteArrayList<>(); // workflow ids
    private final AtomicInteger looks = new AtomicInteger();
    private volatile boolean takes;

    View(Store store, boolean takes) {
      super(store);
      this.takes = takes;
    }

    @Override
    public List<RunRow> claim(Claim claim) {
      if (!takes) return List.of();
      var rows = super.claim(claim);
      rows.forEach(row -> taken.add(row.workflowId()));
      looks.incrementAndGet();
      return rows;
    }
  }

  private record Life(Engine engine, View view) {}

  TwoCodesTest(Shared shared) {
    this.stores = shared.stores();
  }

  private Life open(Workflow<?, ?> workflow, boolean takes) {
    var view = new View(stores.get(), takes);
    var engine = Reprise.on(view).lease(Duration.ofSeconds(2)).workflow(workflow).start();
    var life = new Life(engine, view);
    lives.add(life);
    return life;
  }

  @AfterEach
  void closeAll() {
    for (var life : lives.reversed()) close(life);
  }

  private static void close(Life life) {
    life.engine.close();
    life.view.close();
  }

  /** Runs of the shop that wait, and that no engine has. */
  private void begin(String... ids) {
    var shop = open(new ShopOrder(), true);
    for (var id : ids) {
      shop.engine.start(ShopOrder.class, id, id);
      World.awaitWaiting(shop.engine, id, "go");
    }
    lives.remove(shop);
    close(shop);
  }

  @Test
  void a_run_is_left_to_the_engine_with_its_code_and_taken_only_once_by_another() {
    begin("a", "b");
    var shop = open(new ShopOrder(), false);
    var pub = open(new PubOrder(), true);

    for (var id : List.of("a", "b")) pub.engine.signal(id, GO, "go");
    Await.until("the pub has had both", () -> pub.view.taken.size() >= 2);
    int looks = pub.view.looks.get();
    Await.until("it has looked again", () -> pub.view.looks.get() >= looks + 5);
    assertThat(pub.view.taken).containsExactlyInAnyOrder("a", "b");

    shop.view.takes = true;
    for (var id : List.of("a", "b")) {
      assertThat(World.result(pub.engine, id)).isEqualTo(id + " is packed, go");
      assertThat(pub.engine.history(id))
          .extracting(HistoryEvent::type)
          .containsExactly(
              "WorkflowStarted", "ActivityCompleted", "SignalReceived", "WorkflowCompleted");
    }
  }

  @Test
  void without_such_an_engine_it_is_blocked_with_both_codes_and_goes_on_when_one_is_back() {
    begin("a");
    var pub = open(new PubOrder(), true);
    pub.engine.signal("a", GO, "go");
    awaitStatus(pub.engine, "a", Status.BLOCKED);
    assertThat(pub.engine.describe("a").blockedBy())
        .contains("R101")
        .containsPattern("other code: +[0-9a-f]{32} of 'Order' ran it last and no live engine has")
        .containsPattern("here is [0-9a-f]{32}");

    open(new ShopOrder(), true);
    var client = Reprise.on(new View(stores.get(), false)).client();
    try (client) {
      client.resume("a");
      assertThat(World.result(client, "a")).isEqualTo("a is packed, go");
    }
  }

  @Test
  void a_release_that_follows_takes_the_runs_over_when_the_last_engine_of_the_old_one_closes() {
    begin("a");
    var old = open(new ShopOrder(), false);
    var next = open(new NextShopOrder(), true);
    next.engine.signal("a", GO, "go");
    Await.until("the new release has had it", () -> !next.view.taken.isEmpty());

    lives.remove(old);
    close(old);

    assertThat(World.result(next.engine, "a")).isEqualTo("a is packed, at last, go");
    awaitEvents(next.engine, "a", "WorkflowTakenUp", 1);
  }
}

/** The order of a shop. */
@Name("Order")
final class ShopOrder implements Workflow<String, String> {
  @Override
  public String run(Context ctx, String in) {
    var packed = ctx.run("pack", String.class, () -> in + " is packed");
    return packed + ", " + ctx.receive(TwoCodesTest.GO);
  }
}

/** The same in the next release. */
@Name("Order")
final class NextShopOrder implements Workflow<String, String> {
  @Override
  public String run(Context ctx, String in) {
    var packed = ctx.run("pack", String.class, () -> in + " is packed");
    return packed + ", at last, " + ctx.receive(TwoCodesTest.GO);
  }
}

/** The order of a pub, which is another application. */
@Name("Order")
final class PubOrder implements Workflow<String, String> {
  @Override
  public String run(Context ctx, String in) {
    return ctx.run("brew", String.class, () -> in + " is brewed");
  }
}

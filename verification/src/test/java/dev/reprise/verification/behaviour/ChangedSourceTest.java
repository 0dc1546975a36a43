package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.awaitEvents;
import static dev.reprise.verification.behaviour.World.awaitStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Context;
import dev.reprise.ListQuery;
import dev.reprise.Name;
import dev.reprise.Signal;
import dev.reprise.SourcePolicy;
import dev.reprise.Status;
import dev.reprise.Was;
import dev.reprise.WhenChanged;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Classes that change or get another name while they have open runs. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ChangedSourceTest {
  static final Signal<String> WORD = Signal.of("word", String.class);

  @RegisterExtension final World world;

  ChangedSourceTest(StoreKind kind) {
    this.world = new World(kind);
  }

  private Engine open(SourcePolicy policy, Workflow<?, ?> order) {
    return world.open(r -> r.whenChanged(policy).workflow(order));
  }

  private void begin(String... ids) {
    var engine = open(SourcePolicy.HOLD, new Yesterday());
    for (var id : ids) world.settle(engine.start(Yesterday.class, id, id));
    world.shutDown();
  }

  @Test
  void changed_code_goes_on_where_it_follows_the_history() {
    begin("a");
    var engine = open(SourcePolicy.VERIFY, new Today());
    engine.signal("a", WORD, "go");

    assertThat(World.result(engine, "a")).isEqualTo("a today go");
  }

  @Test
  void runs_of_changed_code_are_held_and_resumed_one_by_one_or_by_a_filter() {
    begin("a", "b", "c");
    var engine = open(SourcePolicy.HOLD, new Today());
    for (var id : List.of("a", "b", "c")) {
      engine.signal(id, WORD, "go");
      awaitStatus(engine, id, Status.BLOCKED);
    }
    assertThat(engine.list(ListQuery.all().with(Status.BLOCKED)))
        .hasSize(3)
        .allSatisfy(run -> assertThat(run.blockedBy()).contains("R131").contains("Order"));

    engine.resume("a");
    assertThat(World.result(engine, "a")).isEqualTo("a today go");
    assertThat(engine.describe("b").status()).isEqualTo(Status.BLOCKED);
    assertThat(engine.resumeHeld("workflowId = 'b' or workflowId = 'c'")).isEqualTo(2);

    assertThat(World.result(engine, "b")).isEqualTo("b today go");
    assertThat(World.result(engine, "c")).isEqualTo("c today go");
    assertThat(World.events(engine, "a", "WorkflowResumed")).hasSize(1);
  }

  @Test
  void a_resumed_run_is_not_held_again_by_a_restart_with_the_same_code() {
    begin("a");
    var first = open(SourcePolicy.HOLD, new Today());
    first.signal("a", Signal.of("wake", String.class), "up");
    awaitStatus(first, "a", Status.BLOCKED);
    first.resume("a");
    awaitEvents(first, "a", "SignalReceived", 1);
    world.crash();

    var second = open(SourcePolicy.HOLD, new Today());
    second.signal("a", WORD, "go");

    assertThat(World.result(second, "a")).isEqualTo("a today go");
  }

  @Test
  void the_code_that_began_a_run_goes_on_without_being_asked() {
    begin("a");
    var engine = open(SourcePolicy.HOLD, new Yesterday());
    engine.signal("a", WORD, "go");

    assertThat(World.result(engine, "a")).isEqualTo("ago");
  }

  @Test
  void a_workflow_may_say_itself_that_it_is_held() {
    begin("a");
    var engine = open(SourcePolicy.VERIFY, new Careful());
    engine.signal("a", WORD, "go");

    awaitStatus(engine, "a", Status.BLOCKED);
    engine.resume("a");
    assertThat(World.result(engine, "a")).isEqualTo("a with care go");
  }

  // ---- other names ------------------------------------------------------------------------------

  /** Before: a saga with a child. */
  static final class Goods {
    final List<String> done = new CopyOnWriteArrayList<>();

    public String take(String what) {
      done.add("take " + what);
      return what;
    }

    public void giveBack(String what) {
      done.add("give back " + what);
    }
  }

  /** The same with other names. */
  static final class Stock {
    final List<String> done = new CopyOnWriteArrayList<>();

    @Was("Goods.take")
    public String reserve(String what) {
      done.add("reserve " + what);
      return what;
    }

    @Was("Goods.giveBack")
    public void free(String what) {
      done.add("free " + what);
    }
  }

  static final class Parcel implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      return in + ctx.receive(WORD);
    }
  }

  @Was("Parcel")
  static final class Shipment implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      return in + ctx.receive(WORD);
    }
  }

  record Purchase(Goods goods) implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      var taken = ctx.run(goods::take, in);
      ctx.compensate(goods::giveBack, taken);
      var word = ctx.call(Parcel.class, taken);
      if (word.endsWith("fail")) throw new IllegalStateException(word);
      return word;
    }
  }

  @Was("Purchase")
  record Checkout(Stock stock) implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String in) {
      var taken = ctx.run(stock::reserve, in);
      ctx.compensate(stock::free, taken);
      var word = ctx.call(Shipment.class, taken);
      if (word.endsWith("fail")) throw new IllegalStateException(word);
      return word;
    }
  }

  @Test
  void workflows_activities_children_and_compensations_may_get_other_names() {
    var goods = new Goods();
    var before =
        world.open(r -> r.workflow(new Purchase(goods)).workflow(new Parcel()).activities(goods));
    for (var id : List.of("well", "bad")) {
      world.settle(before.start(Purchase.class, id, id));
      awaitEvents(before, id + "/Parcel:1", "WorkflowStarted", 1);
    }
    world.crash();

    var stock = new Stock();
    var after =
        world.open(r -> r.workflow(new Checkout(stock)).workflow(new Shipment()).activities(stock));
    after.signal("well/Parcel:1", WORD, " done");
    after.signal("bad/Parcel:1", WORD, " fail");

    assertThat(World.result(after, "well")).isEqualTo("well done");
    awaitStatus(after, "bad", Status.FAILED);
    assertThat(stock.done).containsExactly("free bad");
    assertThat(goods.done).containsExactlyInAnyOrder("take well", "take bad");
  }
}

/** The code of an order as it was. */
@Name("Order")
final class Yesterday implements Workflow<String, String> {
  @Override
  public String run(Context ctx, String in) {
    return in + ctx.receive(ChangedSourceTest.WORD);
  }
}

/** As it is. */
@Name("Order")
final class Today implements Workflow<String, String> {
  @Override
  public String run(Context ctx, String in) {
    return in + " today " + ctx.receive(ChangedSourceTest.WORD);
  }
}

/** As it is, with care. */
@Name("Order")
@WhenChanged(SourcePolicy.HOLD)
final class Careful implements Workflow<String, String> {
  @Override
  public String run(Context ctx, String in) {
    return in + " with care " + ctx.receive(ChangedSourceTest.WORD);
  }
}

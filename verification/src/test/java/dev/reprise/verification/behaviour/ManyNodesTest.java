package dev.reprise.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.WorkflowCancelled;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.NodeRow;
import dev.reprise.testkit.ForwardingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several engines and clients on one store. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ManyNodesTest {
  private static final Signal<String> WORD = Signal.of("word", String.class);

  private final MemoryStore database = MemoryStore.forMany();
  private final List<Engine> engines = new ArrayList<>();

  /** Says what it hears until it hears the end. */
  static final class Listening implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String first) {
      var heard = new StringBuilder(first);
      for (var word = ctx.receive(WORD); !word.equals("end"); word = ctx.receive(WORD)) {
        heard.append(' ').append(word);
      }
      return heard.toString();
    }
  }

  static final class Shipping implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String what) {
      return ctx.run("ship", String.class, () -> "shipped " + what);
    }
  }

  /** Closing an engine leaves the database to the others. */
  private static final class Connection extends ForwardingStore {
    Connection(MemoryStore database) {
      super(database);
    }

    @Override
    public void close() {}
  }

  private Reprise setUp() {
    return Reprise.on(new Connection(database)).lease(Duration.ofSeconds(1));
  }

  private Engine engine(Workflow<?, ?> workflow) {
    return keep(setUp().workflow(workflow).start());
  }

  private Engine keep(Engine engine) {
    engines.add(engine);
    return engine;
  }

  @AfterEach
  void closeAll() {
    engines.forEach(Engine::close);
  }

  private NodeRow row(Engine engine) {
    var id = engine.describe("order-7").owner();
    return database.nodes().stream()
        .filter(node -> node.node().equals(id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_signal_reaches_a_run_that_another_engine_has() {
    var one = engine(new Listening());
    var two = engine(new Listening());
    var run = one.start(Listening.class, "order-7", "a");

    two.signal("order-7", WORD, "b");
    two.signal("order-7", WORD, "end");

    assertThat(run.result()).isEqualTo("a b");
    assertThat(two.handle(Listening.class, "order-7").result()).isEqualTo("a b");
  }

  @Test
  void a_client_starts_signals_and_gets_the_result() {
    engine(new Listening());
    var client = keep(setUp().client());

    var run = client.start(Listening.class, "order-7", "a");
    run.signal(WORD, "b");
    run.signal(WORD, "end");

    assertThat(run.result()).isEqualTo("a b");
    assertThat(client.start(Listening.class, "order-7", "a").result()).isEqualTo("a b");
    assertThat(client.runsInMemory()).isZero();
  }

  @Test
  void a_message_that_is_sent_again_arrives_once() {
    var one = engine(new Listening());
    var client = keep(setUp().client());
    var run = one.start(Listening.class, "order-7", "a");

    client.signal("order-7", WORD, "b", "m-1");
    one.signal("order-7", WORD, "b", "m-1");
    client.signal("order-7", WORD, "b", "m-1");
    run.signal(WORD, "end", "m-2");

    assertThat(run.result()).isEqualTo("a b");
    client.signal("order-7", WORD, "end", "m-2"); // closed, but this one is in its history
    assertThatThrownBy(() -> client.signal("order-7", WORD, "c", "m-3"))
        .isInstanceOfSatisfying(
            RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R114));
  }

  @Test
  void a_cancel_comes_from_anywhere() {
    var one = engine(new Listening());
    var client = keep(setUp().client());
    var run = one.start(Listening.class, "order-7", "a");

    client.cancel("order-7", "sold out");

    assertThatThrownBy(run::result)
        .isInstanceOfSatisfying(
            WorkflowCancelled.class, e -> assertThat(e.reason()).isEqualTo("sold out"));
    assertThat(run.status()).isEqualTo(Status.CANCELLED);
    client.cancel("order-7", "again");
  }

  @Test
  void an_engine_takes_only_workflows_that_it_knows() {
    var shipping = engine(new Shipping());
    var client = keep(setUp().client());
    var run = client.start(Listening.class, "order-7", "a");

    assertThat(client.start(Shipping.class, "parcel-1", "a").result()).isEqualTo("shipped a");
    assertThat(shipping.describe("order-7").owner()).isNull();

    engine(new Listening());
    run.signal(WORD, "end");
    assertThat(run.result()).isEqualTo("a");
  }

  @Test
  void an_engine_that_closes_hands_its_runs_over() {
    var one = setUp().workflow(new Listening()).start();
    var two = engine(new Listening());
    one.start(Listening.class, "order-7", "a").signal(WORD, "b");

    one.close();
    two.signal("order-7", WORD, "end");

    assertThat(two.handle(Listening.class, "order-7").result()).isEqualTo("a b");
  }

  @Test
  void an_engine_that_was_fenced_goes_on_as_a_new_node() {
    var one = engine(new Listening());
    var run = one.start(Listening.class, "order-7", "a");

    Await.until("fenced", () -> database.fence(row(one)));

    run.signal(WORD, "b");
    run.signal(WORD, "end");
    assertThat(run.result()).isEqualTo("a b");
    assertThat(one.start(Listening.class, "order-8", "x").workflowId()).isEqualTo("order-8");
    assertThat(database.nodes()).hasSize(1);
  }

  @Test
  void a_silent_engine_is_taken_over() {
    var frozen = new Frozen(database);
    var one = Reprise.on(frozen).lease(Duration.ofSeconds(1)).workflow(new Listening()).start();
    try {
      one.start(Listening.class, "order-7", "a").signal(WORD, "b");
      var two = engine(new Listening());
      frozen.freeze();

      two.signal("order-7", WORD, "end");

      assertThat(two.handle(Listening.class, "order-7").result()).isEqualTo("a b");
    } finally {
      frozen.thaw();
      one.close();
    }
  }

  /** A database that does not hear from its engine. */
  private static final class Frozen extends ForwardingStore {
    private final Semaphore open = new Semaphore(1_000);

    Frozen(MemoryStore database) {
      super(database);
    }

    void freeze() {
      open.drainPermits();
    }

    void thaw() {
      open.release(1_000);
    }

    @Override
    public List<Outcome> commit(Batch batch) {
      open.acquireUninterruptibly();
      try {
        return super.commit(batch);
      } finally {
        open.release();
      }
    }

    @Override
    public void close() {}
  }

  /** Ends its engine's life each time it runs. */
  static final class Poison implements Workflow<String, String> {
    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public String run(Context ctx, String input) {
      ctx.run(
          "boom",
          () -> {
            runs.incrementAndGet();
            released.await();
          });
      return "over";
    }
  }

  @Test
  void a_run_that_keeps_crashing_its_engine_is_held() {
    var poison = new Poison();
    var engine = keep(setUp().workflow(poison).workflow(new Shipping()).start());
    var run = engine.start(Poison.class, "order-7", "a");
    for (int crash = 1; run.status() == Status.RUNNING; crash++) {
      int seen = crash;
      Await.until("it runs", () -> poison.runs.get() >= seen || run.status() != Status.RUNNING);
      if (run.status() == Status.RUNNING) Await.until("fenced", () -> database.fence(row(engine)));
    }

    assertThat(engine.describe("order-7").blockedBy()).contains("R124").contains("5 engines");
    assertThat(engine.start(Shipping.class, "parcel-1", "x").result()).isEqualTo("shipped x");
    poison.released.countDown();
    engine.resume("order-7");
    assertThat(run.result()).isEqualTo("over");
  }
}

package dev.reprise.server;

import dev.reprise.Context;
import dev.reprise.Name;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A workflow in several releases, and databases with runs of the first. */
final class Shipments {
  static final Signal<String> DELIVERED = Signal.of("delivered", String.class);

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private Shipments() {}

  interface Courier {
    String fetch(String parcel);

    String weigh(String parcel);
  }

  /** The code that wrote the histories. */
  @Name("Shipment")
  static final class Yesterday implements Workflow<String, String> {
    private final Courier courier;

    Yesterday(Courier courier) {
      this.courier = courier;
    }

    @Override
    public String run(Context ctx, String parcel) {
      var label = ctx.run(courier::fetch, parcel);
      return label + ctx.receive(DELIVERED);
    }
  }

  /** A new step that nothing guards. */
  @Name("Shipment")
  static final class Careless implements Workflow<String, String> {
    private final Courier courier;

    Careless(Courier courier) {
      this.courier = courier;
    }

    @Override
    public String run(Context ctx, String parcel) {
      ctx.run(courier::weigh, parcel);
      var label = ctx.run(courier::fetch, parcel);
      return label + ctx.receive(DELIVERED);
    }
  }

  /** The same new step, for new runs. */
  @Name("Shipment")
  static final class Careful implements Workflow<String, String> {
    private final Courier courier;

    Careful(Courier courier) {
      this.courier = courier;
    }

    @Override
    public String run(Context ctx, String parcel) {
      if (ctx.patched("weigh")) ctx.run(courier::weigh, parcel);
      var label = ctx.run(courier::fetch, parcel);
      return label + ctx.receive(DELIVERED);
    }
  }

  /** Two runs that wait for the courier, and one that he has delivered. */
  static Engine record(String url) {
    var engine = Reprise.open(url).workflow(new Yesterday(new Van())).start();
    var delivered = engine.start(Yesterday.class, "parcel-1", "tea");
    delivered.signal(DELIVERED, "Ada");
    delivered.result();
    engine.start(Yesterday.class, "parcel-2", "cups");
    engine.start(Yesterday.class, "parcel-3", "lamp");
    awaitEvents(engine, "parcel-2", 2);
    awaitEvents(engine, "parcel-3", 2);
    return engine;
  }

  private static void awaitEvents(Engine engine, String id, int events) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (engine.history(id).size() < events) {
      if (System.nanoTime() - end > 0) throw new AssertionError(id + " does not come so far");
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static final class Van implements Courier {
    @Override
    public String fetch(String parcel) {
      return "label of " + parcel;
    }

    @Override
    public String weigh(String parcel) {
      return "light";
    }
  }
}

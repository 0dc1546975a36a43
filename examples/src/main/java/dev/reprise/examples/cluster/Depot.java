package dev.reprise.examples.cluster;

import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.time.Duration;
import javax.sql.DataSource;

/** An engine that runs deliveries, one of as many as there are processes. */
public final class Depot {
  private Depot() {}

  // tag::url[]
  static Engine engine(String url, Courier courier) {
    return Reprise.open(url).workflow(new Delivery(courier)).start();
  }

  // end::url[]

  // tag::pool[]
  static Engine engine(DataSource pool, Courier courier) {
    return Reprise.open(pool)
        .workflow(new Delivery(courier))
        .lease(Duration.ofSeconds(15)) // silent for longer: another one takes over
        .callTimeout(Duration.ofSeconds(5)) // callers here would rather try again themselves
        .start();
  }

  // end::pool[]

  // tag::main[]
  public static void main(String[] args) throws InterruptedException {
    var engine = engine(args[0], parcel -> "depot of process " + ProcessHandle.current().pid());
    Runtime.getRuntime().addShutdownHook(new Thread(engine::close)); // SIGTERM: hand the runs over
    System.out.println("ready");
    Thread.currentThread().join();
  }
  // end::main[]
}

package dev.reprise.examples.demo;

import dev.reprise.RepriseException;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.examples.order.Approval;
import dev.reprise.examples.order.Checkout;
import dev.reprise.examples.order.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** One process of the demo: an engine on the database file, from its start to its end. */
final class Life {
  static final String ORDER = "order-7";
  static final int KILLED = 137; // what a shell shows after kill -9

  private static final List<String> ITEMS = List.of("teapot", "cups", "lamp");
  private static final Duration LIMIT = Duration.ofSeconds(60); // more, and something is broken
  private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

  private final Screen screen = new Screen(System.out);
  private final int number;
  private final DemoFiles files;

  private Life(int number, Path database) {
    this.number = number;
    this.files = new DemoFiles(database);
  }

  public static void main(String[] args) throws InterruptedException, TimeoutException {
    var life = new Life(Integer.parseInt(args[0]), Path.of(args[1]));
    try {
      if (life.number == 1) life.first();
      else life.second();
    } catch (RepriseException e) {
      System.err.println("reprise: " + e.getMessage());
      System.exit(1);
    }
  }

  /** Begins the order, and dies when two things are packed and the third is half packed. */
  private void first() throws InterruptedException, TimeoutException {
    try (var engine = open(ITEMS.getLast())) {
      var checkout = engine.start(Checkout.class, ORDER, new Order(ORDER, ITEMS, 59_00));
      screen.act("started", ORDER + " with " + String.join(", ", ITEMS));

      until(() -> checkout.describe().waitingFor().toString().contains("signal 'approval'"));
      screen.act("waits", "for the signal 'approval'");
      screen.act("signal", "'approval' by ops");
      checkout.signal(Checkout.APPROVAL, new Approval("ops"));

      until(() -> packed(engine) == ITEMS.size() - 1);
      screen.alarm(
          "KILLED",
          "Runtime.halt(%d): no shutdown hook, no finally, no good-bye".formatted(KILLED));
      Runtime.getRuntime().halt(KILLED);
    }
  }

  /** Does nothing but open the file: the order goes on by itself. */
  private void second() throws TimeoutException {
    try (var engine = open("")) {
      var receipt = engine.handle(Checkout.class, ORDER).result(LIMIT);
      screen.act("result", receipt.toString());
    }
  }

  private Engine open(String endless) {
    screen.act("opened", files.shortName() + " by process " + ProcessHandle.current().pid());
    var shop = new DemoShop(number, endless, files.log(), screen);
    return Reprise.open("jdbc:sqlite:" + files.database())
        .workflow(new Checkout(shop, shop, shop, shop))
        .start();
  }

  /** How many things are packed for good: those in the history, which is what is on the disk. */
  private static long packed(Engine engine) {
    return engine.history(ORDER).stream()
        .filter(event -> event.subject().startsWith("Warehouse.pack:"))
        .count();
  }

  private static void until(BooleanSupplier condition)
      throws InterruptedException, TimeoutException {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > LIMIT.toNanos()) throw new TimeoutException();
      Thread.sleep(LOOK_AGAIN);
    }
  }
}

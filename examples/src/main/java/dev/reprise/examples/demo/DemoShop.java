package dev.reprise.examples.demo;

import dev.reprise.examples.demo.ActivityLog.Entry;
import dev.reprise.examples.demo.ActivityLog.Moment;
import dev.reprise.examples.order.Inventory;
import dev.reprise.examples.order.Order;
import dev.reprise.examples.order.Payments;
import dev.reprise.examples.order.Shipping;
import dev.reprise.examples.order.Warehouse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The activities of the demo: they take a moment, and show and log that they ran. */
final class DemoShop implements Inventory, Payments, Warehouse, Shipping {
  private static final Duration MOMENT = Duration.ofMillis(250); // for people to see it happen

  private final int life;
  private final String endless; // the item that is never packed in this life
  private final ActivityLog log;
  private final Screen screen;

  DemoShop(int life, String endless, ActivityLog log, Screen screen) {
    this.life = life;
    this.endless = endless;
    this.log = log;
    this.screen = screen;
  }

  @Override
  public String reserve(Order order) {
    return perform("Inventory.reserve", "reservation-7");
  }

  @Override
  public void release(String reservation) {
    perform("Inventory.release", "");
  }

  @Override
  public String charge(Order order) {
    return perform("Payments.charge", "payment-7");
  }

  @Override
  public void refund(String payment) {
    perform("Payments.refund", "");
  }

  @Override
  public String pack(String item) {
    return perform("Warehouse.pack " + item, "parcel with " + item);
  }

  @Override
  public String ship(String order, List<String> parcels) {
    return perform("Shipping.ship", "shipment-7");
  }

  private String perform(String activity, String result) {
    log.append(new Entry(life, Moment.BEGINS, activity));
    screen.act("begins", activity);
    work(activity);
    log.append(new Entry(life, Moment.DONE, activity));
    screen.done(activity, result);
    return result;
  }

  private void work(String activity) {
    try {
      if (!endless.isEmpty() && activity.endsWith(" " + endless)) new CountDownLatch(1).await();
      Thread.sleep(MOMENT);
    } catch (InterruptedException e) {
      throw new IllegalStateException(activity + " was interrupted", e);
    }
  }
}

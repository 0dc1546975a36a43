package dev.reprise.verification.histories;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The activities of all scenarios. While histories are recorded it is out of order, so that some
 * runs stay open; later it works.
 */
final class Desk {
  private final CountDownLatch working = new CountDownLatch(1);
  private final AtomicInteger attempts = new AtomicInteger();

  /** A desk that is out of order. */
  static Desk broken() {
    return new Desk();
  }

  /** A desk that works. */
  static Desk inOrder() {
    var desk = new Desk();
    desk.working.countDown();
    return desk;
  }

  /** Something with values of several kinds. */
  record Order(String id, BigDecimal total, List<String> items, Map<String, Integer> stock) {}

  /** Activities behind a proxy. */
  interface Post {
    String send(String parcel, int pieces);

    void close();
  }

  /** Activities behind a proxy that nobody implements while histories are recorded. */
  interface Lost {
    String find(String what);
  }

  String hello() {
    return "hello";
  }

  String greet(String name) {
    return "hello " + name;
  }

  Order order(String id, int count) {
    return new Order(
        id,
        new BigDecimal("12.50").multiply(BigDecimal.valueOf(count)),
        List.of("tea", "cups ü"),
        Map.of("tea", count));
  }

  long price(Order order, boolean express, @Nullable String voucher) {
    return order.total().longValue() + (express ? 5 : 0) - (voucher == null ? 0 : 1);
  }

  void note(Object what) {}

  void dated(UUID id, Instant at, double factor) {}

  @Nullable String nothing() {
    return null;
  }

  /** Fails at every first and second call. */
  String moody() {
    int attempt = attempts.incrementAndGet();
    if (attempt % 3 != 0) throw new IllegalStateException("bad mood");
    return "well then";
  }

  /** Fails while the desk is out of order. */
  String repaired() {
    if (working.getCount() > 0) throw new IllegalStateException("out of order");
    return "repaired";
  }

  /** Does not come back while the desk is out of order. */
  String patient() throws InterruptedException {
    working.await();
    return "at last";
  }
}

package dev.reprise.jdbc;

import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.Rows;
import dev.reprise.testkit.contract.TestNode;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Measures durable commits of the store alone, from one thread, in batches of one event and of
 * many. And next to it, what a bare insert of the same row costs on one connection.
 *
 * <p>Argument: seconds for each line.
 */
final class PostgresCommitBench {
  private static final int RUNS = 1_000;
  private static final byte[] ATTRIBUTES =
      """
      {"id":"Payments.charge:12","digest":"0123456789abcdef0123456789abcdef","attempts":3}\
      """
          .getBytes(StandardCharsets.UTF_8);
  private static final byte[] VALUE = "\"payment-1234567\"".getBytes(StandardCharsets.UTF_8);

  private final TestNode node;
  private final long[] keys;
  private final int[] sizes = new int[RUNS];
  private int turn;

  private PostgresCommitBench(Store store, String name) {
    node = TestNode.join(store);
    var runs = IntStream.range(0, RUNS).mapToObj(i -> node.run(name + "-" + i)).toList();
    keys = runs.stream().mapToLong(run -> run.key()).toArray();
    node.store(runs.stream().map(run -> new Start(run, Rows.event(1))).toArray(Transition[]::new));
    Arrays.fill(sizes, 1);
  }

  public static void main(String[] arguments) throws SQLException {
    var time = Duration.ofSeconds(arguments.length > 0 ? Long.parseLong(arguments[0]) : 5);
    var database = TestDatabase.create();
    try (var store = database.open();
        var bare = database.connect()) {
      var bench = new PostgresCommitBench(store, "bench");
      measure("warm up", 1, time, () -> bench.append(1));
      for (int round = 1; round <= 3; round++) {
        measure("bare insert", 1, time, new BareInsert(bare, round)::insert);
        measure("store", 1, time, () -> bench.append(1));
      }
      for (int size : new int[] {10, 100, 500, 2_000}) {
        measure("store", size, time, () -> bench.append(size));
      }
    }
    System.exit(0);
  }

  private static void measure(String what, int events, Duration time, Runnable work) {
    var took = new ArrayList<Long>();
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      long began = System.nanoTime();
      work.run();
      took.add(System.nanoTime() - began);
    }
    Collections.sort(took);
    double mean = took.stream().mapToLong(Long::longValue).average().orElseThrow() / 1_000;
    double median = took.get(took.size() / 2) / 1_000.0;
    System.out.printf(
        Locale.ROOT,
        "%-28s batch %5d  median %9.1f µs  mean %9.1f µs  %9.0f events/s%n",
        what,
        events,
        median,
        mean,
        1_000_000 * events / mean);
  }

  private void append(int count) {
    var batch = new Transition[count];
    for (int i = 0; i < count; i++) {
      int run = turn++ % RUNS;
      batch[i] =
          new Append(keys[run], List.of(event(++sizes[run])), List.of(), new RunChange.None());
    }
    node.store(batch);
  }

  private static EventRow event(int index) {
    return new EventRow(
        index,
        Rows.NOON,
        EventType.ACTIVITY_COMPLETED.code(),
        "Checkout.java:42",
        ATTRIBUTES,
        VALUE);
  }

  /** One row and one transaction after the other, as a program without an engine would do. */
  private static final class BareInsert {
    private final Connection connection;
    private final long run;
    private int index;

    private BareInsert(Connection connection, int round) {
      this.connection = connection;
      this.run = 1_000_000_000L + round;
    }

    private void insert() {
      try (var statement =
          connection.prepareStatement(
              """
              INSERT INTO events (run_key, idx, type, at, site, attributes, value)
              VALUES (?, ?, ?, now(), ?, ?, ?)
              """)) {
        statement.setLong(1, run);
        statement.setInt(2, ++index);
        statement.setInt(3, 2);
        statement.setString(4, "Checkout.java:42");
        statement.setBytes(5, ATTRIBUTES);
        statement.setBytes(6, VALUE);
        statement.executeUpdate();
      } catch (SQLException failure) {
        throw new IllegalStateException(failure);
      }
    }
  }
}

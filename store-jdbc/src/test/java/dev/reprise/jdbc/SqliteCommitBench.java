package dev.reprise.jdbc;

import dev.reprise.Status;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * Measures durable commits of the store alone, from one thread: a thousand runs in flight, of which
 * each batch appends one event to some, twelve events a run. And next to it, what the same insert
 * costs without the engine's schema around it.
 *
 * <p>Arguments: a folder for the files (default: the current one), seconds for each line.
 */
final class SqliteCommitBench {
  private static final int IN_FLIGHT = 1_000;
  private static final int EVENTS_PER_RUN = 12;
  private static final UUID NODE = UUID.randomUUID();
  private static final byte[] ATTRIBUTES =
      """
      {"id":"Payments.charge:12","digest":"0123456789abcdef0123456789abcdef","attempts":3}\
      """
          .getBytes(StandardCharsets.UTF_8);

  private final SqliteStore store;
  private final Random random = new Random(1);
  private final long[] keys = new long[IN_FLIGHT];
  private final int[] sizes = new int[IN_FLIGHT];
  private int turn;
  private long sequence;

  private SqliteCommitBench(SqliteStore store) {
    this.store = store;
    // As if they had started one after the other, so that every batch has starts and ends.
    Arrays.setAll(sizes, i -> i % EVENTS_PER_RUN);
  }

  public static void main(String... args) throws IOException, SQLException {
    var folder = Path.of(args.length > 0 ? args[0] : ".");
    var time = Duration.ofSeconds(args.length > 1 ? Long.parseLong(args[1]) : 5);
    for (int size : new int[] {1, 10, 100, 500}) {
      var fresh = Files.createTempDirectory(folder, "bench");
      run(fresh.resolve("store.db"), size, time);
      delete(fresh);
    }
  }

  private static void run(Path file, int size, Duration time) throws SQLException {
    try (var store = SqliteStore.open(file, new Options(true, false))) {
      store.join(new Joining(NODE, "bench", false, Duration.ofSeconds(10)));
      var bench = new SqliteCommitBench(store);
      bench.start();
      if (size == 1) bench.compareWithBareInsert(file, time);
      else bench.measure(size, time);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) Files.delete(file);
    }
    Files.delete(folder);
  }

  private void measure(int batchSize, Duration time) {
    commitFor(time.dividedBy(2), batchSize); // warm-up
    print("%d events a commit".formatted(batchSize), commitFor(time, batchSize), batchSize);
  }

  /** In turns, because the disk has its moods. */
  private void compareWithBareInsert(Path file, Duration time) throws SQLException {
    var turn = Duration.ofMillis(100);
    var ours = new ArrayList<Long>();
    var bare = new ArrayList<Long>();
    try (var insert = new BareInsert(file)) {
      commitFor(turn.multipliedBy(5), 1); // warm-up
      for (long i = 0; i < time.dividedBy(turn); i++) {
        ours.addAll(commitFor(turn, 1));
        bare.addAll(insert.insertFor(turn));
      }
    }
    print("1 event a commit", ours, 1);
    print("bare insert", bare, 1);
  }

  private void start() {
    var starts = new ArrayList<Transition>();
    for (int i = 0; i < IN_FLIGHT; i++) {
      starts.add(startOf(i));
      for (int index = 2; index <= sizes[i]; index++) starts.add(append(i, index));
      sizes[i] = Math.max(1, sizes[i]);
    }
    commit(starts);
  }

  private List<Long> commitFor(Duration time, int batchSize) {
    var nanos = new ArrayList<Long>();
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < time.toNanos()) {
      var transitions = new ArrayList<Transition>();
      while (transitions.size() < batchSize) transitions.add(next());
      long before = System.nanoTime();
      commit(transitions);
      nanos.add(System.nanoTime() - before);
    }
    return nanos;
  }

  private Transition next() {
    int i = turn;
    turn = (turn + 1) % IN_FLIGHT;
    if (sizes[i] == EVENTS_PER_RUN) {
      sizes[i] = 1;
      return startOf(i);
    }
    return append(i, ++sizes[i]);
  }

  private Start startOf(int i) {
    keys[i] = store.reserveKeys(1);
    var run =
        new RunRow(
            keys[i],
            UUID.randomUUID(),
            "order-" + keys[i],
            "Checkout",
            Status.RUNNING,
            NODE,
            now(),
            now(),
            null,
            null,
            0);
    return new Start(run, event(1));
  }

  private Append append(int i, int index) {
    var change =
        index == EVENTS_PER_RUN
            ? new RunChange.Close(Status.COMPLETED, now())
            : new RunChange.None();
    return new Append(keys[i], List.of(event(index)), List.of(), change);
  }

  private EventRow event(int index) {
    var value = new byte[20 + random.nextInt(170)];
    int type = EventType.ACTIVITY_COMPLETED.code();
    return new EventRow(index, now(), type, "Checkout.java:42", ATTRIBUTES, value);
  }

  private void commit(List<Transition> transitions) {
    store.commit(new Batch(NODE, ++sequence, transitions));
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MICROS);
  }

  private static void print(String what, List<Long> nanos, int batchSize) {
    var sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    double seconds = Arrays.stream(sorted).sum() / 1e9;
    System.out.printf(
        "%-20s %,9.0f events/s  p50 %,6d µs  p99 %,6d µs  max %,7d µs%n",
        what,
        sorted.length * (double) batchSize / seconds,
        sorted[sorted.length / 2] / 1_000,
        sorted[sorted.length * 99 / 100] / 1_000,
        sorted[sorted.length - 1] / 1_000);
  }

  /** One row into the same table of the same file, in a transaction of its own. */
  private static final class BareInsert implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement insert;
    private int count;

    private BareInsert(Path file) throws SQLException {
      connection = DriverManager.getConnection("jdbc:sqlite:" + file);
      try (var pragma = connection.createStatement()) {
        pragma.execute("PRAGMA synchronous = FULL");
      }
      insert = connection.prepareStatement("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, NULL)");
    }

    private List<Long> insertFor(Duration time) throws SQLException {
      var nanos = new ArrayList<Long>();
      long begin = System.nanoTime();
      while (System.nanoTime() - begin < time.toNanos()) {
        long before = System.nanoTime();
        insertRow();
        nanos.add(System.nanoTime() - before);
      }
      return nanos;
    }

    private void insertRow() throws SQLException {
      insert.setLong(1, -1 - count % IN_FLIGHT); // nobody else's keys
      insert.setInt(2, ++count);
      insert.setInt(3, EventType.ACTIVITY_COMPLETED.code());
      insert.setLong(4, Micros.of(now()));
      insert.setString(5, "Checkout.java:42");
      insert.setBytes(6, ATTRIBUTES);
      insert.setBytes(7, new byte[105]);
      insert.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}

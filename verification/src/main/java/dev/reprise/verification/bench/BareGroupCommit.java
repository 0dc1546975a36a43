package dev.reprise.verification.bench;

import dev.reprise.engine.store.EventRow;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The yardstick of W1 with any number in flight: so many threads, each of which waits for one row
 * after the other as a workflow does, and one writer that commits whatever waits. That is all a
 * journal needs, without workflows, replay, runs, leases or fences.
 */
final class BareGroupCommit implements AutoCloseable {
  private static final long FIRST_RUN = 1L << 40; // beyond those of others in the same table

  private final BareTable table;
  private final List<EventRow> history;
  private final AtomicReference<@Nullable Waiting> queue = new AtomicReference<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final AtomicLong runs = new AtomicLong(FIRST_RUN);
  private final LongAdder steps = new LongAdder();
  private final List<Thread> clients = new ArrayList<>();
  private final Thread writer = Thread.ofPlatform().name("bare-writer").unstarted(this::write);
  private volatile boolean stopping;

  /** Rows that are to be committed together, and who waits for them. */
  private static final class Waiting {
    private final Thread thread = Thread.currentThread();
    private final List<BareTable.Row> rows;
    private @Nullable Waiting next;
    private volatile boolean isStored;

    private Waiting(List<BareTable.Row> rows) {
      this.rows = rows;
    }
  }

  /** Starts the threads. The table belongs to them until they are closed. */
  static BareGroupCommit start(BareTable table, List<EventRow> history, int clients) {
    var bare = new BareGroupCommit(table, history);
    for (int i = 0; i < clients; i++) {
      bare.clients.add(Thread.ofVirtual().unstarted(bare::repeat));
    }
    bare.writer.start();
    bare.clients.forEach(Thread::start);
    return bare;
  }

  private BareGroupCommit(BareTable table, List<EventRow> history) {
    this.table = table;
    this.history = List.copyOf(history);
  }

  /** Waits for so long, and until there was a step, and tells the steps a second. */
  double measure(Duration window) throws InterruptedException {
    long begin = System.nanoTime();
    long before = steps.sum();
    do Thread.sleep(window);
    while (steps.sum() == before && !stopping);
    return (steps.sum() - before) * 1e9 / (System.nanoTime() - begin);
  }

  private void repeat() {
    while (!stopping) runOnce(runs.incrementAndGet());
  }

  /** The start is one commit, each step another, and the last step has the end with it. */
  private void runOnce(long run) {
    int last = history.size() - 2;
    store(run, history.subList(0, 1));
    for (int i = 1; i < last && !stopping; i++) storeStep(run, history.subList(i, i + 1));
    if (!stopping) storeStep(run, history.subList(last, last + 2));
  }

  private void storeStep(long run, List<EventRow> events) {
    store(run, events);
    steps.increment();
  }

  private void store(long run, List<EventRow> events) {
    var waiting = new Waiting(events.stream().map(row -> new BareTable.Row(run, row)).toList());
    do waiting.next = queue.get();
    while (!queue.compareAndSet(waiting.next, waiting));
    if (waiting.next == null) LockSupport.unpark(writer);
    while (!waiting.isStored && failure.get() == null) LockSupport.park(this);
  }

  private void write() {
    try {
      while (!stopping || queue.get() != null) {
        var newest = queue.getAndSet(null);
        if (newest == null) LockSupport.park(this);
        else commit(newest);
      }
    } catch (SQLException | RuntimeException | Error why) {
      failure.set(why);
      stopping = true;
      clients.forEach(LockSupport::unpark);
    }
  }

  private void commit(Waiting newest) throws SQLException {
    var rows = new ArrayList<BareTable.Row>();
    for (var w = newest; w != null; w = w.next) rows.addAll(w.rows);
    if (rows.size() == 1) table.insert(rows.getFirst());
    else table.insertAll(rows);
    for (@Nullable Waiting w = newest; w != null; ) {
      var next = w.next;
      w.isStored = true;
      LockSupport.unpark(w.thread);
      w = next;
    }
  }

  /** Waits for what is on its way. */
  @Override
  public void close() throws InterruptedException {
    stopping = true;
    for (var client : clients) client.join();
    LockSupport.unpark(writer);
    writer.join();
    var why = failure.get();
    if (why != null) throw new IllegalStateException("the rows could not be stored", why);
  }
}

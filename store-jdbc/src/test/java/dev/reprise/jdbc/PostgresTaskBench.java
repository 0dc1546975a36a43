package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.TasksUnderTest.scheduling;
import static dev.reprise.testkit.contract.TasksUnderTest.taking;
import static dev.reprise.testkit.contract.TasksUnderTest.telling;

import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Report.Change;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import dev.reprise.testkit.contract.Rows;
import dev.reprise.testkit.contract.TaskSpec;
import dev.reprise.testkit.contract.TestNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Measures what queued activities cost the store alone, from one thread: schedule a batch, take it,
 * report it, take the reports into the histories.
 *
 * <p>Arguments: seconds, the size of a batch, how many others wait on the queue.
 */
final class PostgresTaskBench {
  private final Store store;
  private final TestNode node;
  private final int size;
  private final long[] keys;
  private int index = 1;
  private final Map<String, Long> nanos = new TreeMap<>();

  private PostgresTaskBench(Store store, int size) {
    this.store = store;
    this.size = size;
    node = TestNode.join(store);
    var runs = IntStream.range(0, size).mapToObj(i -> node.run("bench-" + i)).toList();
    keys = runs.stream().mapToLong(run -> run.key()).toArray();
    node.store(runs.stream().map(run -> new Start(run, Rows.event(1))).toArray(Transition[]::new));
  }

  public static void main(String[] arguments) {
    var time = Duration.ofSeconds(arguments.length > 0 ? Long.parseLong(arguments[0]) : 10);
    int size = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 64;
    int others = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0;
    try (var store = TestDatabase.create().open()) {
      var bench = new PostgresTaskBench(store, size);
      bench.addOthers(others);
      bench.measure("warm up", time.dividedBy(3));
      for (int i = 1; i <= 3; i++) bench.measure("round " + i, time);
    }
    System.exit(0);
  }

  /** They wait behind all that is measured. */
  private void addOthers(int count) {
    long run = node.start("others");
    for (int i = 0; i < count; i += 1_000) {
      int first = i + 2;
      node.store(
          scheduling(
              run,
              IntStream.range(first, first + 1_000)
                  .mapToObj(each -> TaskSpec.activity(each).priority(9).key("key-" + each % 100))
                  .toArray(TaskSpec[]::new)));
    }
  }

  private void measure(String what, Duration time) {
    nanos.clear();
    long began = System.nanoTime();
    long done = 0;
    for (; System.nanoTime() - began < time.toNanos(); done += size) turn();
    double seconds = (System.nanoTime() - began) / 1e9;
    var parts = new StringBuilder();
    long count = done / size;
    nanos.forEach(
        (part, spent) ->
            parts.append(String.format(Locale.ROOT, "  %s %.0f µs", part, spent / 1e3 / count)));
    System.out.printf(Locale.ROOT, "%-8s %8.0f activities/s %s%n", what, done / seconds, parts);
  }

  private void turn() {
    int asked = ++index;
    int answered = ++index;
    timed("1 schedule", () -> schedule(asked));
    var taken = timed("2 take", () -> store.tasks().take(taking(TaskSpec.QUEUE, size, Rows.NOON)));
    if (taken.size() != size) throw new IllegalStateException("took " + taken.size());
    timed("3 report", () -> report(taken));
    timed("4 take in", () -> takeIn(answered));
  }

  private <T> T timed(String part, Supplier<T> work) {
    long began = System.nanoTime();
    var result = work.get();
    nanos.merge(part, System.nanoTime() - began, Long::sum);
    return result;
  }

  private boolean schedule(int at) {
    var batch = new ArrayList<Transition>();
    for (long run : keys) batch.add(scheduling(run, TaskSpec.activity(at)));
    node.store(batch.toArray(Transition[]::new));
    return true;
  }

  private boolean report(List<Handout> taken) {
    var reports = taken.stream().map(each -> telling(each, new Change.Finish(), "1")).toList();
    store.tasks().report(reports, Rows.NOON);
    return true;
  }

  private boolean takeIn(int at) {
    var inputs =
        store.inputs(List.of(IntStream.range(0, size).mapToObj(i -> keys[i]).toArray(Long[]::new)));
    var batch = new ArrayList<Transition>();
    for (long run : keys) {
      var ids = inputs.get(run).stream().map(InputRow::id).toList();
      batch.add(Rows.consume(run, at, ids, new RunChange.None()));
    }
    node.store(batch.toArray(Transition[]::new));
    return true;
  }
}

package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Batch;
import dev.reprise.engine.store.Store.Joining;
import dev.reprise.engine.store.Store.TransitionRefused;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever is done to tasks has the same answers, and leaves the same, as in the store in memory.
 */
class TasksSameAsMemoryTest {
  private static final int ROUNDS = 120;
  private static final int WHOLE = 8; // rounds between looks at everything, which take long

  private static final Duration SECONDS = Duration.ofSeconds(3);
  private static final Duration AGES = Duration.ofDays(1_000); // no matter by which clock

  private final UUID node = UUID.randomUUID();
  private final Store model = new MemoryStore();
  private int sequence;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void sqlite_does_what_memory_does(long seed, @TempDir Path folder) {
    try (var store = SqliteStore.open(folder.resolve("orders.db"), new Options(true, false))) {
      play(store, seed);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void postgres_does_what_memory_does(long seed) {
    try (var store = TestDatabase.create().open()) {
      play(store, seed);
    }
  }

  private void play(Store store, long seed) {
    for (var each : List.of(model, store)) {
      each.join(new Joining(node, "host", false, Duration.ofMinutes(1)));
    }
    var random = new RandomTasks(seed, node, model, store.isShared() ? AGES : SECONDS);
    for (int i = 0; i < ROUNDS; i++) {
      random.tick();
      transition(store, random);
      work(store, random);
      change(store, random);
      compare(store, random);
      if (i % WHOLE == 0) compareAll(store, random);
    }
  }

  private void transition(Store store, RandomTasks random) {
    var transition = random.transition();
    var expected = commit(model, new Batch(node, sequence + 1, List.of(transition)));
    assertThat(commit(store, new Batch(node, sequence + 1, List.of(transition))))
        .as("%s", transition)
        .isEqualTo(expected);
    if (!expected.equals("refused")) sequence++;
  }

  private static String commit(Store store, Batch batch) {
    try {
      return store.commit(batch).toString();
    } catch (TransitionRefused refused) {
      return "refused";
    }
  }

  private void work(Store store, RandomTasks random) {
    var take = random.take();
    var taken = model.tasks().take(take);
    assertThat(store.tasks().take(take))
        .as("%s", take)
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactlyInAnyOrderElementsOf(taken);
    random.taken(taken);
    var reports = random.reports();
    assertThat(store.tasks().report(reports, random.now()))
        .as("%s", reports)
        .isEqualTo(model.tasks().report(reports, random.now()));
    var beats = random.beats();
    assertThat(store.tasks().heartbeat(beats, random.now()))
        .as("%s", beats)
        .isEqualTo(model.tasks().heartbeat(beats, random.now()));
  }

  private void change(Store store, RandomTasks random) {
    var queue = random.queue();
    random
        .limits()
        .ifPresent(
            limits -> {
              model.tasks().limit(queue, limits);
              store.tasks().limit(queue, limits);
            });
    var other = random.replacement();
    assertThat(replace(store, other, random)).isEqualTo(replace(model, other, random));
  }

  private static boolean replace(Store store, RandomTasks.Replacement other, RandomTasks random) {
    return store
        .tasks()
        .replace(other.queue(), other.unique(), other.start(), other.visibleAt(), random.now());
  }

  private void compareAll(Store store, RandomTasks random) {
    for (long run : random.runs()) {
      assertThat(store.tasks().ofRun(run))
          .usingRecursiveFieldByFieldElementComparator()
          .containsExactlyElementsOf(model.tasks().ofRun(run));
      assertThat(messages(store, run)).isEqualTo(messages(model, run));
    }
    assertThat(store.runs(random.runs())).hasSameElementsAs(model.runs(random.runs()));
    assertThat(store.inconsistencies(10)).isEmpty();
  }

  private void compare(Store store, RandomTasks random) {
    assertThat(overdue(store, random)).isEqualTo(overdue(model, random));
    assertThat(store.tasks().nextOverdue()).isEqualTo(model.tasks().nextOverdue());
    assertThat(store.tasks().count(null)).hasSameElementsAs(model.tasks().count(null));
    for (var queue : RandomTasks.QUEUES) {
      var next = store.tasks().nextReady(queue);
      var expected = model.tasks().nextReady(queue);
      boolean byOwnClock = store.isShared() && model.tasks().limits(queue).rate() != null;
      if (byOwnClock) assertThat(next.isPresent()).isEqualTo(expected.isPresent());
      else assertThat(next).isEqualTo(expected);
    }
  }

  private static List<String> messages(Store store, long run) {
    return store.inputs(run).stream().map(InputRow::message).sorted().toList();
  }

  private static List<TaskRef> overdue(Store store, RandomTasks random) {
    return store.tasks().overdue(random.now(), 10_000).stream()
        .map(TaskView::ref)
        .sorted()
        .toList();
  }
}

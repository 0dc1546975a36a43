package dev.reprise.verification.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import dev.reprise.testkit.CrashingStore;
import dev.reprise.testkit.VirtualTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

/** Lets happen again what happened to a program in a straight run, to engines that do not last. */
final class Again {
  private static final Function<Store, Predicate<Transition>> NEVER = _ -> _ -> false;

  private final List<Op> program;
  private final Chronicle straight;
  private final List<Course.Moment> moments;

  Again(List<Op> program, Chronicle straight, List<Course.Moment> moments) {
    this.program = program;
    this.straight = straight;
    this.moments = moments;
  }

  /** What is done to an engine when nothing moves. */
  private enum Trouble {
    NONE,
    EVICTED,
    MOVED
  }

  /** The engine is killed after every transition. */
  void crashing() {
    follow(1, Crashes::new, Trouble.NONE);
  }

  /** Everything is taken out of memory whenever it only waits. */
  void evicted() {
    follow(1, NEVER, Trouble.EVICTED);
  }

  /** Another engine goes on after each thing that happens. */
  void moved() {
    follow(1, NEVER, Trouble.MOVED);
  }

  /** From a part of the history, of a program that has one run only. */
  void fromPrefix(int length) {
    follow(length, NEVER, Trouble.NONE);
  }

  private void follow(int length, Function<Store, Predicate<Transition>> moment, Trouble trouble) {
    var root = straight.root();
    var store = root.reopened(length);
    var time = new VirtualTime(root.event(length).at());
    int next = firstAt(length);
    for (int lives = 0; !isOver(store); lives++) {
      if (lives > 3 * straight.events() + moments.size()) {
        throw new AssertionError("no progress: " + Chronicle.of(store).lines());
      }
      next = live(new CrashingStore(store, moment.apply(store)), time, trouble, next);
      ReplayEquivalenceTest.assertSound(store, time);
    }
    assertThat(Chronicle.of(store).lines()).isEqualTo(straight.lines());
    assertThat(next).isEqualTo(moments.size());
  }

  /** The first moment at which the history of the program was that long. */
  private int firstAt(int length) {
    var run = straight.root().row().runId();
    int next = 0;
    while (next < moments.size() && moments.get(next).sizes().get(run) < length) next++;
    return next;
  }

  private static boolean isOver(Store store) {
    return Chronicle.of(store).runs().stream().allMatch(run -> run.row().status().isClosed());
  }

  /** One engine; returns what is next to happen when it has come to its end. */
  private int live(CrashingStore store, VirtualTime time, Trouble trouble, int from) {
    int next = from;
    try (var life = new Life(store, time, program)) {
      for (life.settle(); !life.isOver(); life.settle()) {
        if (trouble == Trouble.EVICTED) life.evict();
        if (next == moments.size())
          throw new AssertionError("goes on after the end: " + show(store));
        var moment = moments.get(next);
        assertThat(life.sizes()).as("%s", situation(next, store)).isEqualTo(moment.sizes());
        next++;
        assertSameAnswers(life.answers(), moment.answers());
        moment.next().happen(life);
        if (trouble == Trouble.MOVED) {
          life.settle();
          life.move();
          return next;
        }
      }
      assertThat(Chronicle.of(store).hasBlocked()).as("%s", show(store)).isFalse();
    }
    return next;
  }

  /** Of the runs that are in memory both times. */
  private static void assertSameAnswers(Map<UUID, String> now, Map<UUID, String> then) {
    var expected = new HashMap<>(then);
    expected.keySet().retainAll(now.keySet());
    assertThat(now).containsAllEntriesOf(expected);
  }

  private String situation(int next, Store store) {
    var before = next == 0 ? "the start" : moments.get(next - 1).next();
    return "after %s, before %s%n%s".formatted(before, moments.get(next).next(), show(store));
  }

  private static String show(Store store) {
    return String.join("\n", Chronicle.of(store).lines());
  }
}

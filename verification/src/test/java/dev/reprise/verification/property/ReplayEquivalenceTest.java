package dev.reprise.verification.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Status;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import dev.reprise.testkit.CrashingStore;
import dev.reprise.testkit.VirtualTime;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * The promise of the engine: for any workflow and any crash, the history and the result are those
 * of a run without crashes, timestamps included.
 *
 * <p>A program is run straight, with a random order of everything that can happen. Then it is run
 * again with the same things happening in the same order, but the engine is killed after every
 * single transition; and once more from a random prefix of the history, which may end in the middle
 * of a transition. Outside of any engine, the code follows its history and each prefix of it.
 */
class ReplayEquivalenceTest {
  private static final int TRIES = Integer.getInteger("reprise.property.tries", 1_000);
  private static final long FIRST_SEED = Long.getLong("reprise.property.seed", 1L);
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
  private static final Predicate<Transition> NEVER = _ -> false;

  @Test
  void a_run_that_crashes_after_every_transition_ends_like_one_that_never_does() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + TRIES; seed++) {
      var program = Op.program(new Random(seed));
      var problem = problemOf(program, seed);
      if (problem != null) throw smallest(program, seed, problem);
    }
  }

  private static AssertionError smallest(List<Op> program, long seed, Throwable problem) {
    var small = program;
    var why = problem;
    for (boolean shrunk = true; shrunk; ) {
      shrunk = false;
      for (var candidate : Op.smaller(small)) {
        var still = problemOf(candidate, seed);
        if (still != null) {
          small = candidate;
          why = still;
          shrunk = true;
          break;
        }
      }
    }
    return new AssertionError(
        "seed %d (-Dreprise.property.seed=%d -Dreprise.property.tries=1)%nprogram %s"
            .formatted(seed, seed, small),
        why);
  }

  private static Throwable problemOf(List<Op> program, long seed) {
    try {
      var straight = straight(program, new Random(seed));
      Replays.assertFollowed(program, straight);
      assertSame(straight, crashing(program, straight));
      int cut = 1 + new Random(seed).nextInt(straight.size() - 1);
      assertSame(straight, fromPrefix(program, straight, cut));
      return null;
    } catch (AssertionError | RuntimeException problem) {
      return problem;
    }
  }

  private static void assertSame(Recording straight, Recording other) {
    assertThat(other.lines()).isEqualTo(straight.lines());
    assertThat(other.row().status()).isEqualTo(straight.row().status());
  }

  // ---- the straight run -------------------------------------------------------------------------

  private static Recording straight(List<Op> program, Random random) {
    var store = new MemoryStore();
    try (var life = new Life(new CrashingStore(store, NEVER), new VirtualTime(BEGIN), program)) {
      life.start();
      var failures = new Failures(program);
      int signals = 0;
      for (life.settle(); !life.isOver(); life.settle()) {
        if (!somethingHappens(life, random, failures)) {
          life.signal(random.nextBoolean() ? "a" : "b", "s" + signals++);
        }
      }
      assertSound(store, life.time());
      return Recording.of(store);
    }
  }

  /** One of the things that can happen now: an activity ends, time passes, a signal comes. */
  private static boolean somethingHappens(Life life, Random random, Failures failures) {
    var waiting = List.copyOf(life.gate().waiting());
    var alarm = life.time().nextAlarm();
    int choice = random.nextInt(10);
    if (choice < 7 && !waiting.isEmpty()) {
      var path = waiting.get(random.nextInt(waiting.size()));
      if (failures.next(path)) life.gate().fail(path);
      else life.gate().succeed(path);
      return true;
    }
    if (choice < 9 && alarm.isPresent()) {
      life.time().advanceTo(alarm.get());
      return true;
    }
    return false;
  }

  // ---- the same again, with crashes -------------------------------------------------------------

  private static Recording crashing(List<Op> program, Recording straight) {
    var store = straight.reopened(1);
    var time = new VirtualTime(straight.event(1).at());
    for (int life = 0; life <= straight.size(); life++) {
      if (Recording.of(store).row().status() != Status.RUNNING) return Recording.of(store);
      follow(program, straight, store, time, ReplayEquivalenceTest::hasEvents);
    }
    throw new AssertionError("no progress: " + Recording.of(store).lines());
  }

  private static boolean hasEvents(Transition transition) {
    return transition instanceof Transition.Append append && !append.events().isEmpty();
  }

  private static Recording fromPrefix(List<Op> program, Recording straight, int length) {
    var store = straight.reopened(length);
    var time = new VirtualTime(straight.event(length).at());
    follow(program, straight, store, time, NEVER);
    return Recording.of(store);
  }

  /** Lets happen what happened in the straight run, until the engine crashes or the run ends. */
  private static void follow(
      List<Op> program,
      Recording straight,
      Store store,
      VirtualTime time,
      Predicate<Transition> moment) {
    try (var life = new Life(new CrashingStore(store, moment), time, program)) {
      for (life.settle(); !life.isOver(); life.settle()) {
        int size = life.history().size();
        if (size >= straight.size()) {
          throw new AssertionError("goes on where the straight run has ended");
        }
        cause(life, straight.event(size + 1), size);
      }
    }
    assertSound(store, time);
  }

  /** Whatever happened last, a crash or the end. */
  private static void assertSound(Store store, VirtualTime time) {
    assertThat(new Doctor(store, time::now).examine().findings()).isEmpty();
  }

  private static void cause(Life life, Recorded next, int size) {
    life.time().advanceTo(next.at());
    life.settle();
    if (life.isOver() || life.history().size() > size) return;
    switch (next.event()) {
      case Event.ActivityCompleted e -> life.gate().succeed(path(e.result().toString()));
      case Event.ActivityFailed e when isGivenUp(life, e) -> grows(life, size);
      case Event.ActivityFailed e -> life.gate().fail(path(e.failure().message()));
      case Event.ActivityRetryScheduled e -> life.gate().fail(path(e.failure().message()));
      case Event.SignalReceived e ->
          life.signal(e.signal(), e.value().toString().replace("\"", ""));
      case Event _ -> grows(life, size); // it happens by itself
    }
  }

  /** No attempt of it runs: its branch was given up between two attempts. */
  private static boolean isGivenUp(Life life, Event.ActivityFailed failed) {
    return !life.gate().waiting().contains(path(failed.failure().message()));
  }

  private static void grows(Life life, int size) {
    life.await(() -> life.isOver() || life.history().size() > size);
  }

  private static String path(String text) {
    return text.substring(text.indexOf('@') + 1).replace("\"", "");
  }
}

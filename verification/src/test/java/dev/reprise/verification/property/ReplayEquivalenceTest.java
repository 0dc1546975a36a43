package dev.reprise.verification.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.StartOptions;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import dev.reprise.testkit.CrashingStore;
import dev.reprise.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * The promise of the engine: for any workflow and any crash, the histories and the results are
 * those of a run without crashes, timestamps included; of its children too, of all runs with which
 * it goes on, and of what is undone.
 *
 * <p>A program is run straight, with a random order of everything that can happen. Then it is run
 * again with the same things happening in the same order, but the engine is killed after every
 * single transition; with everything taken out of memory whenever it waits; with another engine
 * after each thing that happens; and once more from a random prefix of the history, which may end
 * in the middle of a transition. Outside of any engine, the code follows its history and each
 * prefix of it.
 */
class ReplayEquivalenceTest {
  private static final int TRIES = Integer.getInteger("reprise.property.tries", 250);
  private static final long FIRST_SEED = Long.getLong("reprise.property.seed", 1L);
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
  private static final Predicate<Transition> NEVER = _ -> false;

  @Test
  void a_run_that_crashes_after_every_transition_ends_like_one_that_never_does() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + TRIES; seed++) {
      var program = Programs.random(new Random(seed));
      var problem = problemOf(program, seed);
      if (problem != null) throw smallest(program, seed, problem);
    }
  }

  private static AssertionError smallest(List<Op> program, long seed, Throwable problem) {
    var small = program;
    var why = problem;
    for (boolean shrunk = true; shrunk; ) {
      shrunk = false;
      for (var candidate : Bodies.smaller(small)) {
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
      var random = new Random(seed);
      var course = new Course(random);
      var straight = straight(program, course, options(random));
      for (var run : straight.runs()) Replays.assertFollowed(program, run);
      var again = new Again(program, straight, course.moments());
      again.crashing();
      again.evicted();
      again.moved();
      if (straight.runs().size() == 1) again.fromPrefix(cut(straight, seed));
      return null;
    } catch (AssertionError | RuntimeException problem) {
      return problem;
    }
  }

  private static int cut(Chronicle straight, long seed) {
    return 1 + new Random(seed).nextInt(straight.root().size() - 1);
  }

  private static StartOptions options(Random random) {
    var options = StartOptions.defaults();
    if (random.nextInt(4) == 0) options = options.attribute("x", 1);
    if (random.nextInt(6) > 0) return options;
    return options.timeout(Duration.ofNanos(1_000L + 1_000L * random.nextInt(5_000_000)));
  }

  private static Chronicle straight(List<Op> program, Course course, StartOptions options) {
    var store = new MemoryStore();
    try (var life = new Life(new CrashingStore(store, NEVER), new VirtualTime(BEGIN), program)) {
      life.start(options);
      course.run(life);
      assertSound(store, life.time());
    }
    var straight = Chronicle.of(store);
    assertThat(straight.hasBlocked()).as("%s", straight.lines()).isFalse();
    return straight;
  }

  /** Whatever happened last, a crash or the end. */
  static void assertSound(Store store, VirtualTime time) {
    assertThat(new Doctor(store, time::now).examine().findings()).isEmpty();
  }
}

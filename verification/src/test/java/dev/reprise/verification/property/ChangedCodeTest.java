package dev.reprise.verification.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.testkit.CrashingStore;
import dev.reprise.testkit.VirtualTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Code that changed under an open run is found out, whatever the change, and nothing is written.
 *
 * <p>A program of random steps and sleeps runs until only its end is missing. Then one of its
 * recorded pieces is changed, and the run goes on with the changed program.
 */
class ChangedCodeTest {
  private static final int TRIES = 400;
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

  @Test
  void every_change_of_what_was_recorded_blocks_the_run_and_writes_nothing() {
    for (long seed = 1; seed <= TRIES; seed++) {
      var random = new Random(seed);
      var program = program(random);
      var recorded = recorded(program);
      var changed = changed(program, random);

      var after = goOn(recorded, changed);

      assertThat(after.row().status())
          .as("seed %d: %s changed to %s", seed, program, changed)
          .isEqualTo(Status.BLOCKED);
      assertThat(after.row().blockedBy()).startsWith("R101").contains("Interpreter.java:");
      assertThat(after.lines()).isEqualTo(recorded.lines());
    }
  }

  @Test
  void code_that_did_not_change_is_not_accused() {
    for (long seed = 1; seed <= TRIES; seed++) {
      var program = program(new Random(seed));
      var recorded = recorded(program);

      var after = goOn(recorded, program);

      assertThat(after.row().status()).as("seed %d: %s", seed, program).isEqualTo(Status.RUNNING);
    }
  }

  /** Steps and sleeps, then a wait for a signal that never comes. */
  private static List<Op> program(Random random) {
    var program = new ArrayList<Op>();
    int size = 2 + random.nextInt(5);
    for (int i = 0; i < size; i++) {
      program.add(
          random.nextInt(3) == 0
              ? new Op.Sleep(1 + random.nextInt(900))
              : new Op.Step("p" + i, 0, 1));
    }
    program.add(new Op.Receive("a", 0));
    return program;
  }

  /**
   * One recorded piece added, removed, renamed, given another argument, moved, or the end early.
   */
  private static List<Op> changed(List<Op> program, Random random) {
    var changed = new ArrayList<>(program);
    int at = random.nextInt(program.size() - 1);
    switch (random.nextInt(6)) {
      case 0 -> changed.add(at, new Op.Step("new", 0, 1));
      case 1 -> changed.add(at, new Op.Sleep(5_000));
      case 2 -> changed.remove(at);
      case 3 -> changed.set(at, other(program.get(at)));
      case 4 -> changed.subList(at, changed.size()).clear();
      default -> {
        int to = (at + 1) % (program.size() - 1);
        changed.set(at, program.get(to));
        changed.set(to, program.get(at));
      }
    }
    return changed.equals(program) ? changed(program, random) : changed;
  }

  private static Op other(Op op) {
    return op instanceof Op.Sleep(var micros)
        ? new Op.Sleep(micros + 1)
        : new Op.Step("other", 0, 1);
  }

  /** Runs the program to its wait. */
  private static Recording recorded(List<Op> program) {
    var store = new MemoryStore();
    var time = new VirtualTime(BEGIN);
    try (var life = new Life(new CrashingStore(store, _ -> false), time, program)) {
      life.start(StartOptions.defaults());
      for (life.settle(); !waitsForSignal(life); life.settle()) {
        life.gate().waiting().forEach(key -> life.gate().end(key, true));
        time.nextAlarm().ifPresent(time::advanceTo);
      }
      return Recording.of(store);
    }
  }

  private static boolean waitsForSignal(Life life) {
    return life.row().wakeAt() == null;
  }

  /** Goes on from the recording with a program, until it waits or is blocked or closed. */
  private static Recording goOn(Recording recording, List<Op> program) {
    var store = recording.reopened(recording.size());
    var time = new VirtualTime(recording.event(recording.size()).at());
    try (var life = new Life(new CrashingStore(store, _ -> false), time, program)) {
      life.settle();
      return Recording.of(store);
    }
  }
}

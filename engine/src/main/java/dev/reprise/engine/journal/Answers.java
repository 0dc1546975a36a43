package dev.reprise.engine.journal;

import dev.reprise.engine.machine.Machine;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the database answers the writer, for those who ask how the engine is. */
final class Answers {
  private static final Duration SLOW = Duration.ofSeconds(5); // a healthy commit takes milliseconds

  private final Machine machine;
  private volatile long askedAt; // of the batch under way; 0 if there is none
  private volatile @Nullable Absence absence;

  /** Since when it has failed, and how it did the first time. */
  private record Absence(long since, String why) {}

  Answers(Machine machine) {
    this.machine = machine;
  }

  void asked() {
    askedAt = machine.nanoTime() | 1;
  }

  void came() {
    askedAt = 0;
    if (absence != null) absence = null;
  }

  void failed(RuntimeException why) {
    if (absence == null)
      absence = new Absence(machine.nanoTime(), String.valueOf(why.getMessage()));
  }

  /** What is wrong with it, if anything is. */
  Optional<String> trouble() {
    var away = absence;
    if (away != null) {
      return Optional.of(
          "the database has failed for %s: %s".formatted(since(away.since), away.why));
    }
    long asked = askedAt;
    if (asked == 0 || machine.nanoTime() - asked < SLOW.toNanos()) return Optional.empty();
    return Optional.of("the database has not answered for %s".formatted(since(asked)));
  }

  private Duration since(long nanos) {
    return Duration.ofMillis((machine.nanoTime() - nanos) / 1_000_000);
  }
}

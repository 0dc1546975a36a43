package dev.reprise.verification.chaos;

import java.time.Duration;

/**
 * What a round is made of.
 *
 * @param engines how many processes
 * @param lease how long one of them may be silent
 * @param inFlight how many workflows at a time
 * @param losesHints whether all notifications of the database are lost
 * @param hasWrongClocks whether the clock of the first engine is an hour ahead, of the second one
 *     an hour behind
 */
public record Setup(
    int engines, Duration lease, int inFlight, boolean losesHints, boolean hasWrongClocks) {

  /** Three engines with a lease of 2 s. */
  public static Setup plain() {
    return new Setup(3, Duration.ofSeconds(2), 40, false, false);
  }

  public Setup losingHints() {
    return new Setup(engines, lease, inFlight, true, hasWrongClocks);
  }

  public Setup withWrongClocks() {
    return new Setup(engines, lease, inFlight, losesHints, true);
  }

  Duration clockShift(int engine) {
    if (!hasWrongClocks) return Duration.ZERO;
    return switch (engine) {
      case 0 -> Duration.ofHours(1);
      case 1 -> Duration.ofHours(-1);
      default -> Duration.ZERO;
    };
  }
}

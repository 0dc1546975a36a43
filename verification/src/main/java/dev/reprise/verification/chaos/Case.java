package dev.reprise.verification.chaos;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the driver did with one workflow, and what it was told.
 *
 * @param number the input
 * @param isStarted whether the start was acknowledged
 * @param signals what was sent
 * @param result what it was told as the result, or null
 * @param toldAt when, by the monotonic clock of the machine
 */
record Case(
    int number, boolean isStarted, List<Sent> signals, @Nullable String result, long toldAt) {
  Case {
    signals = List.copyOf(signals);
  }

  String id() {
    return id(number);
  }

  static String id(int number) {
    return "load-" + number;
  }

  /**
   * A signal.
   *
   * @param note what it said
   * @param attempts how often it was sent until that was acknowledged; -1 if it never was
   */
  record Sent(Load.Note note, int attempts) {
    boolean isAcknowledged() {
      return attempts > 0;
    }
  }
}

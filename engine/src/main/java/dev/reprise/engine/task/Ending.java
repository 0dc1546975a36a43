package dev.reprise.engine.task;

import dev.reprise.FailureInfo;
import dev.reprise.engine.event.Payload;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How an attempt of an activity on a queue has ended, as its worker saw it. */
public sealed interface Ending {

  /** It returned. */
  record Returned(Payload result) implements Ending {}

  /**
   * It threw.
   *
   * @param terminal whether no other attempt can help
   * @param after how long to wait before the next, as the activity said; or null
   */
  record Threw(FailureInfo failure, boolean terminal, @Nullable Duration after) implements Ending {}

  /** Its code, or the code that asked for it, has made a mistake that only people can mend. */
  record Mistaken(FailureInfo failure) implements Ending {}

  /** Its method has returned, and somebody completes it from outside. */
  record LeftOpen() implements Ending {}

  /** The worker goes, and has not made it. */
  record GivenBack() implements Ending {}
}

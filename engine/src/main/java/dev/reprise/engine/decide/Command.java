package dev.reprise.engine.decide;

import dev.reprise.FailureInfo;
import dev.reprise.engine.event.Payload;
import java.time.Duration;
import java.time.Instant;

/** What workflow code asks for next, of the kinds that are recorded the moment they are asked. */
public sealed interface Command {

  /** Sleep for so long, from when it is recorded. */
  record Sleep(String id, Duration duration) implements Command {}

  /** Sleep until then. */
  record SleepUntil(String id, Instant due) implements Command {}

  /** Give up a sleep with its branch. */
  record CancelTimer(String id) implements Command {}

  /** Go the new way at this change. */
  record MarkPatch(String change) implements Command {}

  /** End with a result. */
  record Complete(Payload result) implements Command {}

  /** End with a failure. */
  record Fail(FailureInfo failure) implements Command {}

  /** End because that is wanted. */
  record Cancel(String reason) implements Command {}
}

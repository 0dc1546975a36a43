package dev.reprise.engine.replay;

import dev.reprise.RetryPolicy;
import dev.reprise.engine.event.Event.Call;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * An inline activity that workflow code asked for.
 *
 * @param call what history compares
 * @param body the function
 * @param type of its result
 * @param retry what happens after a failed attempt
 * @param timeout how long an attempt may take, or null
 * @param askedAt the workflow's time when it asked
 * @param undo whether it undoes something: the workflow's code is gone
 */
record Step(
    Call call,
    Callable<? extends @Nullable Object> body,
    Type type,
    RetryPolicy retry,
    @Nullable Duration timeout,
    Instant askedAt,
    boolean undo) {

  /** The same between two attempts: an event has the arguments now. */
  Step withoutArguments() {
    if (call.arguments() == null) return this;
    return new Step(call.withoutArguments(), body, type, retry, timeout, askedAt, undo);
  }
}

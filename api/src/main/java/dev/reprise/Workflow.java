package dev.reprise;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A workflow: an ordinary method that never loses progress.
 *
 * <p>The engine records what the method did through its {@link Context}. After a crash, a deploy or
 * a move to another machine it runs the method again from the top against that record, so that
 * completed activities are not run again and the method goes on where it stopped. Between calls of
 * the context the code must therefore be deterministic: no clocks, no random numbers, no threads,
 * no I/O of its own. {@link Context#now()}, {@link Context#random()}, {@link Context#async} and
 * activities are there instead.
 *
 * <p>The workflow's name is the simple name of its class, or what {@link Name} says. Input and
 * output types are read from the type parameters. One object serves all runs, possibly at the same
 * time: keep the state of a run in local variables.
 *
 * @param <I> what a caller gives when starting it
 * @param <O> what it returns in the end
 */
@FunctionalInterface
public interface Workflow<I extends @Nullable Object, O extends @Nullable Object> {

  /**
   * Runs from the first line to the last, however often the process is killed on the way. An
   * exception that leaves this method fails the workflow.
   */
  O run(Context ctx, I input) throws Exception;

  /** How long a run may take if whoever starts it says nothing else; empty for no limit. */
  default Optional<Duration> timeout() {
    return Optional.empty();
  }
}

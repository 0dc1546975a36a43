package dev.reprise.engine.machine;

import dev.reprise.Texts;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How threads of the engine live through an {@link Error}, such as that of a full heap. While there
 * is no memory nothing is certain to work, not even what handles the error: so everything here is
 * done again after a pause, and nothing is allocated on the way.
 */
public final class Survival {
  private static final Logger LOG = LoggerFactory.getLogger(Survival.class);
  private static final int MOST_TRIES = 600; // a minute
  private static final long PAUSE_NANOS = 100_000_000;

  private Survival() {}

  /**
   * What a thread runs to its end; after an error it begins again. Made by the one who starts the
   * thread: in the thread itself nothing may need memory before the loop has begun.
   */
  public static Runnable looping(Machine machine, Runnable body) {
    return () -> loop(machine, body);
  }

  private static void loop(Machine machine, Runnable body) {
    for (; ; ) {
      try {
        body.run();
        return;
      } catch (Error e) {
        of(e);
        pause(machine);
      }
    }
  }

  /** Does what must be done, perhaps in part more than once, for a minute at most. */
  public static void insist(Machine machine, Runnable work) {
    for (int tries = 1; ; tries++) {
      try {
        work.run();
        return;
      } catch (Error e) {
        if (tries == MOST_TRIES) throw e;
        pause(machine);
      }
    }
  }

  /** Notifies, and logs the error. The thread goes on. */
  public static void of(Machine machine, Error error, Consumer<Error> onError) {
    for (int tries = 1; tries <= MOST_TRIES; tries++) {
      try {
        onError.accept(error);
        break;
      } catch (Error again) {
        pause(machine);
      }
    }
    of(error);
  }

  /** Logs the error, if there is memory for that. The thread goes on. */
  @SuppressWarnings("EmptyCatch") // there is nothing left that would work
  public static void of(Error error) {
    try {
      LOG.atError()
          .addKeyValue("thread", Thread.currentThread().getName())
          .setCause(Texts.shown(error))
          .log("an error in a thread of the engine: {}", Texts.shown(error.toString()));
    } catch (RuntimeException | Error unlogged) {
    }
  }

  /** Waits a moment for memory. */
  @SuppressWarnings("EmptyCatch") // then it does not wait
  public static void pause(Machine machine) {
    try {
      machine.park(LOG, PAUSE_NANOS);
    } catch (Error impatient) {
    }
  }
}

package dev.reprise.testkit;

import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The engines of a test, one after the other on the same store and time. The first call starts the
 * first one; after a crash, the next one follows by itself.
 */
final class Lives {
  private final Store store;
  private final VirtualTime time;
  private final Replacements replacements;
  private final Consumer<Reprise> setup;
  private Predicate<Transition> end = _ -> false; // when the present life is to crash
  private volatile @Nullable Life current;
  private volatile boolean crashed;
  private boolean closed;

  Lives(Store store, VirtualTime time, Replacements replacements, Consumer<Reprise> setup) {
    this.store = store;
    this.time = time;
    this.replacements = replacements;
    this.setup = setup;
  }

  /** The present engine, or null before the first and between two. */
  @Nullable Life now() {
    return current;
  }

  /** The first life crashes right after this transition is durable. */
  synchronized void crashAfter(Predicate<Transition> transition) {
    end = transition;
  }

  /** Whether one of them has crashed. */
  boolean haveCrashed() {
    return crashed;
  }

  /** The engine that lives: started now if there is none. */
  synchronized Life alive() {
    if (closed) throw new IllegalStateException("this TestEngine is closed: its test is over");
    var life = current;
    if (life != null && !life.hasCrashed()) return life;
    if (life != null) bury(life);
    var next = begin();
    current = next;
    return next;
  }

  private void bury(Life life) {
    crashed = true;
    life.close();
  }

  private Life begin() {
    var doomed = new CrashingStore(store, end);
    end = _ -> false;
    var reprise = Reprise.on(doomed).time(time.view()).runIds(Lives::runId);
    setup.accept(reprise);
    doomed.onCrash(() -> Thread.startVirtualThread(this::follow));
    return new Life(doomed, reprise, replacements);
  }

  /** The same in each run of a test, and so is what workflows draw from their random numbers. */
  private static UUID runId(String workflowId) {
    return UUID.nameUUIDFromBytes(workflowId.getBytes(StandardCharsets.UTF_8));
  }

  /** Starts the next engine even if the test does not call anything for a while. */
  private synchronized void follow() {
    if (!closed && current != null) alive();
  }

  /** Calls the engine that lives; if it crashes meanwhile, the next one. */
  <T extends @Nullable Object> T call(Function<Engine, T> work) {
    for (; ; ) {
      Life.checkCaller();
      var life = alive();
      Life.checkCaller(); // it may have crashed while this thread waited
      try {
        return work.apply(life.engine());
      } catch (RuntimeException e) {
        if (!life.hasCrashed()) throw e;
      }
    }
  }

  /** Kills the present engine; the next one goes on. */
  void crash() {
    Life.checkCaller();
    alive().crash();
    if (!Life.isInActivity()) alive(); // else the thread of the activity would wait for itself
  }

  /** Ends the present engine in good order; the next call starts another. */
  synchronized void stop() {
    var life = current;
    current = null;
    if (life != null) life.close();
  }

  synchronized void close() {
    closed = true;
    stop();
  }
}

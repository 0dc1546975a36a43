package dev.reprise.testkit;

import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.replay.ActivityCall;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One engine of a test, from its start to its crash or its end. */
final class Life {
  private static final Duration GRACE = Duration.ofMillis(200); // for activities that hear nothing
  private static final ScopedValue<Life> CALLED_BY = ScopedValue.newInstance();

  private final CrashingStore store;
  private final Replacements replacements;
  private final Set<Call> running = ConcurrentHashMap.newKeySet();
  private final Engine engine;

  /** Starts the engine. */
  Life(CrashingStore store, Reprise setup, Replacements replacements) {
    this.store = store;
    this.replacements = replacements;
    this.engine = setup.shutdownGrace(GRACE).interceptor(this::run).start();
  }

  private @Nullable Object run(ActivityCall call) throws Exception {
    var begun = replacements.begin(call);
    running.add(begun);
    try {
      return ScopedValue.where(CALLED_BY, this).call(() -> replacements.answer(begun));
    } finally {
      running.remove(begun);
    }
  }

  /** Whether the calling thread is one of an activity. */
  static boolean isInActivity() {
    return CALLED_BY.isBound();
  }

  /** Refuses calls of activities whose engine has crashed: in a real crash they were gone too. */
  static void checkCaller() {
    if (CALLED_BY.isBound() && CALLED_BY.get().hasCrashed()) {
      throw new IllegalStateException("the engine of this activity crashed");
    }
  }

  Engine engine() {
    return engine;
  }

  /** Activities that run now. */
  List<Call> running() {
    return List.copyOf(running);
  }

  /** From now on nothing that it does reaches the store. */
  void crash() {
    store.crash();
  }

  boolean hasCrashed() {
    return store.hasCrashed();
  }

  /** Ends it; activities that still run are interrupted. */
  void close() {
    for (var call : running) call.thread().interrupt();
    engine.close();
  }
}

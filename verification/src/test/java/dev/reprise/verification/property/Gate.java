package dev.reprise.verification.property;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Where activities wait until the test says how they end. One for each life of an engine. */
final class Gate {
  private final Map<String, CompletableFuture<String>> waiting = new TreeMap<>();
  private boolean closed;

  /** The activity of all random programs. */
  String work(String path) {
    return enter(path).join();
  }

  private synchronized CompletableFuture<String> enter(String path) {
    var outcome = new CompletableFuture<String>();
    if (closed) outcome.completeExceptionally(new IllegalStateException("this life is over"));
    else if (waiting.put(path, outcome) != null) throw new AssertionError("twice at once: " + path);
    return outcome;
  }

  synchronized Set<String> waiting() {
    return new TreeSet<>(waiting.keySet());
  }

  /** Ends the attempt, if it is one of this life. */
  void end(String key, boolean well) {
    CompletableFuture<String> outcome;
    synchronized (this) {
      outcome = waiting.remove(key);
    }
    if (outcome == null) return;
    if (well) outcome.complete("ok@" + key);
    else outcome.completeExceptionally(new IllegalStateException("no@" + key));
  }

  /** The engine of this life has crashed. */
  synchronized void close() {
    closed = true;
    var over = new IllegalStateException("this life is over");
    waiting.values().forEach(outcome -> outcome.completeExceptionally(over));
    waiting.clear();
  }
}

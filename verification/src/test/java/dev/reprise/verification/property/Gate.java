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

  synchronized int size() {
    return waiting.size();
  }

  void succeed(String path) {
    remove(path).complete("ok@" + path);
  }

  void fail(String path) {
    remove(path).completeExceptionally(new IllegalStateException("no@" + path));
  }

  private synchronized CompletableFuture<String> remove(String path) {
    var outcome = waiting.remove(path);
    if (outcome == null) throw new AssertionError(path + " does not wait, " + waiting() + " do");
    return outcome;
  }

  /** The engine of this life has crashed. */
  synchronized void close() {
    closed = true;
    var over = new IllegalStateException("this life is over");
    waiting.values().forEach(outcome -> outcome.completeExceptionally(over));
    waiting.clear();
  }
}

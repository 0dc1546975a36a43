package dev.reprise.engine.task;

import dev.reprise.engine.replay.RunPort;
import dev.reprise.engine.store.Handout;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/** What those who run tasks need from the rest of the engine. No call may block. */
public interface TaskPort {

  /** The engine's time. */
  Instant now();

  /** Calls back then, or a little later, never earlier; not at all if the node is gone by then. */
  RunPort.Timer at(Instant due, Runnable action);

  /** Inputs wait for these runs. */
  void told(Collection<Long> runs);

  /** Lets a run begin that has waited on a queue; false if it has begun elsewhere or is closed. */
  CompletableFuture<Boolean> begin(Handout run);

  /** A thread that runs or reports tasks met an error, and does its work again. */
  void failed(Error error);

  /** There may be something on a queue for workers of other processes. */
  void announce(String queue);
}

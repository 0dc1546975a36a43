package dev.reprise.verification.bench;

import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Clients that share one piece of work.
 *
 * @param size how many at once
 */
record Crowd(int size) {

  /** Does it for all numbers below that, and returns when all is done. */
  void each(int times, IntConsumer action) throws ExecutionException, InterruptedException {
    var next = new AtomicInteger();
    var clients = new ArrayList<Future<?>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < size; i++) {
        clients.add(
            threads.submit(
                () -> {
                  for (int n = next.getAndIncrement(); n < times; n = next.getAndIncrement()) {
                    action.accept(n);
                  }
                }));
      }
      for (var client : clients) client.get();
    }
  }
}

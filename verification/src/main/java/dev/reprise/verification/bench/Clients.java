package dev.reprise.verification.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Many clients at once, each with one workflow at a time. */
final class Clients {
  private static final int WARM_UP = -1;

  private final TestBed bed;
  private final int rounds;
  private final List<Client> clients = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile int round = WARM_UP;

  private Clients(TestBed bed, int rounds) {
    this.bed = bed;
    this.rounds = rounds;
  }

  /** Starts them. What they do does not count until they {@link #enter} a round. */
  static Clients start(TestBed bed, int count, int rounds) {
    var all = new Clients(bed, rounds);
    for (int i = 0; i < count; i++) all.clients.add(all.new Client());
    for (var client : all.clients) client.thread.start();
    return all;
  }

  /** What ends from now on counts for this round. */
  void enter(int next) {
    round = next;
  }

  /** Whether one has failed, so that all end. */
  boolean hasFailed() {
    return failure.get() != null;
  }

  /** Waits for the workflows that run; these do not count. */
  void stop() throws InterruptedException {
    round = rounds;
    for (var client : clients) client.thread.join();
    var why = failure.get();
    if (why != null) throw new IllegalStateException("a client failed", why);
  }

  /** From start to result, all that ended in that round. For after {@link #stop}. */
  Latencies latencies(int of) {
    var all = new Latencies();
    for (var client : clients) all.addAll(client.latencies.get(of));
    return all;
  }

  private final class Client implements Runnable {
    private final Thread thread = Thread.ofVirtual().unstarted(this);
    private final List<Latencies> latencies = new ArrayList<>();

    private Client() {
      for (int i = 0; i < rounds; i++) latencies.add(new Latencies());
    }

    @Override
    public void run() {
      try {
        while (round < rounds) once();
      } catch (Throwable t) {
        failure.compareAndSet(null, t);
        round = rounds;
      }
    }

    private void once() {
      long begin = System.nanoTime();
      bed.run(Job.SEQUENCE, ClosedLoop.STEPS);
      long end = System.nanoTime();
      int now = round;
      if (now >= 0 && now < rounds) latencies.get(now).add(end - begin);
    }
  }
}

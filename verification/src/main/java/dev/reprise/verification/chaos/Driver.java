package dev.reprise.verification.chaos;

import dev.reprise.Client;
import dev.reprise.RepriseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Starts workflows, sends them signals, waits for the results, and remembers what it was told. */
public final class Driver implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration LOOK = Duration.ofSeconds(5);

  private final Client client;
  private final int inFlight;
  private final Duration patience;
  private final Semaphore places;
  private final Queue<Case> cases = new ConcurrentLinkedQueue<>();
  private final Queue<String> problems = new ConcurrentLinkedQueue<>();
  private final AtomicInteger retries = new AtomicInteger();
  private volatile boolean stopping;

  /** With so many workflows at once. What takes longer than the patience counts as lost. */
  public Driver(Client client, int inFlight, Duration patience) {
    this.client = client;
    this.inFlight = inFlight;
    this.patience = patience;
    this.places = new Semaphore(inFlight);
  }

  /** Begins to work, until it is told to finish. */
  public Driver begin() {
    Thread.ofVirtual().name("driver").start(this::work);
    return this;
  }

  /** Starts nothing new, and waits for what was started. */
  public List<Case> finish() throws InterruptedException {
    stopping = true;
    if (!places.tryAcquire(inFlight, patience.toSeconds() * 2, TimeUnit.SECONDS)) {
      problems.add("the driver did not come to its end");
    }
    return List.copyOf(cases);
  }

  /** How many workflows have ended so far. */
  public int completed() {
    return cases.size();
  }

  /** How often a call was made again. */
  public int retries() {
    return retries.get();
  }

  /** Errors that no fault excuses. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  @Override
  public void close() {
    stopping = true;
  }

  private void work() {
    for (int number = 0; !stopping; number++) {
      places.acquireUninterruptibly();
      int mine = number;
      Thread.startVirtualThread(
          () -> {
            try {
              cases.add(drive(mine));
            } catch (RuntimeException e) {
              problems.add(Case.id(mine) + ": " + e);
            } finally {
              places.release();
            }
          });
    }
  }

  private Case drive(int number) {
    var id = Case.id(number);
    if (attempts(() -> client.start(Load.class, id, number)) < 0) {
      return new Case(number, false, List.of(), null, 0);
    }
    var sent = Collections.synchronizedList(new ArrayList<Case.Sent>());
    var senders = new ArrayList<Thread>();
    for (int sender = 0; sender < Load.SENDERS; sender++) {
      int who = sender;
      senders.add(Thread.startVirtualThread(() -> send(id, who, sent)));
    }
    for (var sender : senders) join(sender);
    var result = result(id);
    return new Case(number, true, sent, result, System.nanoTime());
  }

  /** One after the other: the next one is sent when the one before is acknowledged. */
  private void send(String id, int sender, List<Case.Sent> sent) {
    for (int number = 0; number < Load.NOTES; number++) {
      var note = new Load.Note(sender, number);
      var message = sender + "-" + number;
      var attempts = attempts(() -> client.signal(id, Load.NOTE, note, message));
      sent.add(new Case.Sent(note, attempts));
      if (attempts < 0) return;
    }
  }

  private @Nullable String result(String id) {
    var deadline = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() < deadline) {
      try {
        return client.handle(Load.class, id).result(LOOK);
      } catch (TimeoutException e) {
        continue; // still open
      } catch (RepriseException e) {
        mayTryAgain(e);
      }
    }
    return null;
  }

  /** Makes the call until it is acknowledged: how often, or -1 if it never was. */
  private int attempts(Runnable call) {
    var deadline = System.nanoTime() + patience.toNanos();
    for (int attempt = 1; System.nanoTime() < deadline; attempt++) {
      try {
        call.run();
        return attempt;
      } catch (RepriseException e) {
        mayTryAgain(e);
      }
    }
    return -1;
  }

  private void mayTryAgain(RepriseException e) {
    if (!e.isRetryable()) throw e;
    retries.incrementAndGet();
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException interrupt) {
      throw new IllegalStateException("nobody interrupts a driver", interrupt);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a driver", e);
    }
  }
}

package dev.reprise.verification.chaos;

import dev.reprise.Client;
import dev.reprise.ErrorCode;
import dev.reprise.Fork;
import dev.reprise.RepriseException;
import dev.reprise.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lets workflows live whole lives, and says what became of them that should not have. */
final class LifeDriver implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Client client;
  private final int inFlight;
  private final Duration patience;
  private final Semaphore places;
  private final Queue<String> problems = new ConcurrentLinkedQueue<>();
  private final ParcelDriver parcels;
  private final Queue<String> sagas = new ConcurrentLinkedQueue<>();
  private final AtomicInteger ended = new AtomicInteger();
  private volatile boolean stopping;

  /** With so many at once. What takes longer than the patience counts as lost. */
  LifeDriver(Client client, ParcelDriver parcels, int inFlight, Duration patience) {
    this.client = client;
    this.parcels = parcels;
    this.inFlight = inFlight;
    this.patience = patience;
    this.places = new Semaphore(inFlight);
  }

  LifeDriver begin() {
    Thread.ofVirtual().name("life-driver").start(this::work);
    return this;
  }

  /** Starts nothing new, and waits for what was started. */
  void finish() throws InterruptedException {
    stopping = true;
    if (!places.tryAcquire(inFlight, patience.toSeconds() * 2, TimeUnit.SECONDS)) {
      problems.add("lives did not come to their end");
    }
    until("the queue", parcels::isDone);
  }

  int ended() {
    return ended.get();
  }

  /** What went wrong, by what callers were told and by the lines of the ledger. */
  List<String> problems(List<String> lines) {
    var done = lines.stream().collect(Collectors.groupingBy(line -> line.split(" ")[0]));
    var all = new ArrayList<>(problems);
    for (var saga : sagas) judgeSaga(saga, done.getOrDefault(saga, List.of()), all);
    all.addAll(parcels.problems());
    return all;
  }

  /** All that may have been done is undone, the last first. */
  private static void judgeSaga(String id, List<String> lines, List<String> problems) {
    var undone = lines.stream().filter(line -> line.contains(" undo ")).distinct().toList();
    var expected =
        IntStream.iterate(Lives.DEEDS, i -> i > 0, i -> i - 1)
            .mapToObj(i -> id + " undo " + i)
            .toList();
    if (!undone.equals(expected)) problems.add("%s was undone as %s".formatted(id, lines));
  }

  private void work() {
    for (int number = 0; !stopping; number++) {
      places.acquireUninterruptibly();
      int mine = number;
      Thread.startVirtualThread(
          () -> {
            try {
              live(mine);
              ended.incrementAndGet();
            } catch (RuntimeException e) {
              problems.add("life-" + mine + ": " + e);
            } finally {
              places.release();
            }
          });
    }
  }

  private void live(int number) {
    var id = "life-" + number;
    switch (number % 8) {
      case 0 -> failingSaga(id);
      case 1 -> cancelledSaga(id);
      case 2 -> family(id, number);
      case 3 -> wheel(id, number);
      case 4 -> relay(id);
      case 5 -> parcels(id, number);
      case 6 -> question(id, number);
      default -> sum(id, number);
    }
  }

  private void failingSaga(String id) {
    call(() -> client.start(Lives.Saga.class, id, "fail"));
    ends(id, Status.FAILED);
    sagas.add(id);
  }

  /** Cancelled at any moment; a second time after a while, which changes nothing. */
  private void cancelledSaga(String id) {
    call(() -> client.start(Lives.Saga.class, id, "wait"));
    until(id, () -> client.history(id).size() > 2 * Lives.DEEDS);
    call(
        () -> {
          client.cancel(id, "not wanted");
          return id;
        });
    ends(id, Status.CANCELLED);
    sagas.add(id);
  }

  private void family(String id, int number) {
    call(() -> client.start(Lives.Family.class, id, number));
    ends(id, Status.COMPLETED);
    expect(id, Lives.Family.expected(number));
    fork(id);
    expect(id + "-fork", Lives.Family.expected(number));
  }

  private void fork(String id) {
    var copy = id + "-fork";
    call(
        () -> {
          try {
            return client.fork(Fork.of(id, 1).as(copy));
          } catch (RepriseException e) {
            if (e.code() == ErrorCode.R105) return copy; // an earlier call did it after all
            throw e;
          }
        });
    ends(copy, Status.COMPLETED);
  }

  private void wheel(String id, int number) {
    call(() -> client.start(Lives.Wheel.class, id, number));
    ends(id, Status.COMPLETED);
    expect(id, Lives.Wheel.expected(number));
  }

  private void relay(String id) {
    call(() -> client.start(Lives.Relay.class, id, List.of()));
    for (int i = 1; i <= Lives.WORDS; i++) say(id, i, "word-" + i);
    ends(id, Status.COMPLETED);
    expect(id, IntStream.rangeClosed(1, Lives.WORDS).boxed().toList().toString());
  }

  private void sum(String id, int number) {
    call(() -> client.start(Lives.Sum.class, id, number));
    int expected = number;
    for (int i = 1; i <= Lives.UPDATES; i++) {
      int more = i;
      expected += i;
      int sum = call(() -> client.update(id, Lives.ADD, more, "add-" + more));
      if (sum != expected) problems.add("%s answered %d, not %d".formatted(id, sum, expected));
    }
    say(id, 0, "end");
    ends(id, Status.COMPLETED);
    expect(id, expected);
  }

  private void parcels(String id, int number) {
    call(() -> client.start(Parcels.Round.class, id, number));
    ends(id, Status.COMPLETED);
    expect(id, Parcels.Round.expected(number));
    parcels.ended(id);
  }

  private void question(String id, int number) {
    call(() -> client.start(Parcels.Question.class, id, number));
    until(id, () -> parcels.answer(id, 1));
    ends(id, Status.COMPLETED);
    expect(id, number + 1);
  }

  private void say(String id, int word, String message) {
    call(
        () -> {
          client.signal(id, Lives.WORD, word, message);
          return id;
        });
  }

  private void ends(String id, Status status) {
    until(id, () -> isEnded(client.describe(id).status()));
    var now = call(() -> client.describe(id).status());
    if (now != status) problems.add(id + " ended as " + now + ": " + types(id));
  }

  private static boolean isEnded(Status status) {
    return status.isHeld() || (status.isClosed() && status != Status.CONTINUED);
  }

  private void expect(String id, Object result) {
    var told = call(() -> String.valueOf(client.handle(id, Object.class).result()));
    if (!told.equals(result.toString())) problems.add(id + " returned " + told + ", not " + result);
  }

  private List<String> types(String id) {
    return call(() -> client.history(id).stream().map(event -> event.type()).toList());
  }

  private void until(String id, Supplier<Boolean> condition) {
    var deadline = System.nanoTime() + patience.toNanos();
    while (!call(condition)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("never ended: " + id + " " + now(id));
      }
      pause();
    }
  }

  private Object now(String id) {
    return call(() -> id.startsWith("life-") ? client.describe(id) : client.queues());
  }

  /** Calls until there is an answer. */
  private <T> T call(Supplier<T> call) {
    var deadline = System.nanoTime() + patience.toNanos();
    for (; ; ) {
      try {
        return call.get();
      } catch (RepriseException e) {
        if (!e.isRetryable() || System.nanoTime() > deadline) throw e;
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException interrupt) {
      throw new IllegalStateException("nobody interrupts a driver", interrupt);
    }
  }

  @Override
  public void close() {
    stopping = true;
  }
}

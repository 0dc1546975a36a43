package dev.reprise.verification.chaos;

import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.testpostgres.PostgresServer;
import dev.reprise.verification.chaos.Proxy.CutPoint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntPredicate;

/**
 * A database with engines under load, to which faults are done: each kind of fault on a thread of
 * its own, so that they meet.
 */
public final class Round implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration CALL = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(5);
  private static final int LOADS_A_LIFE = 4;
  private static final int LONGEST_PAUSE = 400; // milliseconds between two faults of a kind
  private static final int LONGEST_DELAY = 3_000; // milliseconds that a frozen process is overdue
  private static final int LONGEST_OUTAGE = 1_000; // milliseconds

  private final Setup setup;
  private final long seed;
  private final Path ledger;
  private final PostgresServer server = PostgresServer.start();
  private final Proxy proxy = Proxy.to(server.host(), server.port());
  private final String database;
  private final Fleet fleet;
  private final Engine client;
  private final Driver driver;
  private final LifeDriver lives;
  private final AtomicIntegerArray done = new AtomicIntegerArray(Fault.values().length);
  private final Queue<String> problems = new ConcurrentLinkedQueue<>();

  /** Starts everything; files go into the folder. */
  public Round(Setup setup, long seed, Path folder) throws IOException {
    this.setup = setup;
    this.seed = seed;
    this.ledger = folder.resolve("ledger.txt");
    proxy.dropNotifications(setup.losesHints());
    this.database = server.createDatabase();
    var url = proxy.url(database);
    this.fleet = new Fleet(setup, folder, url, ledger.toString(), setup.lease().toString());
    this.client = Reprise.open(url).lease(setup.lease()).callTimeout(CALL).client();
    this.driver = new Driver(client, setup.inFlight(), PATIENCE).begin();
    var parcels = new ParcelDriver(client, Path.of(ledger + EngineProcess.LIVES));
    int inFlight = setup.inFlight() / LOADS_A_LIFE;
    this.lives = new LifeDriver(client, parcels, inFlight, PATIENCE).begin();
  }

  /** Does each fault so many times, and returns when all are done. */
  public void suffer(Map<Fault, Integer> faults) throws InterruptedException {
    var threads = new ArrayList<Thread>();
    faults.forEach((fault, times) -> threads.add(start(fault, count -> count < times)));
    for (var thread : threads) thread.join();
  }

  /** Does these faults for so long. */
  public void suffer(Iterable<Fault> faults, Duration time) throws InterruptedException {
    var end = System.nanoTime() + time.toNanos();
    var threads = new ArrayList<Thread>();
    for (var fault : faults) threads.add(start(fault, _ -> System.nanoTime() < end));
    if (threads.isEmpty()) Thread.sleep(time);
    for (var thread : threads) thread.join();
  }

  private Thread start(Fault fault, IntPredicate goesOn) {
    var random = new Random(seed + fault.ordinal());
    return Thread.ofPlatform()
        .name("fault-" + fault)
        .start(
            () -> {
              try {
                while (problems.isEmpty() && goesOn.test(done(fault))) {
                  awaitWork(fault.work());
                  Thread.sleep(random.nextInt(LONGEST_PAUSE));
                  make(fault, random);
                  done.incrementAndGet(fault.ordinal());
                }
              } catch (Exception e) {
                problems.add(fault + " could not be done: " + e);
              }
            });
  }

  /** Waits until so many more workflows have ended: a fault without load tries nothing. */
  private void awaitWork(int workflows) throws InterruptedException {
    var enough = driver.completed() + workflows;
    var end = System.nanoTime() + PATIENCE.toNanos();
    while (driver.completed() < enough) {
      if (System.nanoTime() > end) throw new IllegalStateException("nothing goes on any more");
      Thread.sleep(POLL);
    }
  }

  private void make(Fault fault, Random random)
      throws InterruptedException, ExecutionException, TimeoutException {
    switch (fault) {
      case KILL -> fleet.kill(random.nextInt(fleet.size()));
      case FREEZE -> {
        var time = setup.lease().plusMillis(1_500 + random.nextInt(LONGEST_DELAY));
        fleet.freeze(random.nextInt(fleet.size()), time);
      }
      case DATABASE -> {
        server.kill();
        Thread.sleep(random.nextInt(LONGEST_OUTAGE));
        server.restart();
      }
      case CUT -> proxy.cutCommit(point(random)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static CutPoint point(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> CutPoint.BEFORE;
      case 1, 2 -> CutPoint.DURING;
      default -> CutPoint.AFTER;
    };
  }

  /** Lets all work come to its end, and compares. */
  public Report finish() throws IOException, InterruptedException {
    var cases = driver.finish();
    lives.finish();
    problems.addAll(lives.problems(Ledger.read(Path.of(ledger + EngineProcess.LIVES))));
    var effects = Ledger.read(ledger).stream().map(Effect::parse).toList();
    var found = Verdict.on(cases, client::history, effects, fleet.freezes());
    problems.addAll(driver.problems());
    problems.addAll(fleet.stop());
    problems.addAll(examine());
    return new Report(seed, counts(), found, lives.ended(), List.copyOf(problems));
  }

  /** What the doctor finds in the database, straight and not through the proxy. */
  private List<String> examine() {
    try (var store = Reprise.open(database, new StoreProvider.Options(false, true))) {
      return Doctor.examine(store).stream().map(finding -> "doctor: " + finding).toList();
    }
  }

  private Report.Tried counts() {
    return new Report.Tried(
        done(Fault.KILL),
        done(Fault.FREEZE),
        done(Fault.DATABASE),
        done(Fault.CUT),
        proxy.counts().notificationsDropped(),
        driver.retries());
  }

  private int done(Fault fault) {
    return done.get(fault.ordinal());
  }

  @Override
  public void close() {
    driver.close();
    lives.close();
    fleet.close();
    client.close();
    proxy.close();
    server.close();
  }
}

package dev.reprise.verification.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Client;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.doctor.Doctor;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.testpostgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** A database, a proxy before it, engine processes, and the judge of what they did. */
public final class Scene implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long PAUSE_NANOS = 5_000_000;
  private static final List<String> QUICK_START =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final Path folder;
  private final PostgresServer server = PostgresServer.shared();
  private final String url = server.createDatabase();
  private final Connection connection = connect(url);
  private final Proxy proxy = Proxy.to(server.host(), server.port());
  private final Processes processes = new Processes();
  private final Map<Long, Long> frozen = new HashMap<>();
  private final List<Freeze> freezes = new ArrayList<>();
  private int engines;

  /** Files go into the folder. */
  public Scene(Path folder) {
    this.folder = folder;
  }

  public String url() {
    return url;
  }

  public String proxiedUrl() {
    return proxy.url(url);
  }

  public Proxy proxy() {
    return proxy;
  }

  public Path ledger() {
    return folder.resolve("ledger.txt");
  }

  // ---- processes

  /** An engine that runs {@link Load}. */
  public Processes.Child loadEngine(String ofUrl, Duration lease) {
    return engine(EngineProcess.class, ofUrl, ledger().toString(), lease.toString());
  }

  /** An engine that is ready. */
  public Processes.Child engine(Class<?> main, String... arguments) {
    var output = folder.resolve("engine-" + engines++ + ".log");
    var child = processes.start(output, QUICK_START, main, arguments);
    child.awaitOutput(EngineProcess.READY);
    return child;
  }

  public void freeze(Processes.Child child) {
    frozen.put(child.pid(), System.nanoTime());
    child.freeze();
  }

  public void thaw(Processes.Child child) {
    child.thaw();
    freezes.add(new Freeze(child.pid(), frozen.get(child.pid()), System.nanoTime()));
  }

  // ---- the database, not through the proxy

  /** The first column of the only row. */
  public long number(String sql, Object... parameters) {
    try (var statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) statement.setObject(i + 1, parameters[i]);
      try (var row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  public void execute(String sql) {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  private static Connection connect(String url) {
    try {
      return DriverManager.getConnection(url);
    } catch (SQLException e) {
      throw new AssertionError(url, e);
    }
  }

  /** The latest node of a process. */
  public long nodeOf(Processes.Child child) {
    return number(
        "SELECT coalesce(max(node_key), 0) FROM nodes WHERE host LIKE ?", "%/" + child.pid());
  }

  public long runsOf(long node) {
    return number("SELECT count(*) FROM runs WHERE status = 'RUNNING' AND owner = ?", node);
  }

  public boolean isFenced(long node) {
    return number("SELECT count(*) FROM nodes WHERE node_key = ? AND fenced", node) == 1;
  }

  public long openRuns() {
    return number("SELECT count(*) FROM runs WHERE status = 'RUNNING'");
  }

  // ---- load

  /** Starts this many of {@link Load} at once and sends all their signals. */
  public void begin(Client client, int workflows) {
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var all =
          IntStream.range(0, workflows)
              .mapToObj(
                  number -> CompletableFuture.runAsync(() -> beginOne(client, number), callers))
              .toList();
      all.forEach(CompletableFuture::join);
    }
  }

  private static void beginOne(Client client, int number) {
    client.start(Load.class, Case.id(number), number);
    for (var sent : signals()) signal(client, number, sent.note());
  }

  /**
   * Sends a signal that the workflow does not wait for. It is a new one each time: a message that
   * is durable already is acknowledged at once, without the database.
   */
  public void nudge(Client client, int number) {
    client.signal(Case.id(number), Load.NUDGE, new Load.Note(Load.SENDERS, 0));
  }

  private static void signal(Client client, int number, Load.Note note) {
    client.signal(Case.id(number), Load.NOTE, note, note.sender() + "-" + note.number());
  }

  private static List<Case.Sent> signals() {
    var sent = new ArrayList<Case.Sent>();
    for (int sender = 0; sender < Load.SENDERS; sender++) {
      for (int note = 0; note < Load.NOTES; note++) {
        sent.add(new Case.Sent(new Load.Note(sender, note), 1));
      }
    }
    return sent;
  }

  /** The id of a workflow of {@link #begin}. */
  public String id(int number) {
    return Case.id(number);
  }

  // ---- the judge

  /** Judges what {@link #begin} began, all of which must have ended. */
  public void judge(Client client, int workflows) throws IOException {
    var cases = new ArrayList<Case>();
    for (int number = 0; number < workflows; number++) {
      var result = client.handle(Load.class, Case.id(number)).result();
      cases.add(new Case(number, true, signals(), result, System.nanoTime()));
    }
    judge(cases, client);
  }

  /** Lets the driver come to its end and judges all it did. */
  public void judge(Driver driver, Client client) throws IOException, InterruptedException {
    var cases = driver.finish();
    assertThat(driver.problems()).isEmpty();
    judge(cases, client);
  }

  private void judge(List<Case> cases, Client client) throws IOException {
    var effects = Ledger.read(ledger()).stream().map(Effect::parse).toList();
    var found = Verdict.on(cases, client::history, effects, freezes);
    System.out.printf(
        "judged: %d starts, %d signals, lost %d, duplicated %d, early %d, wrong %d%n",
        found.starts(),
        found.signals(),
        found.lost(),
        found.duplicated(),
        found.earlyTimers(),
        found.wrong());
    assertThat(found.findings()).isEmpty();
    assertThat(found.isGood()).isTrue();
    examine();
  }

  /** What must hold in every database, whatever was done to it. */
  public void examine() {
    try (var store = Reprise.open(url, new StoreProvider.Options(false, true))) {
      assertThat(Doctor.examine(store)).isEmpty();
    }
  }

  // ---- waiting

  /** How long it took since that time until something came true. */
  public static Duration since(long nanos, String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) throw new AssertionError("never happened: " + what);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  public static void await(String what, BooleanSupplier condition) {
    since(System.nanoTime(), what, condition);
  }

  @Override
  public void close() {
    try (connection;
        proxy;
        processes) {
      frozen.clear();
    } catch (SQLException e) {
      throw new AssertionError("the test's own connection", e);
    }
  }
}

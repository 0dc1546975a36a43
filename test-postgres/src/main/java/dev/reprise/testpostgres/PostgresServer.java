package dev.reprise.testpostgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL for tests. One that we started is durable as in production, and may be killed. */
public final class PostgresServer implements AutoCloseable {
  /** Names a server to use instead of one of our own. */
  public static final String GIVEN = "REPRISE_TEST_POSTGRES";

  /** What a standby calls itself. */
  public static final String STANDBY = "standby";

  private static final Duration READY = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final int PORT_TRIES = 100;

  private final DatabaseUrl maintenance;
  private final @Nullable Postmaster own;
  private final String prefix;
  private final AtomicInteger count = new AtomicInteger();
  private final Queue<String> created = new ConcurrentLinkedQueue<>();

  private PostgresServer(DatabaseUrl maintenance, @Nullable Postmaster own, String prefix) {
    this.maintenance = maintenance;
    this.own = own;
    this.prefix = prefix;
  }

  /**
   * The server that tests share in this JVM: the one of {@code REPRISE_TEST_POSTGRES} (a {@code
   * jdbc:} URL) if that is set, else one of our own. It ends with the JVM.
   */
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  /** A server of its own, that may be killed. It ends with the JVM at the latest. */
  public static PostgresServer start() {
    return start(Folders.temporary());
  }

  /** Likewise, with its data below that folder: the disk matters to those who measure. */
  public static PostgresServer start(Path parent) {
    return of(Postmaster.fresh(freePort(), parent));
  }

  private static PostgresServer of(Postmaster own) {
    var url = new DatabaseUrl("127.0.0.1", own.port(), "postgres", "?user=reprise");
    var server = new PostgresServer(url, own, "test_");
    server.awaitReady(own);
    return server;
  }

  /**
   * A server of its own that follows this one and calls itself {@link #STANDBY} there.
   *
   * @param port where it connects to: the port of this server, or of something in between
   */
  public PostgresServer standby(int port) {
    return of(Postmaster.following(freePort(), Folders.temporary(), source(port)));
  }

  /** After a kill: throws its data away and follows that server, as if made by {@link #standby}. */
  public void follow(PostgresServer primary, int port) {
    own().follow(primary.source(port));
    awaitReady(own());
  }

  private Postmaster.Source source(int port) {
    return new Postmaster.Source(maintenance, own().data(), port);
  }

  /** Makes a primary of a standby, and waits until it is one. */
  public void promote() {
    maintenance.execute("SELECT pg_promote(true, %d)".formatted(READY.toSeconds()));
  }

  /** Whether commits wait for the standby; returns when they do. */
  public void waitForStandby(boolean wait) {
    var names = wait ? STANDBY : "";
    maintenance.execute("ALTER SYSTEM SET synchronous_standby_names = '%s'".formatted(names));
    maintenance.execute("SELECT pg_reload_conf()");
    if (wait) awaitTrue("SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'");
  }

  /** Waits until a standby shows all that is committed here. */
  public void awaitShownBy(PostgresServer standby) {
    var here = maintenance.ask("SELECT pg_current_wal_lsn()");
    standby.awaitTrue("SELECT pg_last_wal_replay_lsn() >= '%s'::pg_lsn".formatted(here));
  }

  private void awaitTrue(String question) {
    var deadline = System.nanoTime() + READY.toNanos();
    while (!maintenance.ask(question).equals("t")) {
      if (System.nanoTime() > deadline) throw new IllegalStateException("never: " + question);
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** A fresh empty database; gives its JDBC URL. */
  public String createDatabase() {
    var name = prefix + count.incrementAndGet();
    maintenance.execute("CREATE DATABASE " + name);
    created.add(name);
    if (own == null) {
      // Statements of tests name tables without their schema. On our own server the user is called
      // like the schema, and has it in the search path by that.
      maintenance.execute("ALTER DATABASE " + name + " SET search_path = reprise, public");
    }
    return maintenance.of(name).toString();
  }

  public int port() {
    return maintenance.port();
  }

  public String host() {
    return maintenance.host();
  }

  /** {@code kill -9} of the postmaster. */
  public void kill() {
    own().kill();
  }

  /** After a kill: starts it again on the same data and port, and waits until it is ready. */
  public void restart() {
    own().relaunch();
    awaitReady(own());
  }

  /** Kills it and starts it again as a standby that never gets anything: it can only be read. */
  public void demote() {
    own().kill();
    own().makeStandby();
    restart();
  }

  @Override
  public void close() {
    if (own != null) {
      own.stop();
      return;
    }
    for (var name = created.poll(); name != null; name = created.poll()) {
      maintenance.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }
  }

  private Postmaster own() {
    if (own != null) return own;
    throw new UnsupportedOperationException("the server of " + GIVEN + " is not ours to kill");
  }

  /** While processes of a killed server are still ending, the next one refuses to start. */
  private void awaitReady(Postmaster postmaster) {
    var deadline = System.nanoTime() + READY.toNanos();
    while (!accepts()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the server does not start\n" + postmaster.log());
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      if (!postmaster.isAlive()) postmaster.relaunch();
    }
  }

  private boolean accepts() {
    try (var connection = maintenance.connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  /**
   * Below the range of ports that systems give to outgoing connections: there a client that tries
   * to reach the killed server could be given the server's own port.
   */
  private static int freePort() {
    for (int i = 0; i < PORT_TRIES; i++) {
      var port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
      try (var probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return port;
      } catch (IOException e) {
        continue; // taken
      }
    }
    throw new IllegalStateException("no free port");
  }

  private static final class Shared {
    static final PostgresServer SERVER = find();

    private static PostgresServer find() {
      var given = System.getenv(GIVEN);
      if (given == null || given.isBlank()) return start();
      var prefix = "reprise_test_" + Long.toString(System.nanoTime(), Character.MAX_RADIX) + "_";
      var server = new PostgresServer(DatabaseUrl.parse(given), null, prefix);
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      return server;
    }
  }
}

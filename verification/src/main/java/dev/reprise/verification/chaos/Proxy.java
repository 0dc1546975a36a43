package dev.reprise.verification.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the engines and PostgreSQL and makes the network bad. All faults may be switched
 * while it runs.
 */
public final class Proxy implements AutoCloseable {
  /** The connections on which batches are committed call themselves so. */
  public static final String JOURNAL = "reprise-journal";

  private static final int PORT_TRIES = 100;
  private static final Pattern ADDRESS = Pattern.compile("(?<=^jdbc:postgresql://)[^/]*");

  private final InetSocketAddress server;
  private final ServerSocket listener;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final Deque<Cut> cuts = new ConcurrentLinkedDeque<>();
  private final Deque<CompletableFuture<Boolean>> holds = new ConcurrentLinkedDeque<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger cutsMade = new AtomicInteger();
  private final AtomicInteger dropped = new AtomicInteger();
  private final Object flow = new Object();
  private boolean stalled;
  private volatile boolean closed;
  private volatile boolean refusing;
  private volatile boolean deaf;
  private volatile Duration delay = Duration.ZERO;

  /** Where a connection is cut. */
  public enum CutPoint {
    /** The request does not reach the server. */
    BEFORE,
    /** The request is sent, and nobody waits to see whether it arrives. */
    DURING,
    /** The server has done it, and its answer does not reach the client. */
    AFTER
  }

  /** A cut that waits for its request. */
  record Cut(CutPoint where, CompletableFuture<CutPoint> done) {}

  /** What the proxy has done so far. */
  public record Counts(int connections, int cuts, int notificationsDropped) {}

  private Proxy(InetSocketAddress server, ServerSocket listener) {
    this.server = server;
    this.listener = listener;
  }

  /** A proxy on a port of its own, for the server at that address. */
  public static Proxy to(String host, int port) {
    var proxy = new Proxy(new InetSocketAddress(host, port), listen());
    Thread.ofVirtual().name("proxy").start(proxy::accept);
    return proxy;
  }

  /** The same database through this proxy. */
  public String url(String directUrl) {
    return ADDRESS.matcher(directUrl).replaceFirst("127.0.0.1:" + port());
  }

  /** Where it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  // ---- faults

  /**
   * Cuts the connection of the journal at its next request; of a transaction in several requests
   * {@link CutPoint#AFTER} waits for the one that ends it. Completes when that has happened.
   */
  public CompletableFuture<CutPoint> cutCommit(CutPoint where) {
    var cut = new Cut(where, new CompletableFuture<>());
    cuts.add(cut);
    return cut.done();
  }

  /**
   * Of the journal's next request only the first statement goes through; the rest is held back as
   * long as the connection lasts. Completes when the first part was sent.
   */
  public CompletableFuture<Boolean> holdMidway() {
    var hold = new CompletableFuture<Boolean>();
    holds.add(hold);
    return hold;
  }

  /** Whether messages of NOTIFY are swallowed. */
  public void dropNotifications(boolean drop) {
    deaf = drop;
  }

  /** Ends all connections; new ones are welcome. */
  public void cutAll() {
    links.forEach(Link::close);
  }

  /** Whether the database is away: all connections end, and new ones do at once. */
  public void refuse(boolean refuse) {
    refusing = refuse;
    if (refuse) cutAll();
  }

  /** Whether nothing is forwarded any more, while connections stay open. */
  public void stall(boolean stall) {
    synchronized (flow) {
      stalled = stall;
      flow.notifyAll();
    }
  }

  /** Holds back each request for so long. */
  public void delay(Duration delay) {
    this.delay = delay;
  }

  public Counts counts() {
    return new Counts(connections.get(), cutsMade.get(), dropped.get());
  }

  @Override
  public void close() {
    closed = true;
    stall(false);
    cuts.clear();
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      cutAll();
    }
  }

  // ---- for its connections

  @Nullable Cut nextCut() {
    return cuts.poll();
  }

  @Nullable CompletableFuture<Boolean> nextHold() {
    return holds.poll();
  }

  void putBack(Cut cut) {
    cuts.addFirst(cut);
  }

  void made(Cut cut) {
    cutsMade.incrementAndGet();
    cut.done().complete(cut.where());
  }

  /** Whether this message of the server is to be lost. */
  boolean swallows(Frames.Message message) {
    if (!deaf || !message.isNotification()) return false;
    dropped.incrementAndGet();
    return true;
  }

  void awaitFlow() throws InterruptedException {
    synchronized (flow) {
      while (stalled) flow.wait();
    }
  }

  void holdBack() throws InterruptedException {
    Thread.sleep(delay);
    awaitFlow();
  }

  void forget(Link link) {
    links.remove(link);
  }

  // ----

  private void accept() {
    while (!closed) {
      try {
        welcome(listener.accept());
      } catch (IOException e) {
        if (!closed) throw new UncheckedIOException(e);
      }
    }
  }

  private void welcome(Socket client) throws IOException {
    if (refusing) {
      client.close();
      return;
    }
    connections.incrementAndGet();
    var link = new Link(this, client);
    links.add(link);
    link.start(server);
    if (refusing || closed) link.close(); // it was too late to be among those cut
  }

  /** Not a port that the system gives to outgoing connections: one might connect to itself. */
  private static ServerSocket listen() {
    IOException last = null;
    for (int i = 0; i < PORT_TRIES; i++) {
      var port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
      try {
        return new ServerSocket(port, 0, InetAddress.getLoopbackAddress());
      } catch (IOException e) {
        last = e;
      }
    }
    throw new IllegalStateException("no free port", last);
  }
}

package dev.reprise.verification.chaos;

import dev.reprise.verification.chaos.Frames.Message;
import dev.reprise.verification.chaos.Frames.Opening;
import dev.reprise.verification.chaos.Proxy.Cut;
import dev.reprise.verification.chaos.Proxy.CutPoint;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One connection through the proxy: a thread for each direction. */
final class Link {
  private static final int BUFFER = 1 << 16;

  private final Proxy proxy;
  private final Socket client;
  private final Socket server = new Socket();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicLong asked = new AtomicLong();
  private volatile String application = "";
  private volatile @Nullable Awaited awaited;

  /** The answer to a request, counted from 1, that the client will not get. */
  private record Awaited(long request, Cut cut) {}

  Link(Proxy proxy, Socket client) {
    this.proxy = proxy;
    this.client = client;
  }

  void start(InetSocketAddress address) {
    Thread.ofVirtual().name("proxy-up").start(() -> guarded(() -> open(address)));
  }

  void close() {
    closed.countDown();
    close(client);
    close(server);
    proxy.forget(this);
  }

  // ---- client to server

  private void open(InetSocketAddress address) throws IOException, InterruptedException {
    proxy.awaitFlow();
    server.connect(address);
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    Thread.ofVirtual().name("proxy-down").start(() -> guarded(this::forwardAnswers));
    var in = input(client);
    var opening = Opening.read(in);
    while (opening.asksForEncryption()) {
      client.getOutputStream().write('N');
      opening = Opening.read(in);
    }
    proxy.awaitFlow();
    server.getOutputStream().write(opening.bytes());
    forwardRequests(in, server.getOutputStream());
  }

  private void forwardRequests(DataInputStream in, OutputStream out)
      throws IOException, InterruptedException {
    var request = new ByteArrayOutputStream(BUFFER);
    int firstStatement = 0;
    while (true) {
      var message = Message.read(in);
      message.writeTo(request);
      if (message.isExecute() && firstStatement == 0) firstStatement = request.size();
      if (message.opensRequest()) continue;
      var cut = message.endsRequest() ? beforeRequest() : null;
      if (cut != null && cut.where() == CutPoint.BEFORE) {
        make(cut);
        return;
      }
      proxy.awaitFlow();
      if (message.endsRequest()) mayHold(request.toByteArray(), firstStatement, out);
      try {
        request.writeTo(out);
        out.flush();
      } catch (IOException gone) {
        if (cut != null && cut.where() == CutPoint.DURING) proxy.putBack(cut); // for another one
        throw gone;
      }
      request.reset();
      firstStatement = 0;
      if (cut != null && cut.where() == CutPoint.DURING) {
        make(cut);
        return;
      }
    }
  }

  /** Stops in the middle of a request, until the connection ends, if that is wanted. */
  private void mayHold(byte[] request, int firstStatement, OutputStream out)
      throws IOException, InterruptedException {
    if (!application.equals(Proxy.JOURNAL) || firstStatement == 0) return;
    var hold = proxy.nextHold();
    if (hold == null) return;
    out.write(request, 0, firstStatement);
    out.flush();
    hold.complete(true);
    closed.await();
    throw new EOFException("the rest was held back");
  }

  private @Nullable Cut beforeRequest() throws InterruptedException {
    proxy.holdBack();
    var number = asked.incrementAndGet();
    if (!application.equals(Proxy.JOURNAL) || awaited != null) return null;
    var cut = proxy.nextCut();
    if (cut != null && cut.where() == CutPoint.AFTER) awaited = new Awaited(number, cut);
    return cut;
  }

  private void make(Cut cut) {
    awaited = null;
    close();
    proxy.made(cut);
  }

  // ---- server to client

  private void forwardAnswers() throws IOException, InterruptedException {
    var in = input(server);
    var out = new BufferedOutputStream(client.getOutputStream(), BUFFER);
    var heldBack = new ByteArrayOutputStream();
    long answered = -1; // the first ReadyForQuery greets, it answers nothing
    while (true) {
      var message = Message.read(in);
      proxy.awaitFlow();
      if (proxy.swallows(message)) {
        out.flush();
        continue;
      }
      var name = message.setting("application_name");
      if (!name.isEmpty()) application = name;
      if (message.isReadyForQuery()) answered++;
      var secret = awaited;
      message.writeTo(secret == null ? out : heldBack);
      if (secret != null && message.isReadyForQuery()) {
        if (answered == secret.request() && message.isIdle()) {
          make(secret.cut());
          return;
        }
        if (answered == secret.request()) reprieve(secret.cut());
        heldBack.writeTo(out);
        heldBack.reset();
      }
      if (in.available() == 0) out.flush();
    }
  }

  /** The transaction goes on: its end will be among the next requests. */
  private void reprieve(Cut cut) {
    awaited = null;
    proxy.putBack(cut);
  }

  // ----

  private interface Direction {
    void forward() throws IOException, InterruptedException;
  }

  /** When one direction ends, for whatever reason, so does the connection. */
  private void guarded(Direction direction) {
    try {
      direction.forward();
    } catch (IOException e) {
      close(); // one side is gone, so the other is told
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
      release();
    }
  }

  /** A cut that this connection can no longer suffer is for another one. */
  private synchronized void release() {
    var open = awaited;
    awaited = null;
    if (open != null && !open.cut().done().isDone()) proxy.putBack(open.cut());
  }

  private static DataInputStream input(Socket socket) throws IOException {
    return new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}

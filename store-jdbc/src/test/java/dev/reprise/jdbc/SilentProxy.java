package dev.reprise.jdbc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Stands between the store and the server, and can cut connections before the answer arrives. */
final class SilentProxy implements AutoCloseable {
  private final ServerSocket door;
  private final String host;
  private final int port;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile @Nullable String trigger;
  private volatile int requests;

  SilentProxy(String host, int port) throws IOException {
    this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.host = host;
    this.port = port;
    Thread.ofPlatform().daemon().start(this::accept);
  }

  int port() {
    return door.getLocalPort();
  }

  /** The answer to what contains this text is kept back, and its connection is cut. */
  void swallowAnswerTo(@Nullable String text) {
    swallowAnswerAfter(text, 0);
  }

  /** The same for the answer to what comes so many requests after that. */
  void swallowAnswerAfter(@Nullable String text, int later) {
    requests = later;
    trigger = text;
  }

  private void accept() {
    try {
      while (true) {
        var client = door.accept();
        var server = new Socket(host, port);
        sockets.add(client);
        sockets.add(server);
        var left = new AtomicInteger(Integer.MAX_VALUE);
        Thread.ofPlatform().daemon().start(() -> pump(client, server, chunk -> ask(chunk, left)));
        Thread.ofPlatform().daemon().start(() -> pump(server, client, _ -> left.get() > 0));
      }
    } catch (IOException closed) {
      cut();
    }
  }

  private boolean ask(String chunk, AtomicInteger left) {
    var text = trigger;
    if (text != null && left.get() > requests && chunk.contains(text)) left.set(requests);
    else if (left.get() != Integer.MAX_VALUE) left.decrementAndGet();
    return true;
  }

  private void pump(Socket from, Socket to, Predicate<String> gate) {
    try (from;
        to) {
      var in = from.getInputStream();
      var out = to.getOutputStream();
      var buffer = new byte[64 * 1024];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (!gate.test(new String(buffer, 0, n, ISO_8859_1))) return;
        out.write(buffer, 0, n);
        out.flush();
      }
    } catch (IOException cut) {
      sockets.remove(from);
    }
  }

  /** Cuts all connections. */
  void cut() {
    for (var socket : sockets) {
      try {
        socket.close();
      } catch (IOException already) {
        sockets.remove(socket);
      }
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    cut();
  }
}

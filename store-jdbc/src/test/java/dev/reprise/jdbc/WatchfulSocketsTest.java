package dev.reprise.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGProperty;

@Timeout(60)
class WatchfulSocketsTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 3_000, 3_001, 100_000})
  void what_is_answered_is_read_whole(int length) throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var socket = connected(server)) {
      var echo = Thread.ofPlatform().start(() -> echo(server, length));
      for (int round = 0; round < 10; round++) {
        var sent = ("" + round % 10).repeat(length).getBytes(StandardCharsets.US_ASCII);
        socket.getOutputStream().write(sent);

        assertThat(socket.getInputStream().readNBytes(length)).isEqualTo(sent);
      }
      socket.shutdownOutput();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
      echo.join();
    }
  }

  @Test
  void closing_it_ends_a_read() throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var socket = connected(server);
        var _ = server.accept()) {
      socket.getOutputStream().write(1);
      var closer = Thread.ofPlatform().start(() -> close(socket));

      assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
      closer.join();
    }
  }

  @Test
  void the_driver_finds_it() {
    assertThat(WatchfulSockets.name()).isEqualTo(WatchfulSockets.class.getName());
  }

  @Test
  void only_the_connection_that_commits_has_it() throws Exception {
    assertThat(factory("", PostgresStore.WRITER)).isEqualTo(WatchfulSockets.class.getName());
    assertThat(factory("", "reprise-reader")).isNull();
  }

  @Test
  void a_factory_of_the_user_is_left() throws Exception {
    assertThat(factory("&socketFactory=my.Sockets", PostgresStore.WRITER)).isEqualTo("my.Sockets");
  }

  private static @Nullable String factory(String more, String role) throws SQLException {
    return OwnConnections.to("jdbc:postgresql://localhost/orders?user=me" + more, false)
        .source(role)
        .getProperty(PGProperty.SOCKET_FACTORY);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Socket connected(ServerSocket server) throws IOException {
    var socket = new WatchfulSockets().createSocket();
    socket.connect(server.getLocalSocketAddress());
    return socket;
  }

  /** Sends back each piece once it is there as a whole. */
  private static void echo(ServerSocket server, int length) {
    try (var socket = server.accept()) {
      for (; ; ) {
        var piece = socket.getInputStream().readNBytes(length);
        if (piece.length == 0) return;
        socket.getOutputStream().write(piece);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}

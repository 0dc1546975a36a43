package dev.reprise.jdbc;

import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Patience;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * Makes sockets that do not sleep while a short request is being answered, but look for the answer
 * again and again. To be woken, on a processor that has gone to sleep too, takes about as long as
 * the database needs for a step; see ADR 0023.
 *
 * <p>Between two looks the thread offers its processor to others, so that the database may have it.
 * If answers take long, nobody looks for them any more for a while.
 *
 * <p>Public because the driver makes it, by its name.
 */
public final class WatchfulSockets extends SocketFactory {
  private static final int SHORT = 2_000; // bytes: a handful of events
  private static final long WATCH_NANOS = 1_000_000; // for which answers are looked for
  private static final int DISAPPOINTMENTS = 4; // answers in a row that took longer
  private static final int FIRST_REST = 250; // requests that are not watched then
  private static final int LONGEST_REST = 1_000; // if it happens again and again

  /** Its name, if the driver can find the class. */
  static @Nullable String name() {
    var name = WatchfulSockets.class.getName();
    try {
      var found = Class.forName(name, false, Driver.class.getClassLoader());
      return found == WatchfulSockets.class ? name : null;
    } catch (ClassNotFoundException apart) {
      return null; // the driver belongs to a container, say, and this to an application in it
    }
  }

  @Override
  public Socket createSocket() {
    return new WatchfulSocket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw new IOException("is to be connected later");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return createSocket(host.getHostAddress(), port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host, port);
  }

  /** For one thread at a time, as the connection that has it. */
  private static final class WatchfulSocket extends Socket {
    private final Patience patience = new Patience(DISAPPOINTMENTS, FIRST_REST, LONGEST_REST);
    private int written; // bytes since something was read

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(int one) throws IOException {
          written++;
          out.write(one);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          written += length;
          out.write(bytes, offset, length);
        }
      };
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          watch(in);
          return in.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          watch(in);
          return in.read(bytes, offset, length);
        }
      };
    }

    private void watch(InputStream in) {
      int request = written;
      written = 0;
      if (request == 0 || request > SHORT || !patience.begins()) return;
      patience.ended(Machine.REAL.watch(() -> isAnswered(in), WATCH_NANOS));
    }

    private static boolean isAnswered(InputStream in) {
      try {
        return in.available() > 0;
      } catch (IOException failure) {
        return true; // who reads is told
      }
    }
  }
}

package dev.reprise.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A real PgBouncer in front of the PostgreSQL of the tests, where one is installed. */
final class PgBouncer implements AutoCloseable {
  private static final Pattern URL =
      Pattern.compile("jdbc:postgresql://([^:/]+):(\\d+)/(\\w+)\\?(.*)");
  private static final int PORT_TRIES = 100;

  /** Ends with the process that reads from it, however that one ends. */
  private static final String GUARD =
      """
      "$@" </dev/null & pooler=$!
      read -r word
      kill -9 $pooler
      """;

  private final Path program;
  private final Path folder;
  private final String parameters;
  private final String database;
  private final String target;
  private final int port = freePort();
  private Process guard;

  private PgBouncer(Path program, Path folder, String url) {
    var parts = URL.matcher(url);
    if (!parts.matches()) throw new IllegalArgumentException(url);
    this.program = program;
    this.folder = folder;
    this.target = "host=%s port=%s".formatted(parts.group(1), parts.group(2));
    this.database = parts.group(3);
    this.parameters = parts.group(4);
  }

  /** Empty where none is installed; the console says so. */
  static Optional<PgBouncer> before(TestDatabase database, Path folder) {
    var program =
        Stream.concat(
                Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin", "/usr/bin"))
            .map(place -> Path.of(place, "pgbouncer"))
            .filter(Files::isExecutable)
            .findFirst();
    if (program.isEmpty()) {
      System.err.println(
          "*** NOT TESTED: no pgbouncer on the PATH or in /usr/sbin, install the package"
              + " pgbouncer");
    }
    return program.map(found -> new PgBouncer(found, folder, database.url()));
  }

  /** Starts it, with its default configuration but for the mode and where it is. */
  PgBouncer start(String mode, String... more) {
    var configuration = new ArrayList<String>();
    configuration.add("[databases]");
    configuration.add("* = " + target);
    configuration.add("[pgbouncer]");
    configuration.add("listen_addr = 127.0.0.1");
    configuration.add("listen_port = " + port);
    configuration.add("unix_socket_dir =");
    configuration.add("auth_type = trust");
    configuration.add("auth_file = " + folder.resolve("users.txt"));
    configuration.add("pool_mode = " + mode);
    configuration.addAll(List.of(more));
    try {
      Files.write(folder.resolve("pgbouncer.ini"), configuration);
      Files.writeString(folder.resolve("users.txt"), "\"reprise\" \"\"\n");
      guard = launch();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    TestDatabase.await("pgbouncer listens", this::listens);
    return this;
  }

  /** It does not run as root; in a user namespace of its own root is nobody. */
  private Process launch() throws IOException {
    var command = new ArrayList<>(List.of("/bin/sh", "-c", GUARD, "pgbouncer-guard"));
    if (System.getProperty("user.name").equals("root")) command.addAll(List.of("unshare", "-U"));
    command.add(program.toString());
    command.add(folder.resolve("pgbouncer.ini").toString());
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("pgbouncer.log").toFile()))
        .start();
  }

  private boolean listens() {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** The database of the test through it. */
  String url() {
    return "jdbc:postgresql://127.0.0.1:%d/%s?%s".formatted(port, database, parameters);
  }

  int port() {
    return port;
  }

  /** Ends it, and with it all connections. */
  void stop() {
    try {
      guard.getOutputStream().close();
      guard.waitFor();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static int freePort() {
    for (int i = 0; i < PORT_TRIES; i++) {
      var port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
      try (var probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return port;
      } catch (IOException taken) {
        continue;
      }
    }
    throw new IllegalStateException("no free port");
  }

  @Override
  public void close() {
    if (guard != null) stop();
  }
}

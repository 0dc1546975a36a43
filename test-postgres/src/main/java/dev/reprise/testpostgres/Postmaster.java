package dev.reprise.testpostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The server process on its data directory. It runs below a shell that reads from this process:
 * when the pipe closes, because we close it or because we are dead, the shell ends the server and
 * deletes its folder.
 */
final class Postmaster {
  private static final String GUARD =
      """
      folder=$1; shift
      trap '' INT TERM HUP
      exec 3<&0
      "$@" </dev/null 3<&- &
      server=$!
      {
        if read -r word <&3; then
          kill -9 $server
        else
          : >"$folder/abandoned"
          kill -QUIT $server
        fi
      } >/dev/null 2>&1 &
      reader=$!
      exec 3<&-
      wait $server
      kill -9 $reader 2>/dev/null # it ignores TERM, and must not speak for the next server
      if [ -e "$folder/abandoned" ]; then rm -rf "$folder"; fi
      """;

  private static final List<String> SETTINGS =
      List.of(
          "fsync=on",
          "synchronous_commit=on",
          "full_page_writes=on",
          "listen_addresses=127.0.0.1",
          "unix_socket_directories=",
          "max_connections=200",
          "shared_buffers=256MB",
          "max_wal_size=4GB",
          "wal_keep_size=512MB", // for standbys that are cut off for a while
          "log_min_messages=fatal",
          "log_min_error_statement=panic");

  /** For a copy: its processes may die, but not its machine, and flushing all files takes long. */
  private static final String NOT_FLUSHED = "fsync=off";

  private static final Duration STOP = Duration.ofSeconds(30);

  private final Path programs = Binaries.folder().resolve("bin");
  private final Path folder;
  private final int port;
  private List<String> more = List.of(); // settings
  private Process guard;

  /** Begins with what that puts into the data directory. */
  private Postmaster(int port, Path parent, Consumer<Postmaster> filling) {
    this.folder = Folders.create(parent, "reprise-postgres-data-");
    this.port = port;
    filling.accept(this);
    this.guard = launch();
  }

  /** A server with a fresh data directory. */
  static Postmaster fresh(int port, Path parent) {
    return new Postmaster(port, parent, Postmaster::initialize);
  }

  /** A server that follows another one. */
  static Postmaster following(int port, Path parent, Source source) {
    return new Postmaster(port, parent, server -> server.copy(source));
  }

  /**
   * A running server to copy, and the port by which the copy follows it: its own, or that of
   * something in between.
   */
  record Source(DatabaseUrl url, Path data, int port) {}

  /** After a kill: throws the data away and follows another server. */
  void follow(Source source) {
    Folders.delete(data());
    copy(source);
    guard = launch();
  }

  private void copy(Source source) {
    StandbyData.copy(source, data());
    more = List.of(NOT_FLUSHED);
  }

  int port() {
    return port;
  }

  boolean isAlive() {
    return guard.isAlive();
  }

  /** Kills the postmaster and nothing else: its children notice a moment later. */
  void kill() {
    try (var pipe = guard.getOutputStream()) {
      pipe.write("kill\n".getBytes(StandardCharsets.UTF_8));
      pipe.flush();
      awaitEnd(guard);
    } catch (IOException e) {
      throw new UncheckedIOException("the server was not running\n" + log(), e);
    }
  }

  void relaunch() {
    guard = launch();
  }

  /** From its next start on. */
  void makeStandby() {
    try {
      Files.createFile(data().resolve("standby.signal"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void stop() {
    try {
      guard.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitEnd(guard);
    Folders.delete(folder); // for a server that was dead already
  }

  String log() {
    try {
      return Files.readString(folder.resolve("server.log"));
    } catch (IOException e) {
      return "no log: " + e;
    }
  }

  private void initialize() {
    var initdb =
        start(
            command(
                "initdb",
                "--pgdata=" + data(),
                "--username=reprise",
                "--auth=trust",
                "--no-sync",
                "--locale=C",
                "--encoding=UTF8"));
    awaitEnd(initdb);
    if (initdb.exitValue() != 0) throw new IllegalStateException("initdb failed\n" + log());
  }

  private Process launch() {
    var guarded = new ArrayList<>(List.of("/bin/sh", "-c", GUARD, "postgres-guard"));
    guarded.add(folder.toString());
    guarded.addAll(command("postgres", "-D", data().toString(), "-p", Integer.toString(port)));
    for (var setting : SETTINGS) guarded.addAll(List.of("-c", setting));
    for (var setting : more) guarded.addAll(List.of("-c", setting)); // the last one counts
    return start(guarded);
  }

  /** PostgreSQL does not run as root; in a user namespace of its own root is nobody. */
  private List<String> command(String program, String... arguments) {
    var asRoot = System.getProperty("user.name").equals("root");
    return Stream.of(
            asRoot ? Stream.of("unshare", "-U") : Stream.<String>empty(),
            Stream.of(programs.resolve(program).toString()),
            Stream.of(arguments))
        .flatMap(words -> words)
        .toList();
  }

  private Process start(List<String> command) {
    try {
      var log = folder.resolve("server.log").toFile();
      return new ProcessBuilder(command)
          .directory(folder.toFile())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitEnd(Process process) {
    try {
      if (process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) return;
      throw new IllegalStateException("did not end within " + STOP + "\n" + log());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  Path data() {
    return folder.resolve("data");
  }
}

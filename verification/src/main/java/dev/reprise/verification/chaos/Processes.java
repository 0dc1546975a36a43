package dev.reprise.verification.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Child JVMs with the class path of this one. None outlives this object, or this process. */
public final class Processes implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long PAUSE_NANOS = 5_000_000;

  private final Queue<Child> children = new ConcurrentLinkedQueue<>();

  /** Starts the main class. Its output goes to the end of the file. */
  public Child start(Path output, List<String> options, Class<?> main, String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx512m"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    try {
      var before = Files.exists(output) ? Files.size(output) : 0;
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
              .start();
      var child = new Child(process, output, before);
      children.add(child);
      return child;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** For the child: it ends when the process that started it has. */
  public static void endWithParent() {
    Thread.ofPlatform().daemon().name("end-with-parent").start(Processes::awaitParent);
  }

  private static void awaitParent() {
    try {
      while (System.in.read() >= 0) continue;
    } catch (IOException e) {
      Runtime.getRuntime().halt(1); // the pipe is broken, so there is no parent any more
    }
    Runtime.getRuntime().halt(1);
  }

  @Override
  public void close() {
    children.forEach(Child::kill);
  }

  /** One child process. */
  public static final class Child {
    private final Process process;
    private final Path output;
    private final long outputStart;
    private @Nullable Process guard; // while it is frozen

    private Child(Process process, Path output, long outputStart) {
      this.process = process;
      this.output = output;
      this.outputStart = outputStart;
    }

    public long pid() {
      return process.pid();
    }

    public boolean isAlive() {
      return process.isAlive();
    }

    /** Waits until it has printed the word. */
    public void awaitOutput(String word) {
      var deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!output().contains(word)) {
        if (!process.isAlive()) throw new IllegalStateException("it ended\n" + output());
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("it never said " + word + "\n" + output());
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    /** What it has printed. */
    public String output() {
      try (var file = Files.newByteChannel(output)) {
        file.position(outputStart);
        var in = Channels.newInputStream(file);
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** {@code kill -9}; returns when it is gone. A frozen process dies of it too. */
    public void kill() {
      process.destroyForcibly();
      awaitEnd();
      dismissGuard();
    }

    /** Waits until it has ended by itself, and returns its exit code. */
    public int await(Duration limit) {
      try {
        if (process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) return process.exitValue();
        throw new IllegalStateException("process " + pid() + " does not end\n" + output());
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }

    /** SIGTERM: it may close in good order. Its input stays open, whose end means a dead parent. */
    public int stop() {
      if (process.isAlive()) signal("-TERM");
      awaitEnd();
      return process.exitValue();
    }

    /** SIGSTOP. */
    public void freeze() {
      guard();
      signal("-STOP");
    }

    /** SIGCONT. */
    public void thaw() {
      signal("-CONT");
      dismissGuard();
    }

    /** A frozen process cannot see that this one has ended: somebody must wake it up then. */
    private void guard() {
      try {
        guard = new ProcessBuilder("sh", "-c", "read line || kill -CONT " + pid()).start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void dismissGuard() {
      if (guard != null) guard.destroyForcibly();
      guard = null;
    }

    private void signal(String signal) {
      try {
        var kill = new ProcessBuilder("kill", signal, Long.toString(pid())).inheritIO().start();
        if (kill.waitFor() != 0) throw new IllegalStateException("no process to send " + signal);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }

    private void awaitEnd() {
      try {
        if (process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) return;
        throw new IllegalStateException("process " + pid() + " does not end\n" + output());
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
      Thread.currentThread().interrupt();
      return new IllegalStateException("interrupted", e);
    }
  }
}

package dev.reprise.jdbc;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Holds the lock of an engine on a file until its input ends, and does nothing else. */
final class LockingProcess {
  private LockingProcess() {}

  public static void main(String[] args) throws IOException {
    try (var channel =
        FileChannel.open(Path.of(args[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      System.out.println(channel.tryLock(EngineLock.POSITION, 1, false) == null ? "not" : "locked");
      System.in.read();
    }
  }
}

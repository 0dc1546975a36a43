package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.Texts;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Survival;
import dev.reprise.engine.store.Store.Fenced;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the file under the database's name is another one than SQLite has open, or none: it
 * was deleted, moved or replaced, and what is written to the open one is lost with the process. And
 * that the engine lock is not this engine's any more.
 *
 * <p>A user of the file looks first if the last look is a while ago. A thread of its own looks
 * while there is no user, so that the log has it soon, and looks after the lock. What was lost
 * stays so: the process has to be started again with the file in its place.
 */
final class FileGuard {
  private static final Logger LOG = LoggerFactory.getLogger(FileGuard.class);

  // Two looks at a folder, some microseconds: too much for each step, nothing four times a second.
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Path database;
  private final @Nullable Object identity; // null where the system does not tell
  private volatile @Nullable Loss loss;
  private volatile long lookedAt = System.nanoTime();
  private @Nullable EngineLock lock; // while a node is joined
  private @Nullable Thread thread;

  /** What callers are to know. */
  private record Loss(ErrorCode code, String text) {}

  FileGuard(Path database) {
    this.database = database;
    this.identity = identify(database);
  }

  /** The number of a file on its disk, which a file of the same name does not share. */
  static @Nullable Object identify(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException failure) {
      throw OwnerOnly.cannot("look at", file, failure);
    }
  }

  /** From now on the lock is looked at too. */
  synchronized void watch(EngineLock lock) {
    this.lock = lock;
    if (thread != null) return;
    thread =
        Thread.ofPlatform()
            .daemon()
            .name("reprise-file")
            .start(Survival.looping(Machine.REAL, this::run));
  }

  /** The lock is about to be given back. */
  synchronized void unwatch() {
    lock = null;
    thread = null;
    notifyAll();
  }

  private synchronized void run() {
    try {
      while (Thread.currentThread().equals(thread) && loss == null) {
        look();
        if (loss == null && lock != null) lost(lossOf(lock));
        TimeUnit.NANOSECONDS.timedWait(this, LOOK_NANOS);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * For work that other engines may do as well.
   *
   * @throws StoreUnavailable not retryable, if the file or the lock is lost
   */
  void check() {
    var found = lossNow();
    if (found != null) throw new StoreUnavailable(found.code(), found.text(), null);
  }

  /**
   * For work of a node.
   *
   * @throws Fenced if the file or the lock is lost
   */
  void checkFence() {
    var found = lossNow();
    if (found != null) throw new Fenced(found.code(), found.text());
  }

  private @Nullable Loss lossNow() {
    if (System.nanoTime() - lookedAt > LOOK_NANOS) look();
    return loss;
  }

  private synchronized void look() {
    if (loss != null) return;
    lost(lossOfFile());
    lookedAt = System.nanoTime();
  }

  private void lost(@Nullable Loss found) {
    if (found == null) return;
    loss = found;
    LOG.error("{} {} (see {})", found.code(), Texts.shown(found.text()), found.code().docs());
  }

  private @Nullable Loss lossOfFile() {
    try {
      var now = Files.readAttributes(database, BasicFileAttributes.class).fileKey();
      return Objects.equals(now, identity) ? null : gone("another file is in its place");
    } catch (NoSuchFileException missing) {
      return gone("it was deleted or moved");
    } catch (IOException failure) {
      return null; // it cannot be told now; the next look follows soon
    }
  }

  private Loss gone(String how) {
    return new Loss(
        ErrorCode.R141,
        """
        '%s' is not the file that this engine has open: %s. Nothing is stored any more. Close the \
        engine, put the file back with its -wal beside it, and start again.\
        """
            .formatted(database, how));
  }

  private @Nullable Loss lossOf(EngineLock held) {
    var holder = held.otherHolder();
    if (holder == null) return null;
    return new Loss(
        ErrorCode.R117,
        """
        '%s' was taken over by %s, because its lock file was deleted or unlocked. Nothing is stored \
        by this engine any more: close it.\
        """
            .formatted(database, holder));
  }
}

package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Texts;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps all engines but one away from a database: an operating system's lock on a file beside it.
 *
 * <p>The system frees the lock when the process ends, however it ends. The file stays and says
 * which process had it last: its number, for error messages, and a UUID of its own. Deleting it on
 * release would let two engines lock two files of the same name.
 */
final class EngineLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EngineLock.class);

  // The system's locks belong to the process, and closing any channel to the file drops them. So
  // within this process, who is second must not even open the file.
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  // Far behind the contents, because some systems do not let others read what is locked.
  static final long POSITION = Long.MAX_VALUE - 1;

  private static final Set<StandardOpenOption> OPEN =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  // Processes of two containers may have the same number: what was drawn tells them apart.
  private static final String SELF =
      "%d %s\n".formatted(ProcessHandle.current().pid(), UUID.randomUUID());
  private static final int MAX_BYTES = 64; // a number and a UUID have fewer

  private static final Duration MOMENT = Duration.ofMillis(100);

  private final Path database;
  private final Path file;
  private FileChannel channel;
  private @Nullable Object identity; // of the file that is locked

  private EngineLock(Path database, Path file) throws IOException {
    this.database = database;
    this.file = file;
    this.channel = lock(database, file);
    this.identity = FileGuard.identify(file);
  }

  /**
   * Locks the database for this engine.
   *
   * @throws RepriseException {@code R117} if another engine has it
   */
  static EngineLock on(Path database) {
    var file = fileBeside(database);
    synchronized (HELD_HERE) {
      if (HELD_HERE.contains(file)) throw held(database, file, "another engine of this process");
      try {
        var lock = new EngineLock(database, file);
        HELD_HERE.add(file);
        return lock;
      } catch (IOException failure) {
        throw OwnerOnly.cannot("lock", file, failure);
      }
    }
  }

  /**
   * The engine that has the database now, if that is not this one: another process that found the
   * lock file deleted, or the lock dropped. A lock file that was only deleted is made again.
   *
   * <p>Only for a thread that is never interrupted: an interrupt would close the channel, and with
   * it drop the lock.
   */
  @Nullable String otherHolder() {
    synchronized (HELD_HERE) {
      try {
        if (isInPlace()) {
          var holder = read(channel);
          return holder.equals(SELF) ? null : process(holder);
        }
        var fresh = lock(database, file);
        channel.close();
        channel = fresh;
        identity = FileGuard.identify(file);
        LOG.warn("'{}' was deleted, and is made again: leave it where it is", shown(file));
        return null;
      } catch (StoreUnavailable | IOException failure) {
        LOG.debug(
            "cannot look at '{}', the next look follows soon", shown(file), Texts.shown(failure));
        return null;
      } catch (RepriseException taken) {
        return "another engine, which holds '%s'".formatted(file);
      }
    }
  }

  private static String shown(Path file) {
    return Texts.shown(file.toString());
  }

  private boolean isInPlace() {
    return Files.exists(file) && Objects.equals(FileGuard.identify(file), identity);
  }

  /** Through the channel that holds the lock: to open the file once more would drop it. */
  private static String read(FileChannel channel) throws IOException {
    var bytes = ByteBuffer.allocate(MAX_BYTES);
    while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) > 0) {}
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  /** The number says it to people. */
  private static String process(String holder) {
    return "process " + holder.strip().split(" ", 2)[0];
  }

  private static FileChannel lock(Path database, Path file) throws IOException {
    var channel = FileChannel.open(file, OPEN, OwnerOnly.attributes(file));
    boolean locked = false;
    try {
      locked = tryLock(channel);
      if (!locked) throw held(database, file, process(Files.readString(file)));
      channel.truncate(0).write(ByteBuffer.wrap(SELF.getBytes(StandardCharsets.UTF_8)));
      return channel;
    } finally {
      if (!locked) channel.close();
    }
  }

  /** Who only looks whether it is held has it too, for a moment. */
  private static boolean tryLock(FileChannel channel) throws IOException {
    long end = System.nanoTime() + MOMENT.toNanos();
    while (channel.tryLock(POSITION, 1, false) == null) {
      if (System.nanoTime() - end > 0) return false;
      LockSupport.parkNanos(MOMENT.toNanos() / 20);
    }
    return true;
  }

  /** Whether an engine has the database now. */
  static boolean isHeld(Path database) {
    var file = fileBeside(database);
    if (Files.notExists(file)) return false;
    synchronized (HELD_HERE) {
      if (HELD_HERE.contains(file)) return true;
      try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
        return channel.tryLock(POSITION, 1, true) == null;
      } catch (IOException failure) {
        throw OwnerOnly.cannot("look at", file, failure);
      }
    }
  }

  private static Path fileBeside(Path database) {
    return database.resolveSibling(database.getFileName() + ".lock");
  }

  private static RepriseException held(Path database, Path file, String holder) {
    return new RepriseException(
        ErrorCode.R117,
        """
        '%s' is in use by %s, which holds '%s'. One engine at a time writes an SQLite file: close \
        the other one, open this one for reading only, or use a database server for several.\
        """
            .formatted(database, holder, file));
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failure) {
      throw new StoreUnavailable("cannot unlock '" + file + "'", failure);
    } finally {
      HELD_HERE.remove(file);
    }
  }
}

package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps all engines but one away from a database: an operating system's lock on a file beside it.
 *
 * <p>The system frees the lock when the process ends, however it ends. The file stays and holds the
 * number of the last process, for error messages only; deleting it on release would let two engines
 * lock two files of the same name.
 */
final class EngineLock implements AutoCloseable {
  // The system's locks belong to the process, and closing any channel to the file drops them. So
  // within this process, who is second must not even open the file.
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  // Far behind the contents, because some systems do not let others read what is locked.
  private static final long POSITION = Long.MAX_VALUE - 1;

  private final Path file;
  private final FileChannel channel;

  private EngineLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Locks the database for this engine.
   *
   * @throws RepriseException {@code R117} if another engine has it
   */
  static EngineLock on(Path database) {
    var file = database.resolveSibling(database.getFileName() + ".lock");
    if (!HELD_HERE.add(file)) throw held(database, file, "another engine of this process");
    try {
      return new EngineLock(file, lock(database, file));
    } catch (IOException failure) {
      HELD_HERE.remove(file);
      throw new StoreUnavailable("cannot lock '" + file + "'", failure);
    } catch (RuntimeException failure) {
      HELD_HERE.remove(file);
      throw failure;
    }
  }

  private static FileChannel lock(Path database, Path file) throws IOException {
    var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = channel.tryLock(POSITION, 1, false) != null;
      if (!locked) throw held(database, file, "process " + Files.readString(file).strip());
      var pid = ProcessHandle.current().pid() + "\n";
      channel.truncate(0).write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.UTF_8)));
      return channel;
    } finally {
      if (!locked) channel.close();
    }
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

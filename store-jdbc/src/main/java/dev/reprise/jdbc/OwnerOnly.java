package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only the user of this process can read, and what it means if they cannot be made. */
final class OwnerOnly {
  private static final FileAttribute<?>[] MODE_0600 = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
  };
  private static final FileAttribute<?>[] NONE = {};

  private OwnerOnly() {}

  /** For a file that is to be created at that path. */
  static FileAttribute<?>[] attributes(Path file) {
    boolean isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    return isPosix ? MODE_0600.clone() : NONE;
  }

  /** Not retryable if the file system does not allow it; the cause is in the text. */
  static StoreUnavailable cannot(String action, Path file, IOException failure) {
    if (!isForbidden(failure)) {
      return new StoreUnavailable("cannot %s '%s': %s".formatted(action, file, failure), failure);
    }
    return new StoreUnavailable(
        ErrorCode.R141,
        """
        cannot %s '%s' (%s): give this process's user the right to write in its folder, on a file \
        system that is not read-only\
        """
            .formatted(action, file, failure),
        failure);
  }

  private static boolean isForbidden(IOException failure) {
    if (failure instanceof AccessDeniedException) return true;
    return failure instanceof FileSystemException reported
        && reported.getReason() != null
        && (reported.getReason().contains("Read-only file system")
            || reported.getReason().contains("Operation not permitted"));
  }
}

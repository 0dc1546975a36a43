package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Store.TransitionRefused;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;

/** What SQLite's result codes mean to the engine. */
record SqliteErrors(Path file) {

  RuntimeException meaningOf(SQLException failure) {
    return switch (SQLiteErrorCode.getErrorCode(failure.getErrorCode())) {
      case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH ->
          new TransitionRefused(file + " refused the data: " + failure.getMessage(), failure);
      case SQLITE_NOTADB ->
          notOurs("is not an SQLite database. It was left as it is; choose another file.", failure);
      case SQLITE_CORRUPT ->
          notOurs("is a damaged SQLite database. It was left as it is; restore it.", failure);
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH -> refused(failure);
      case SQLITE_CANTOPEN -> isOpen() ? unavailable(failure) : refused(failure);
      // Busy, locked, I/O error, disk full and whatever else: another attempt may succeed.
      default -> unavailable(failure);
    };
  }

  private StoreUnavailable unavailable(SQLException failure) {
    return new StoreUnavailable(file + ": " + failure.getMessage(), failure);
  }

  /** Whether the file system lets this process write there, so that something else is wrong. */
  private boolean isOpen() {
    boolean isFileOpen = Files.notExists(file) || Files.isWritable(file);
    return isFileOpen && Files.isWritable(file.resolveSibling(""));
  }

  private StoreUnavailable refused(SQLException failure) {
    return new StoreUnavailable(
        ErrorCode.R141,
        """
        '%s' cannot be written (%s): give this process's user the right to write the file and its \
        folder, on a file system that is not read-only\
        """
            .formatted(file, failure.getMessage()),
        failure);
  }

  private RepriseException notOurs(String reason, SQLException failure) {
    return new RepriseException(ErrorCode.R115, "'%s' %s".formatted(file, reason), failure);
  }
}

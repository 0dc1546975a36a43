package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.store.Store.StoreUnavailable;
import dev.reprise.engine.store.Store.TransitionRefused;
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
      // Busy, locked, I/O error, disk full and whatever else: another attempt may succeed.
      default -> new StoreUnavailable(file + ": " + failure.getMessage(), failure);
    };
  }

  private RepriseException notOurs(String reason, SQLException failure) {
    return new RepriseException(ErrorCode.R115, "'%s' %s".formatted(file, reason), failure);
  }
}

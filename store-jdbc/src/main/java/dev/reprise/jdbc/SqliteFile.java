package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/**
 * The file, and how connections to it are opened.
 *
 * <p>Only SQLite ever opens it. To open and close it from Java would drop the locks that SQLite has
 * on it in this process, because the system keeps locks by process and not by opener.
 *
 * @param path without symbolic links, so that two names of a file have the same lock
 */
record SqliteFile(Path path) {
  private static final int BUSY_MILLIS = 5_000; // somebody writes by hand
  private static final int CACHE_KIB = 16 * 1024; // the pages that a thousand active runs write to

  // Writing the log back to the tables costs the less the more there is to merge: 1,000 pages, the
  // default, are a quarter slower under load. 16 MB, and a pause of some 20 ms each time.
  private static final int CHECKPOINT_PAGES = 4_000;
  private static final int LOG_BYTES = 64 * 1024 * 1024; // what the log shrinks to after a burst

  static SqliteFile at(Path given) {
    var absolute = given.toAbsolutePath().normalize();
    var folder = absolute.resolveSibling("");
    try {
      if (Files.exists(absolute)) return new SqliteFile(absolute.toRealPath());
      return new SqliteFile(folder.toRealPath().resolve(absolute.getFileName()));
    } catch (IOException missing) {
      throw new RepriseException(
          ErrorCode.R115,
          "there is no folder '%s' for the database '%s': create it first"
              .formatted(folder, absolute.getFileName()),
          missing);
    }
  }

  /** Whether anything was ever written to it. */
  boolean isNew() {
    try {
      return Files.notExists(path) || Files.size(path) == 0;
    } catch (IOException failure) {
      throw OwnerOnly.cannot("look at", path, failure);
    }
  }

  /**
   * Creates the file, for its owner alone: histories have what callers and activities said. SQLite
   * gives the files beside it the same rights. Only under the engine lock: no connection of this
   * process has the file open then, and so loses no lock when it is closed here.
   */
  void create() {
    if (Files.exists(path)) return;
    try {
      Files.createFile(path, OwnerOnly.attributes(path));
    } catch (FileAlreadyExistsException _) {
      return; // it is somebody's since a moment ago, with the rights it was given
    } catch (IOException failure) {
      throw OwnerOnly.cannot("create", path, failure);
    }
  }

  /** For the one that writes. */
  Jdbc writer() {
    var config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.FULL); // acknowledged means on the disk
    config.setCacheSize(-CACHE_KIB);
    config.setJournalSizeLimit(LOG_BYTES);
    var jdbc = open(config, "PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
    checkLog(jdbc);
    return jdbc;
  }

  /** SQLite does without the write-ahead log, and says nothing, where it cannot share memory. */
  private void checkLog(Jdbc jdbc) {
    var mode = jdbc.first("PRAGMA journal_mode", columns -> columns.getString(1)).orElseThrow();
    if (mode.equals("wal")) return;
    jdbc.close();
    throw new RepriseException(
        ErrorCode.R115,
        "'%s' is on a file system on which SQLite has no write-ahead log: use a local disk"
            .formatted(path));
  }

  /** For reading, also beside another process. Neither creates nor changes the file. */
  Jdbc reader() {
    var config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    config.setReadOnly(true);
    return open(config, "");
  }

  /**
   * @param pragma for each connection, or empty
   */
  private Jdbc open(SQLiteConfig config, String pragma) {
    return new Jdbc(
        () -> {
          var connection = config.createConnection("jdbc:sqlite:" + path);
          if (!pragma.isEmpty()) execute(connection, pragma);
          return connection;
        },
        new SqliteErrors(path)::meaningOf);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failure) {
      connection.close();
      throw failure;
    }
  }
}

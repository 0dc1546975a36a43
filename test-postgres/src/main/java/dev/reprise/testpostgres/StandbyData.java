package dev.reprise.testpostgres;

import dev.reprise.testpostgres.Postmaster.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** The data directory of a standby: a base backup of a running server, made by copying files. */
final class StandbyData {
  /** What a server makes anew. The standby gets the log of the primary from the primary. */
  private static final Set<String> LEFT_EMPTY =
      Set.of("pg_wal", "pg_replslot", "pg_notify", "pg_stat_tmp", "pg_subtrans", "pg_snapshots");

  private static final Set<String> LEFT_OUT = Set.of("postmaster.pid", "postmaster.opts");

  private StandbyData() {}

  static void copy(Source source, Path target) {
    try (var connection = source.url().connect()) {
      execute(connection, "SELECT pg_backup_start('standby', true)");
      copyFiles(source.data(), target);
      var label = answer(connection, "SELECT labelfile FROM pg_backup_stop(false)");
      Files.writeString(target.resolve("backup_label"), label);
      Files.writeString(target.resolve("standby.signal"), "");
      Files.writeString(target.resolve("postgresql.auto.conf"), settings(source));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException("no backup of " + source.url(), e);
    }
  }

  private static String settings(Source source) {
    return """
    primary_conninfo = 'host=127.0.0.1 port=%d user=reprise application_name=%s \
    sslmode=disable gssencmode=disable'
    wal_retrieve_retry_interval = '100ms'
    """
        .formatted(source.port(), PostgresServer.STANDBY);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String answer(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static void copyFiles(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            var copy = Files.createDirectories(to.resolve(from.relativize(folder)));
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
            boolean isEmpty = LEFT_EMPTY.contains(from.relativize(folder).toString());
            return isEmpty ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            var name = from.relativize(file);
            if (!LEFT_OUT.contains(name.toString())) copyFile(file, to.resolve(name));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) return FileVisitResult.CONTINUE;
            throw failure;
          }
        });
  }

  /** The server goes on meanwhile, and may delete what was seen a moment ago. */
  private static void copyFile(Path file, Path target) throws IOException {
    try {
      Files.copy(file, target);
    } catch (NoSuchFileException gone) {
      Files.deleteIfExists(target);
    }
  }
}

package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Brings the schema up to date, one file and one transaction after the other.
 *
 * <p>Each file records its version itself. Files that were released are never changed.
 */
final class Migrator {
  private static final List<String> FILES =
      List.of("V001__runs_and_histories.sql", "V002__many_nodes.sql");

  /** The version of the schema that this code works with. */
  static final int LATEST = FILES.size();

  private static final int APPLICATION_ID = 0x52707273; // as the first file has it

  private static final String COUNT_TABLES = "SELECT count(*) FROM sqlite_schema";
  private static final String READ_APPLICATION_ID = "PRAGMA application_id";
  private static final String READ_VERSION = "SELECT max(version) FROM schema_version";

  private final Jdbc jdbc;
  private final Path file;

  Migrator(Jdbc jdbc, Path file) {
    this.jdbc = jdbc;
    this.file = file;
  }

  /**
   * The version of the schema in the file, 0 if there are no tables yet.
   *
   * @throws RepriseException {@code R115} if the tables are not ours, {@code R116} if they are of a
   *     newer version
   */
  int version() {
    if (number(COUNT_TABLES) == 0) return 0;
    if (number(READ_APPLICATION_ID) != APPLICATION_ID) {
      throw new RepriseException(
          ErrorCode.R115,
          "'%s' is an SQLite database of something else. It was left as it is; choose another file."
              .formatted(file));
    }
    int version = number(READ_VERSION);
    if (version > LATEST) {
      throw new RepriseException(
          ErrorCode.R116,
          """
          '%s' has schema version %d, and this release of the engine knows versions up to %d. \
          Use the newer release, or a copy of the file from before the upgrade.\
          """
              .formatted(file, version, LATEST));
    }
    return version;
  }

  /** Applies what is missing. */
  void migrate() {
    while (jdbc.inTransaction(this::applyNext)) {}
  }

  /** The version is read in the same transaction: somebody may have been faster. */
  private boolean applyNext() {
    int version = version();
    if (version == LATEST) return false;
    jdbc.executeScript(read(FILES.get(version)));
    return true;
  }

  private int number(String sql) {
    return jdbc.first(sql, columns -> columns.getInt(1)).orElse(0);
  }

  private static String read(String name) {
    try (var in = Migrator.class.getResourceAsStream("sqlite/" + name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}

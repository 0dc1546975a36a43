package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Brings a schema up to date, one file and one transaction after the other.
 *
 * <p>Each file records its version itself. Files that were released are never changed.
 */
final class Migrator {
  /** The migrations for SQLite. */
  static final List<String> SQLITE =
      List.of(
          "V001__runs_and_histories.sql",
          "V002__many_nodes.sql",
          "V003__whole_life.sql",
          "V004__queues.sql",
          "V005__message_spaces.sql",
          "V006__checksums.sql",
          "V007__code_of_runs.sql",
          "V008__ids_used_again.sql",
          "V009__who_runs_what.sql");

  /** The migrations for PostgreSQL. */
  static final List<String> POSTGRES =
      List.of(
          "V001__runs_and_histories.sql",
          "V002__whole_life.sql",
          "V003__filters.sql",
          "V004__queues.sql",
          "V005__at_once.sql",
          "V006__pen.sql",
          "V007__message_spaces.sql",
          "V008__writer_in_the_row.sql",
          "V009__checksums.sql",
          "V010__writer_of_its_role.sql",
          "V011__code_of_nodes.sql",
          "V012__ids_used_again.sql",
          "V013__who_runs_what.sql");

  private final Schema schema;
  private final List<String> files;

  Migrator(Schema schema, List<String> files) {
    this.schema = schema;
    this.files = files;
  }

  /** Whether the schema is of the version that this code works with. */
  boolean isUpToDate() {
    return version() == latest(files);
  }

  /**
   * The version of the schema, 0 if there are no tables yet.
   *
   * @throws RepriseException {@code R115} if the tables are not ours, {@code R116} if they are of a
   *     newer version
   */
  private int version() {
    if (schema.isEmpty()) return 0;
    if (!schema.isOurs()) {
      throw new RepriseException(
          ErrorCode.R115,
          "%s has tables of something else: %s. It was left as it is; choose another one."
              .formatted(schema.database(), schema.tables()));
    }
    int version = schema.version();
    var newer = refusal(version);
    if (newer.isPresent()) throw newer.get();
    return version;
  }

  private Optional<RepriseException> refusal(int version) {
    return newer(schema, files, version);
  }

  /** That a schema is of a version newer than these files, if it is. */
  static Optional<RepriseException> newer(Schema schema, List<String> files, int version) {
    if (version <= latest(files)) return Optional.empty();
    return Optional.of(
        new RepriseException(
            ErrorCode.R116,
            """
            %s has schema version %d, and this release of the engine knows versions up to %d. \
            Use the newer release, or a copy of the database from before the upgrade.\
            """
                .formatted(schema.database(), version, latest(files))));
  }

  /** That the schema is not up to date, and may not be brought up to date now. */
  static RepriseException outdated(String database, String folder, List<String> files) {
    return new RepriseException(
        ErrorCode.R116,
        """
        %s does not have the tables of schema version %d yet. Open it once with migration on, or \
        apply the missing .sql files of dev/reprise/jdbc/%s in the jar by hand.\
        """
            .formatted(database, latest(files), folder));
  }

  /** Applies what is missing. */
  void migrate() {
    while (schema.inTransaction(this::applyNext)) {}
  }

  /** The version is read in the same transaction: another engine may have been faster. */
  boolean applyNext() {
    int version = version();
    var next = files.stream().filter(file -> versionOf(file) > version).findFirst();
    next.ifPresent(file -> schema.apply(read(file)));
    return next.isPresent();
  }

  /** The version that the last of these files brings a schema to. */
  static int latest(List<String> files) {
    return versionOf(files.getLast());
  }

  /** A number may be left out. */
  static int versionOf(String file) {
    return Integer.parseInt(file.substring(1, file.indexOf('_')));
  }

  private String read(String name) {
    var path = schema.folder() + "/" + name;
    try (var in = Migrator.class.getResourceAsStream(path)) {
      return new String(Objects.requireNonNull(in, path).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}

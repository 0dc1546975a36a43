package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import java.nio.file.Path;
import java.util.Optional;

/** Opens {@code jdbc:sqlite:} URLs: a path, relative or absolute, and nothing else. */
public final class SqliteProvider implements StoreProvider {
  private static final String PREFIX = "jdbc:sqlite:";

  @Override
  public Optional<Store> open(String url, Options options) {
    if (!url.startsWith(PREFIX)) return Optional.empty();
    return Optional.of(SqliteStore.open(path(url), options));
  }

  private static Path path(String url) {
    var path = url.substring(PREFIX.length());
    if (path.isBlank() || path.equals(":memory:")) {
      throw new RepriseException(
          ErrorCode.R115,
          "'%s' would forget everything with the process: name a file, or use Reprise.inMemory()"
              .formatted(url));
    }
    // SQLite's own URLs could ask for what breaks durability, such as another journal mode. None of
    // these is shown: what is more than a path may be a password.
    boolean isMore = path.startsWith("file:") || path.startsWith(":resource:");
    if (isMore || path.contains("?") || path.contains("://")) {
      throw new RepriseException(
          ErrorCode.R115,
          "the jdbc:sqlite: URL has more than a path: write it as jdbc:sqlite:path/to/file.db");
    }
    return Path.of(path);
  }
}

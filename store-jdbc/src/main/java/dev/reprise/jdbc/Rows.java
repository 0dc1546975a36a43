package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.store.RunRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * Reads rows, of which some may hold what the engine never wrote: an id that is no UUID, a status
 * that there is not. Such a row is {@code R145} where it alone was asked for, and left out of a
 * list, because the others in it are sound.
 */
final class Rows {
  private static final Logger LOG = LoggerFactory.getLogger(Rows.class);

  private Rows() {}

  /** A row that holds what the engine never wrote. */
  static final class Unreadable extends RepriseException {
    private static final long serialVersionUID = 1L;

    Unreadable(RuntimeException cause) {
      super(
          ErrorCode.R145,
          "a row of the database cannot be read (%s). 'reprise doctor' names it"
              .formatted(cause.getMessage()),
          cause);
    }
  }

  /**
   * @throws Unreadable for everything that conversions throw
   */
  static <T> T read(Jdbc.Row<T> row, ResultSet columns) throws SQLException {
    try {
      return row.read(columns);
    } catch (IllegalArgumentException
        | DateTimeException
        | ArithmeticException
        | NullPointerException
        | JacksonException wrong) {
      throw new Unreadable(wrong);
    }
  }

  /** Nothing for a row that cannot be read. */
  static <T> Jdbc.Row<Optional<T>> readable(Jdbc.Row<T> row) {
    return columns -> {
      try {
        return Optional.of(read(row, columns));
      } catch (Unreadable wrong) {
        LOG.debug("left out: {}", wrong.getMessage());
        return Optional.empty();
      }
    };
  }

  /** Those that could be read. */
  static <T> List<T> present(List<Optional<T>> rows) {
    return rows.stream().flatMap(Optional::stream).toList();
  }

  /** What is wrong with a row, or nothing. */
  static Optional<String> fault(Jdbc.Row<?> row, ResultSet columns) throws SQLException {
    try {
      var _ = read(row, columns);
      return Optional.empty();
    } catch (Unreadable wrong) {
      return Optional.of(String.valueOf(reason(wrong)));
    }
  }

  private static @Nullable String reason(Unreadable wrong) {
    return wrong.getCause() == null ? wrong.getMessage() : wrong.getCause().getMessage();
  }

  // ---- pages of runs ----------------------------------------------------------------------------

  /** A run of a list, if it can be read; its key is a number and always can. */
  record Listed(long key, Optional<RunRow> run) {
    static Jdbc.Row<Listed> of(Jdbc.Row<RunRow> row) {
      var readable = readable(row);
      return columns -> new Listed(columns.getLong(1), readable.read(columns));
    }
  }

  /** Reads the runs below a key, at most so many, the newest first. */
  interface Pages {
    List<Listed> below(long key, int limit);
  }

  /** A full page also if some of its runs cannot be read: a short one is taken for the last. */
  static List<RunRow> page(Pages pages, long below, int limit) {
    var found = new ArrayList<RunRow>();
    long from = below;
    for (; ; ) {
      int wanted = limit - found.size();
      var page = pages.below(from, wanted);
      for (var listed : page) {
        if (listed.run().isEmpty()) {
          LOG.warn("run {} cannot be read and is left out; see 'reprise doctor'", listed.key());
        }
        listed.run().ifPresent(found::add);
      }
      if (page.size() < wanted || found.size() == limit) return found;
      from = page.getLast().key();
    }
  }
}

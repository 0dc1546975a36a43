package dev.reprise;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which runs to list. All conditions must hold.
 *
 * @param status only those with this status, or null for all
 * @param workflow only those of this definition, or null for all
 * @param filter only those that this filter lets through, or null for all
 * @param cursor only those behind the page that gave it, or null for the first page
 * @param limit at most so many
 */
public record ListQuery(
    @Nullable Status status,
    @Nullable String workflow,
    @Nullable String filter,
    @Nullable String cursor,
    int limit) {
  private static final int DEFAULT_LIMIT = 50; // one screen
  private static final int MAX_LIMIT = 1_000; // one answer that fits in memory anywhere

  public ListQuery {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("limit is not in 1..%d: %d".formatted(MAX_LIMIT, limit));
    }
  }

  /** The newest runs. */
  public static ListQuery all() {
    return new ListQuery(null, null, null, null, DEFAULT_LIMIT);
  }

  /** Only those with this status. */
  public ListQuery with(Status status) {
    return new ListQuery(status, workflow, filter, cursor, limit);
  }

  /** Only those of this definition. */
  public ListQuery of(String workflow) {
    return new ListQuery(status, workflow, filter, cursor, limit);
  }

  /**
   * Only those that a filter lets through, such as {@code status = held and attribute.customer =
   * 'c-7'} or {@code waitsFor = signal}. It is read when the list is asked for; {@code
   * docs/reference/filters.md} has the language.
   */
  public ListQuery where(String filter) {
    return new ListQuery(status, workflow, filter, cursor, limit);
  }

  /**
   * A text as filters write it, in quotes: for values that come from elsewhere, so that whatever is
   * in them stays a value.
   */
  public static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** The page behind the one that gave this cursor, {@link RunPage#next}. */
  public ListQuery after(String cursor) {
    return new ListQuery(status, workflow, filter, cursor, limit);
  }

  /** At most so many. */
  public ListQuery limit(int limit) {
    return new ListQuery(status, workflow, filter, cursor, limit);
  }

  /** The status asked for. */
  public Optional<Status> wantedStatus() {
    return Optional.ofNullable(status);
  }
}

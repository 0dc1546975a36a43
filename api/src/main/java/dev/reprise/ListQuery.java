package dev.reprise;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which runs to list.
 *
 * @param status only those with this status, or null for all
 * @param workflow only those of this definition, or null for all
 * @param before only those listed after the run of this workflow id, or null for the first page
 * @param limit at most so many
 */
public record ListQuery(
    @Nullable Status status, @Nullable String workflow, @Nullable String before, int limit) {
  private static final int DEFAULT_LIMIT = 50; // one screen
  private static final int MAX_LIMIT = 1_000; // one answer that fits in memory anywhere

  public ListQuery {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("limit is not in 1..%d: %d".formatted(MAX_LIMIT, limit));
    }
  }

  /** The newest runs. */
  public static ListQuery all() {
    return new ListQuery(null, null, null, DEFAULT_LIMIT);
  }

  /** Only those with this status. */
  public ListQuery with(Status status) {
    return new ListQuery(status, workflow, before, limit);
  }

  /** Only those of this definition. */
  public ListQuery of(String workflow) {
    return new ListQuery(status, workflow, before, limit);
  }

  /** The page after the run of this workflow id. */
  public ListQuery after(String workflowId) {
    return new ListQuery(status, workflow, workflowId, limit);
  }

  /** At most so many. */
  public ListQuery limit(int limit) {
    return new ListQuery(status, workflow, before, limit);
  }

  /** The status asked for. */
  public Optional<Status> wantedStatus() {
    return Optional.ofNullable(status);
  }
}

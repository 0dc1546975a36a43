package dev.reprise;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of runs.
 *
 * @param runs the newest first
 * @param next what {@link ListQuery#after} takes to get the next page, or null if this is the last
 */
public record RunPage(List<RunDescription> runs, @Nullable String next) {

  public RunPage {
    runs = List.copyOf(runs);
  }

  /** What {@link ListQuery#after} takes to get the next page. */
  public Optional<String> nextPage() {
    return Optional.ofNullable(next);
  }
}

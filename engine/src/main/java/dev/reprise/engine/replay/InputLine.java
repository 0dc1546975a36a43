package dev.reprise.engine.replay;

import static java.util.Collections.emptySet;

import dev.reprise.engine.store.InputRow;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Inputs of a run that the store has accepted, on their way into its history. The same input may be
 * read from the store more than once before it is taken out of it; it comes in once.
 *
 * <p>Belongs to whoever holds the baton.
 */
final class InputLine {
  private Set<Long> known = emptySet();
  private @Nullable Queue<InputRow> arriving; // none before the first
  private int fetches; // readings of the store that have not come back

  void fetchBegins() {
    fetches++;
  }

  /** A reading has come back. */
  void fetched(List<InputRow> inputs) {
    fetches--;
    add(inputs);
  }

  void add(List<InputRow> inputs) {
    for (var input : inputs) {
      if (known.contains(input.id())) continue;
      known = Sparse.add(known, input.id());
      if (arriving == null) arriving = new ArrayDeque<>(2);
      arriving.add(input);
    }
  }

  /** Whether readings of the store are on their way. */
  boolean isFetching() {
    return fetches > 0;
  }

  /** The next one that is not in the history yet. */
  @Nullable InputRow next() {
    return arriving == null ? null : arriving.poll();
  }

  /** It is out of the store. A reading on its way may have seen it before. */
  void settled(InputRow input) {
    if (fetches == 0) known.remove(input.id());
  }
}

package dev.reprise.verification.property;

import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import java.util.function.Predicate;

/**
 * When engines crash: after every transition that has something in it, one after the other. Not
 * where some have died while a run recorded nothing: that would be taken for its fault.
 */
record Crashes(Store store) implements Predicate<Transition> {
  private static final int MAX_DEATHS = 2;
  private static final int MAX_RUNS = 10_000;

  @Override
  public boolean test(Transition transition) {
    return hasSomething(transition)
        && store.list(Filter.ALL, Long.MAX_VALUE, MAX_RUNS).stream()
            .noneMatch(row -> !row.status().isClosed() && row.crashes() >= MAX_DEATHS);
  }

  private static boolean hasSomething(Transition transition) {
    return !(transition instanceof Transition.Append append) || !append.events().isEmpty();
  }
}

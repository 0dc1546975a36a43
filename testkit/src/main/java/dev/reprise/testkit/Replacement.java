package dev.reprise.testkit;

import org.jspecify.annotations.Nullable;

/** What a test does in place of an activity. */
@FunctionalInterface
public interface Replacement {

  /** Returns what the activity returns, or throws what it throws. */
  @Nullable Object answer(Call call) throws Exception;
}

package dev.reprise.engine.replay;

import dev.reprise.RepriseException;
import dev.reprise.engine.decide.Input;
import org.jspecify.annotations.Nullable;

/** What can happen to a run from within the engine. Only for the holder of the baton. */
interface Happenings {

  /** Something happened that may be an event. */
  void enter(Input input, @Nullable String site);

  /** It goes on, if it was parked. */
  void wake();

  /** An activity has ended, or will not begin. */
  void stepEnded();

  /** Its code has made a mistake, which is to be mended before it goes on. */
  void mistaken(RepriseException mistake);

  /** What it recorded last did not become durable. */
  void lost(RuntimeException why);
}

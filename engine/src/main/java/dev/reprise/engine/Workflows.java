package dev.reprise.engine;

/**
 * The workflows of an application, in one place: to start its engine with, and to be found by
 * {@code reprise replay-check}. Name the class in {@code
 * META-INF/services/dev.reprise.engine.Workflows}.
 *
 * <p>A check calls no activity, so what workflows are made of need not work there; it has to be
 * there.
 */
public interface Workflows {

  /** Adds them, with what they need, to an engine that is being set up. */
  void register(Reprise engine);
}

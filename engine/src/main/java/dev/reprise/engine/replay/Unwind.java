package dev.reprise.engine.replay;

/**
 * Ends the threads of a run that leaves memory. An error, so that {@code catch (Exception e)} lets
 * it pass; code that catches it all the same only meets it again at its next call of the context,
 * and whatever it returns is thrown away.
 */
@SuppressWarnings("serial")
final class Unwind extends Error {
  static final Unwind INSTANCE = new Unwind();

  private Unwind() {
    super("this run has left memory; let this error pass", null, false, false);
  }
}

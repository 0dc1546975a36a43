package dev.reprise.engine.machine;

/**
 * Whether it pays to try something that nearly always goes well. After some disappointments in a
 * row it is not tried for a while; the more there are, the longer.
 *
 * <p>Safe for use by many threads.
 */
public final class Patience {
  private final int disappointments;
  private final int firstRest;
  private final int longestRest;
  private int disappointed;
  private int rest;
  private int nextRest;

  /**
   * @param disappointments so many in a row are enough
   * @param firstRest how many occasions pass by then the first time
   * @param longestRest how many at most
   */
  public Patience(int disappointments, int firstRest, int longestRest) {
    this.disappointments = disappointments;
    this.firstRest = firstRest;
    this.nextRest = firstRest;
    this.longestRest = longestRest;
  }

  /** Whether to try this time. */
  public synchronized boolean begins() {
    if (rest == 0) return true;
    rest--;
    return false;
  }

  /** It was tried, and went well or not. */
  public synchronized void ended(boolean well) {
    if (well) {
      disappointed = 0;
      nextRest = Math.max(firstRest, nextRest - nextRest / 8); // rare ones do not add up
      return;
    }
    if (++disappointed < disappointments) return;
    disappointed = 0;
    rest = nextRest;
    nextRest = Math.min(2 * nextRest, longestRest);
  }
}

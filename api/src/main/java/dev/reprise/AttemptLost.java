package dev.reprise;

/**
 * What an attempt of a queued activity failed with whose worker was not heard of any more: it died,
 * was cut off, or took longer than its lease without a heartbeat. Never thrown; found as the
 * recorded failure, by {@code ActivityFailed.is(AttemptLost.class)}.
 */
public final class AttemptLost extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public AttemptLost(String message) {
    super(message);
  }
}

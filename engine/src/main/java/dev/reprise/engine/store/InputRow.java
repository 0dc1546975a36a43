package dev.reprise.engine.store;

import java.time.Instant;

/**
 * An input that was accepted and is not in a history yet.
 *
 * @param id given by the store, ascending in the order of acceptance; 0 before that
 * @param run for which run
 * @param kind what it is
 * @param name the name of the signal; of a cancel, who asked for it
 * @param message the sender's own id of it: of two with the same, a run takes in one
 * @param value as the codec wrote it
 * @param acceptedAt when
 */
public record InputRow(
    long id, long run, Kind kind, String name, String message, byte[] value, Instant acceptedAt) {

  /** What an input is. Names are what the database has. */
  public enum Kind {
    SIGNAL,
    CANCEL
  }
}

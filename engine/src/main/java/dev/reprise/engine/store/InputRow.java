package dev.reprise.engine.store;

import java.time.Instant;

/**
 * An input that was accepted and is not in a history yet.
 *
 * @param id given by the store, ascending in the order of acceptance; 0 before that
 * @param run for which run
 * @param kind what it is
 * @param name the name of the signal or update; of a cancel, who asked for it; of a child or an
 *     activity, the run that asked for it
 * @param message the sender's own id of it: of two of a kind and name with the same, a run takes in
 *     one
 * @param value as the codec wrote it
 * @param acceptedAt when
 * @param damaged whether it is not what was accepted, by its checksum
 */
public record InputRow(
    long id,
    long run,
    Kind kind,
    String name,
    String message,
    byte[] value,
    Instant acceptedAt,
    boolean damaged) {

  /** A sound one. */
  public InputRow(
      long id, long run, Kind kind, String name, String message, byte[] value, Instant acceptedAt) {
    this(id, run, kind, name, message, value, acceptedAt, false);
  }

  /** Whether both are the same for the sender: the id counts within one kind and name. */
  boolean repeats(InputRow other) {
    return kind == other.kind && name.equals(other.name) && message.equals(other.message);
  }

  /** The same with the id that the store gave it. */
  public InputRow numbered(long id) {
    return new InputRow(id, run, kind, name, message, value, acceptedAt, damaged);
  }

  /** The same for another run of its workflow. */
  public InputRow of(long run) {
    return new InputRow(id, run, kind, name, message, value, acceptedAt, damaged);
  }

  /** What a store keeps with it. */
  public int checksum() {
    return Checksum.of(this);
  }

  /** Marked as damaged if this checksum, which was kept with it, does not fit. */
  public InputRow checked(int kept) {
    return checksum() == kept ? this : broken();
  }

  /** Marked as damaged. */
  public InputRow broken() {
    return new InputRow(id, run, kind, name, message, value, acceptedAt, true);
  }

  /** What an input is. Names are what the database has. */
  public enum Kind {
    /** A signal. */
    SIGNAL,
    /** Somebody wants the run to end; the value says why. */
    CANCEL,
    /** Somebody ends the run; the value says why. */
    TERMINATE,
    /** The same, after what it did was undone. */
    TERMINATE_AND_UNDO,
    /** The end of a child; the name is the child's id in the run's history. */
    CHILD,
    /** What came of an activity on a queue; the name is the id of the run that asked for it. */
    ACTIVITY,
    /** A request that the run answers; the message is its id. */
    UPDATE
  }
}

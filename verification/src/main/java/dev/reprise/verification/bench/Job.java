package dev.reprise.verification.bench;

/** The workflows that every contestant has. All take a number and return one. */
public enum Job {
  /** So many steps, one after the other; gives the sum of their indexes. */
  SEQUENCE,
  /** So many durable tasks at once, joined; gives the sum of their indexes. */
  PARALLEL,
  /** Waits for a signal with a number, and gives it. */
  WAITING,
  /** Sleeps for so many milliseconds. */
  SLEEPING,
  /** Like a sequence, with steps that leave a line in a file. */
  LOGGED
}

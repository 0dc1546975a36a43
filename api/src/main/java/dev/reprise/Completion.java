package dev.reprise;

/** What came of completing an activity from outside. */
public enum Completion {
  /** It is completed by this, durably. */
  ACCEPTED,
  /** It was completed before: nothing has changed. */
  ALREADY_COMPLETED
}

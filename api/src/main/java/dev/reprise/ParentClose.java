package dev.reprise;

/** What becomes of an open child when its parent closes, whichever way. */
public enum ParentClose {
  /** It is asked to end, and may clean up. */
  CANCEL,
  /** It is ended at once, without its code. */
  TERMINATE,
  /** Nothing: it goes on alone. */
  ABANDON
}

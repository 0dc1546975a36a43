package dev.reprise;

/** When the branches of a {@link Scope} are given up. */
public enum JoinPolicy {
  /** When one fails: the others are cancelled, and the scope throws its failure. */
  FAIL_FAST,
  /** Never: all end, each with its own outcome. */
  COLLECT_ALL
}

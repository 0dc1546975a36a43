package dev.reprise.verification.chaos;

/**
 * The activities of a {@link Load}. A later stage begins when all of the one before is recorded; in
 * a stage each branch does its steps one after the other.
 */
public enum Step {
  FIRST(0, 0),
  SECOND(1, 0),
  THIRD(2, 0), // then the workflow sleeps
  LEFT_ONE(3, 1),
  LEFT_TWO(3, 1),
  MIDDLE_ONE(3, 2),
  MIDDLE_TWO(3, 2),
  RIGHT_ONE(3, 3),
  RIGHT_TWO(3, 3),
  FLAKY(4, 0),
  LAST(5, 0); // when all signals were received

  static final Step BEFORE_SLEEP = THIRD;

  private final int stage;
  private final int branch;

  Step(int stage, int branch) {
    this.stage = stage;
    this.branch = branch;
  }

  /** Whether this one was recorded as completed for certain when the other began. */
  boolean isBefore(Step other) {
    if (stage != other.stage) return stage < other.stage;
    return branch == other.branch && ordinal() < other.ordinal();
  }

  boolean isAfterSleep() {
    return stage > BEFORE_SLEEP.stage;
  }

  /** What it returns for a workflow: a number that no other step returns. */
  long value(int number) {
    return (number + 1) * 1_000L + ordinal();
  }
}

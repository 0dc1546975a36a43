package dev.reprise.engine.filter;

/** How a field and a value are to stand to each other. */
public enum Relation {
  EQUAL("="),
  NOT_EQUAL("!="),
  LESS("<"),
  AT_MOST("<="),
  GREATER(">"),
  AT_LEAST(">=");

  private final String symbol;

  Relation(String symbol) {
    this.symbol = symbol;
  }

  /** As filters write it. */
  public String symbol() {
    return symbol;
  }

  /** Whether it asks which of two comes first. */
  public boolean isOrder() {
    return this != EQUAL && this != NOT_EQUAL;
  }

  /** Whether it holds for two that compare like this. */
  boolean holds(int comparison) {
    return switch (this) {
      case EQUAL -> comparison == 0;
      case NOT_EQUAL -> comparison != 0;
      case LESS -> comparison < 0;
      case AT_MOST -> comparison <= 0;
      case GREATER -> comparison > 0;
      case AT_LEAST -> comparison >= 0;
    };
  }
}

package dev.reprise.testkit;

/** The histories of a failed test, shown with its failure by whatever shows that. */
final class Histories extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_RUNS = 20; // of a failed test

  private Histories(String text) {
    super(text, null, false, false);
  }

  static void showIn(Throwable failure, TestEngine engine) {
    String text;
    try {
      text = of(engine, String.valueOf(failure.getMessage()));
    } catch (RuntimeException | AssertionError e) {
      failure.addSuppressed(e);
      return;
    }
    if (!text.isBlank()) failure.addSuppressed(new Histories(text));
  }

  /** The histories of all runs, but for those that a text shows already. */
  static String of(TestEngine engine, String shown) {
    var runs = engine.runs();
    var text = new StringBuilder();
    for (var run : runs.subList(0, Math.min(SHOWN_RUNS, runs.size()))) {
      var table = engine.table(run.workflowId());
      if (!shown.contains(table)) text.append(table).append('\n');
    }
    if (runs.size() > SHOWN_RUNS) text.append("and %d more".formatted(runs.size() - SHOWN_RUNS));
    return text.toString();
  }

  @Override
  public String toString() {
    return "the histories of this test:\n\n" + getMessage();
  }
}

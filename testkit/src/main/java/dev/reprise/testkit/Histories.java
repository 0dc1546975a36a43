package dev.reprise.testkit;

/** The histories of a failed test, shown with its failure by whatever shows that. */
final class Histories extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private Histories(String text) {
    super(text, null, false, false);
  }

  static void showIn(Throwable failure, TestEngine engine) {
    String text;
    try {
      text = engine.tables();
    } catch (RuntimeException | AssertionError e) {
      failure.addSuppressed(e);
      return;
    }
    if (!text.isBlank()) failure.addSuppressed(new Histories(text));
  }

  @Override
  public String toString() {
    return "the histories of this test:\n\n" + getMessage();
  }
}

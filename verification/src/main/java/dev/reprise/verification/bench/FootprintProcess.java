package dev.reprise.verification.bench;

import java.io.IOException;

/**
 * The process of {@link Footprint}: an application with an engine that completes one workflow, and
 * then has nothing to do. Prints a word when it is so far, the bytes of its heap for each line that
 * it reads, and ends when it has read all.
 *
 * <p>Argument: URL.
 */
final class FootprintProcess {
  static final String UP = "up";
  static final String COMPLETED = "completed";

  private FootprintProcess() {}

  public static void main(String[] args) throws IOException {
    var workflow = new Workflows.Sequence(new NoOps());
    try (var engine = Database.reprise(args[0]).workflow(workflow).start()) {
      System.out.println(UP);
      int result = engine.start(Workflows.Sequence.class, "first", 1).result();
      if (result != Workflows.sumBelow(1)) throw new IllegalStateException("gave " + result);
      System.out.println(COMPLETED);
      for (int letter = System.in.read(); letter >= 0; letter = System.in.read()) {
        if (letter == '\n') System.out.println(heapInUse());
      }
    }
  }

  /** With what is garbage by now, for an idle engine is not to collect it. */
  private static long heapInUse() {
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}

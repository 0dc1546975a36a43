package dev.reprise.examples.starts;

import dev.reprise.Context;
import dev.reprise.Workflow;

/** Makes a report, which takes a while. */
public final class Report implements Workflow<String, String> {
  private final Figures figures;

  public Report(Figures figures) {
    this.figures = figures;
  }

  @Override
  public String run(Context ctx, String what) {
    return ctx.run(figures::of, what);
  }

  /** Where the figures come from. */
  @FunctionalInterface
  public interface Figures {
    String of(String what);
  }
}

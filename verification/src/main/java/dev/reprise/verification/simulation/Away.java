package dev.reprise.verification.simulation;

import dev.reprise.Context;
import dev.reprise.Workflow;
import org.jspecify.annotations.Nullable;

/** The same as {@link Play}, of another application: not every node has its code. */
final class Away implements Workflow<Long, @Nullable String> {
  static final String NAME = "Away";

  private final Work work;
  private final Jobs jobs;

  Away(Work work, Jobs jobs) {
    this.work = work;
    this.jobs = jobs;
  }

  @Override
  public @Nullable String run(Context ctx, Long number) {
    return new Scene(ctx, work, jobs, number).play();
  }
}

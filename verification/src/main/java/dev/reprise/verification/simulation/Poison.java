package dev.reprise.verification.simulation;

import dev.reprise.Context;
import dev.reprise.Workflow;

/** Kills every process that runs it. */
final class Poison implements Workflow<Long, String> {
  private final Work work;

  Poison(Work work) {
    this.work = work;
  }

  @Override
  public String run(Context ctx, Long number) {
    ctx.run(work::die, ctx.workflowId());
    return "";
  }
}

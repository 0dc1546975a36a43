package dev.reprise.verification.commands;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Workflow;

/** Waits for a colour. */
final class Painting implements Workflow<String, String> {
  private static final Signal<String> COLOUR = Signal.of("colour", String.class);

  @Override
  public String run(Context ctx, String what) {
    return what + " in " + ctx.receive(COLOUR);
  }
}

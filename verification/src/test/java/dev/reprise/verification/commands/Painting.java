package dev.reprise.verification.commands;

import dev.reprise.Context;
import dev.reprise.Signal;
import dev.reprise.Update;
import dev.reprise.Workflow;

/** Waits for a colour, and may be made smaller meanwhile. */
final class Painting implements Workflow<String, String> {
  private static final Signal<String> COLOUR = Signal.of("colour", String.class);

  private static final Update<Integer, Integer> SIZE =
      Update.of("size", Integer.class, Integer.class);

  @Override
  public String run(Context ctx, String what) {
    var size = new int[] {10};
    ctx.onUpdate(
        SIZE,
        wanted -> {
          if (wanted < 0) throw new IllegalArgumentException("a wall of " + wanted);
        },
        wanted -> {
          if (wanted > 100) throw new IllegalStateException("too large");
          return size[0] = wanted;
        });
    return what + " in " + ctx.receive(COLOUR);
  }
}

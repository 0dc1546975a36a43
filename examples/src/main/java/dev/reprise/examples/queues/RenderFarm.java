package dev.reprise.examples.queues;

import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;

/** A process that runs no workflows, only what they put on the queue. */
public final class RenderFarm {
  private RenderFarm() {}

  // tag::worker[]
  /** Serves the queue until the engine is closed. */
  public static Engine start(String url, Renderer.Card card) {
    return Reprise.open(url)
        .activities(new Renderer(card)) // what it can do
        .worker("gpu", 8) // eight at a time
        .start();
  }
  // end::worker[]
}

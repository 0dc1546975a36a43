package dev.reprise.examples.queues;

import dev.reprise.ActivityContext;
import dev.reprise.RetryAfter;
import dev.reprise.TerminalFailure;
import java.time.Duration;
import java.util.List;

/** Does the work of a studio with a graphics card. */
public final class Renderer implements Studio {
  private final Card card;

  public Renderer(Card card) {
    this.card = card;
  }

  // tag::heartbeat[]
  @Override
  public String render(Scene scene) throws Exception {
    var activity = ActivityContext.current();
    int first = activity.lastHeartbeat(Integer.class).orElse(0); // where the last attempt was
    for (int frame = first; frame < scene.frames(); frame++) {
      card.draw(scene.name(), frame);
      if (activity.heartbeat(frame + 1)) throw new InterruptedException("nobody wants it");
    }
    return scene.name() + ".mov";
  }

  // end::heartbeat[]

  // tag::retry-after[]
  @Override
  public String cut(List<String> files) {
    if (files.isEmpty()) throw new TerminalFailure("there is nothing to cut"); // never again
    int busy = card.busySeconds();
    if (busy > 0) throw new RetryAfter(Duration.ofSeconds(busy), "the card is busy");
    return String.join("+", files);
  }

  // end::retry-after[]

  @Override
  public void preview(String title) {
    card.draw(title, 0);
  }

  /** A graphics card. */
  public interface Card {
    void draw(String what, int frame);

    /** For how long it has other work. */
    int busySeconds();
  }
}

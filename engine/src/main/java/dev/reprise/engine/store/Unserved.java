package dev.reprise.engine.store;

import dev.reprise.Texts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that waits and that nobody who lives can run.
 *
 * @param kind what is missing
 * @param queue on which it waits; empty if on none
 * @param name of the activity or workflow; empty if nobody serves the queue at all
 * @param since when the first of it waits
 */
public record Unserved(Kind kind, String queue, String name, Instant since) {

  /** What is missing. */
  public enum Kind {
    /** A worker of the queue. */
    WORKER,
    /** A worker of the queue that has the activity or the workflow. */
    CODE,
    /** An engine that has the workflow. */
    WORKFLOW
  }

  /** All that has waited since before a time. Cheap if nothing has. */
  public static List<Unserved> find(Store store, Instant before, Instant now) {
    var queues = store.tasks().waitingSince(before);
    var due = store.unclaimed(before);
    if (queues.isEmpty() && due.isEmpty()) return List.of();
    var served = Served.at(store, now);
    var found = new ArrayList<Unserved>();
    queues.forEach(
        (queue, since) -> {
          if (!queue.isEmpty() && !served.hasQueue(queue)) {
            found.add(new Unserved(Kind.WORKER, queue, "", since));
          } else {
            store
                .tasks()
                .namesWaiting(queue, before)
                .forEach((name, first) -> addUnlessServed(found, served, queue, name, first));
          }
        });
    due.forEach(
        (workflow, since) -> {
          if (served.hasWorkflow(workflow)) return;
          found.add(new Unserved(Kind.WORKFLOW, "", workflow, since));
        });
    return found;
  }

  private static void addUnlessServed(
      List<Unserved> found, Served served, String queue, String name, Instant since) {
    if (served.has(queue, name)) return;
    found.add(new Unserved(queue.isEmpty() ? Kind.WORKFLOW : Kind.CODE, queue, name, since));
  }

  /** What is the matter and what to do, for people. */
  public String text() {
    return switch (kind) {
      case WORKER ->
          "nobody serves queue '%s', on which something has waited since %s: %s"
              .formatted(Texts.shown(queue), since, remedy());
      case CODE ->
          "no worker of queue '%s' has '%s', which has waited there since %s: %s"
              .formatted(Texts.shown(queue), Texts.shown(name), since, remedy());
      case WORKFLOW ->
          "no engine has workflow '%s', of which a run has waited since %s: %s"
              .formatted(Texts.shown(name), since, remedy());
    };
  }

  /** What to do. */
  public String remedy() {
    return switch (kind) {
      case WORKER ->
          "start a worker with engine.worker(\"%s\", …) where its activities are registered"
              .formatted(Texts.shown(queue));
      case CODE ->
          "register it with activities(…) or workflow(…) where engine.worker(\"%s\", …) is called"
              .formatted(Texts.shown(queue));
      case WORKFLOW -> "start an engine that registers it with workflow(…)";
    };
  }

  /** The same thing, whenever it began to wait. */
  public String key() {
    return kind + " " + queue + "\n" + name;
  }
}

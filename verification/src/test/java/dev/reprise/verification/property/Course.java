package dev.reprise.verification.property;

import dev.reprise.engine.store.InputRow.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * What happened to a program that was run straight, and how far all its histories were each time.
 * It always happens when nothing moves, so the same can happen again in the same order.
 */
final class Course {
  private static final int MAX_MOMENTS = 600; // a program that takes more does not end
  private static final int SENT = 3; // in a hundred, each of cancel, terminate and terminate + undo

  /**
   * A moment at which nothing moved.
   *
   * @param sizes of all histories
   * @param answers of all runs in memory that answer queries
   * @param next what happened then
   */
  record Moment(Map<UUID, Integer> sizes, Map<UUID, String> answers, Stimulus next) {}

  private final List<Moment> moments = new ArrayList<>();
  private final Random random;
  private final Failures failures = new Failures();
  private int messages;

  Course(Random random) {
    this.random = random;
  }

  List<Moment> moments() {
    return moments;
  }

  /** Lets random things happen until all runs have ended. */
  void run(Life life) {
    for (life.settle(); !life.isOver(); life.settle()) {
      if (moments.size() == MAX_MOMENTS) throw new AssertionError("it does not end");
      var next = next(life);
      moments.add(new Moment(life.sizes(), life.answers(), next));
      next.happen(life);
    }
  }

  /** One of the things that can happen now. */
  private Stimulus next(Life life) {
    var waiting = List.copyOf(life.gate().waiting());
    var alarm = life.time().nextAlarm();
    int choice = random.nextInt(100);
    if (choice < 65 && !waiting.isEmpty()) {
      var key = waiting.get(random.nextInt(waiting.size()));
      return new Stimulus.Ends(key, !failures.next(key));
    }
    if (choice < 85 && alarm.isPresent()) return new Stimulus.Passes(alarm.get());
    return sent(life);
  }

  private Stimulus sent(Life life) {
    var open = life.open();
    var row = open.get(random.nextInt(open.size()));
    var id = row.workflowId();
    if (row.status().isHeld() && random.nextInt(4) > 0) return new Stimulus.Resumed(id);
    var message = "m" + messages++;
    int choice = random.nextInt(100);
    if (choice < SENT) return new Stimulus.Sent(id, Kind.TERMINATE, "test", message, "fire");
    if (choice < 2 * SENT) {
      return new Stimulus.Sent(id, Kind.TERMINATE_AND_UNDO, "test", message, "smoke");
    }
    if (row.status().isHeld()) return new Stimulus.Resumed(id);
    if (choice < 4 * SENT) return new Stimulus.Sent(id, Kind.CANCEL, "test", message, "no more");
    if (choice < 30) return new Stimulus.Sent(id, Kind.UPDATE, "change", message, update(message));
    return new Stimulus.Sent(
        id, Kind.SIGNAL, random.nextBoolean() ? "a" : "b", message, "s" + message);
  }

  private String update(String message) {
    return random.nextInt(5) == 0 ? Interpreter.REFUSED : "u" + message;
  }
}

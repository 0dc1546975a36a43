package dev.reprise.verification.property;

import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.RunState;
import dev.reprise.engine.store.InputRow.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a program that was run straight, and how far all its histories were each time.
 * It always happens when nothing moves, so the same can happen again in the same order.
 */
final class Course {
  private static final int MAX_MOMENTS = 600; // a program that takes more does not end
  private static final int FORKED = 4; // in a hundred moments, until there is one
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
  private boolean hasForked;

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
    var fork = forked(life);
    if (fork != null) return fork;
    int choice = random.nextInt(100);
    if (choice < 65 && !waiting.isEmpty()) {
      var key = waiting.get(random.nextInt(waiting.size()));
      return new Stimulus.Ends(key, !failures.next(key));
    }
    if (choice < 85 && alarm.isPresent()) return new Stimulus.Passes(alarm.get());
    return sent(life);
  }

  /** A fork of the program itself, once at most, where nothing is open that it would share. */
  private @Nullable Stimulus forked(Life life) {
    if (hasForked || random.nextInt(100) >= FORKED) return null;
    var row = life.row();
    if (row.status() != Status.RUNNING) return null;
    var history = life.history(row);
    int index = 1 + random.nextInt(history.size());
    var state = RunState.empty();
    for (var event : history.subList(0, index)) {
      state = state.apply(event.recorded());
      if (event.recorded().event() instanceof Event.LoopSnapshot) return null;
    }
    if (!state.life().undo().isEmpty() || !state.life().children().isEmpty()) return null;
    hasForked = true;
    var in = Interpreter.In.parse(life.input(row));
    var input = new Interpreter.In(in.path(), in.generation(), namesake(in.name())).text();
    return new Stimulus.Forked(row.workflowId(), index, "forked", input);
  }

  /** Another name with the same times: the copied events have those of the source. */
  private static String namesake(String name) {
    for (int i = 0; ; i++) {
      var other = "fork" + i;
      if (Interpreter.spread(other) == Interpreter.spread(name)) return other;
    }
  }

  private Stimulus sent(Life life) {
    var open = life.open();
    var row = open.get(random.nextInt(open.size()));
    var id = row.workflowId();
    if (row.status().isHeld() && random.nextInt(4) > 0) return new Stimulus.Resumed(id);
    int number = messages++;
    var message = "m" + number / 3; // senders that do not know of each other use the same ids
    int choice = random.nextInt(100);
    if (choice < SENT) return new Stimulus.Sent(id, Kind.TERMINATE, "test", message, "fire");
    if (choice < 2 * SENT) {
      return new Stimulus.Sent(id, Kind.TERMINATE_AND_UNDO, "test", message, "smoke");
    }
    if (row.status().isHeld()) return new Stimulus.Resumed(id);
    if (choice < 4 * SENT) return new Stimulus.Sent(id, Kind.CANCEL, "test", message, "no more");
    boolean first = random.nextBoolean();
    return choice < 30
        ? new Stimulus.Sent(id, Kind.UPDATE, first ? "change" : "alter", message, update(number))
        : new Stimulus.Sent(id, Kind.SIGNAL, first ? "a" : "b", message, "s" + number);
  }

  private String update(int number) {
    return random.nextInt(5) == 0 ? Interpreter.REFUSED : "u" + number;
  }
}

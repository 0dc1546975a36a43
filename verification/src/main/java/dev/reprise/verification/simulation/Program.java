package dev.reprise.verification.simulation;

import dev.reprise.ParentClose;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A random workflow: what it does, piece by piece. */
sealed interface Program {

  /** An activity that fails so many times first, takes so long each time, and so long between. */
  record Step(String path, int failures, int millis, int retryMillis) implements Program {}

  record Sleep(int millis) implements Program {}

  /** A wait for a signal, with a limit unless that is 0. */
  record Receive(int limitMillis) implements Program {}

  /** Branches: until all have ended, or the first. */
  record Branches(boolean all, List<List<Program>> branches) implements Program {}

  /** What must end in time. */
  record Limit(int millis, List<Program> body) implements Program {}

  /** The time, a random number and an id. */
  record Values() implements Program {}

  /** What goes on although the workflow is cancelled. */
  record Shielded(List<Program> body) implements Program {}

  /** Branches that end together; one of them may fail. */
  record Together(boolean failFast, boolean fails, List<List<Program>> branches)
      implements Program {}

  /** Something to undo, which fails so many times first, for good or until it is tried again. */
  record Undoable(String path, int failures, boolean forGood) implements Program {}

  /** A child, and what its parent does with it. */
  record Offspring(Kin kin, ParentClose policy, int timeoutMillis, long number)
      implements Program {}

  /**
   * How parent and child are to each other.
   *
   * @param away its code is not everywhere
   * @param awaited the parent waits for its end
   * @param told the parent sends it a signal
   * @param unwanted the parent cancels it
   * @param twice the parent wants another child with the same id, and does not get it
   */
  record Kin(boolean away, boolean awaited, boolean told, boolean unwanted, boolean twice) {}

  /** A loop of so many turns, each with a step, and a look for a signal if it listens. */
  record Turns(String path, int count, boolean listens) implements Program {}

  /** An attribute and a published value. */
  record Tell(int value) implements Program {}

  /** An activity on a queue, and what the workflow does about its end. */
  record Queued(How how, Jobs.Job job, Terms terms) implements Program {}

  /** Whether somebody waits for an activity on a queue. */
  enum How {
    CALL,
    JOIN,
    IGNORE
  }

  /** What becomes of the workflow after all pieces. */
  enum End {
    RETURN,
    FAIL,
    CONTINUE
  }

  /** All of it. */
  record Whole(List<Program> pieces, End end) {}

  int GENERATION = 3; // bits of a number: how often it was continued
  int CHILD = 4; // bit of a number: it waits for nobody, and has no children
  int STEP = 8; // between two numbers of the same kind

  /** The program of that number. */
  static Whole of(long number) {
    var random = new SplittableRandom(number);
    boolean child = (number & CHILD) != 0;
    int length = child ? 1 + random.nextInt(3) : 2 + random.nextInt(5);
    var pieces = new Draft(random, child).pieces("", length, 2);
    return new Whole(pieces, end(random, (number & GENERATION) < 2));
  }

  private static End end(SplittableRandom random, boolean mayContinue) {
    int drawn = random.nextInt(12);
    if (drawn < 2) return End.FAIL;
    return drawn < 5 && mayContinue ? End.CONTINUE : End.RETURN;
  }

  /** How long its runs may take; 0 for as long as they take. */
  static int timeoutMillis(long number) {
    var random = new SplittableRandom(~number);
    return random.nextInt(8) == 0 ? 1 + random.nextInt(6_000) : 0;
  }

  /** How many signals it takes at most, with what it continues as. */
  static int receives(long number) {
    int sum = 0;
    for (long next = number; ; next++) {
      var whole = of(next);
      sum += receives(whole.pieces());
      if (whole.end() != End.CONTINUE) return sum;
    }
  }

  private static int receives(List<Program> pieces) {
    int sum = 0;
    for (var piece : pieces) {
      sum +=
          switch (piece) {
            case Receive _ -> 1;
            case Branches(_, var branches) -> branches.stream().mapToInt(Program::receives).sum();
            case Together(_, _, var branches) ->
                branches.stream().mapToInt(Program::receives).sum();
            case Limit(_, var body) -> receives(body);
            case Shielded(var body) -> receives(body);
            case Turns(_, var count, var listens) -> listens ? count : 0;
            case Step _, Sleep _, Values _, Undoable _, Offspring _, Tell _, Queued _ -> 0;
          };
    }
    return sum;
  }

  /** Draws pieces. */
  record Draft(SplittableRandom random, boolean child) {
    List<Program> pieces(String path, int count, int depth) {
      var pieces = new ArrayList<Program>();
      for (int i = 0; i < count; i++) pieces.add(piece(path + i, depth));
      return pieces;
    }

    private Program piece(String path, int depth) {
      return switch (random.nextInt(depth > 0 ? 27 : 19)) {
        case 0, 1, 2, 3, 4 -> step(path);
        case 5, 6 -> new Sleep(1 + random.nextInt(1_500));
        case 7, 8 -> new Receive(child ? 1 + random.nextInt(1_500) : 0);
        case 9 -> new Receive(1 + random.nextInt(1_500));
        case 10 -> new Values();
        case 11, 12, 13 -> undoable(path);
        case 14 -> new Tell(random.nextInt(100));
        case 15, 16, 17, 18 -> queued(path);
        case 19, 20 -> new Branches(random.nextInt(3) > 0, branches(path, depth));
        case 21 -> new Limit(1 + random.nextInt(1_000), inner(path, depth));
        case 22 -> new Shielded(inner(path, depth));
        case 23 -> new Together(random.nextBoolean(), random.nextBoolean(), branches(path, depth));
        case 24 -> new Turns(path, 2 + random.nextInt(6), random.nextBoolean());
        default -> child ? undoable(path) : offspring();
      };
    }

    private List<Program> inner(String path, int depth) {
      return pieces(path + ".", 1 + random.nextInt(2), depth - 1);
    }

    private Step step(String path) {
      int failures = random.nextInt(5) == 0 ? 1 + random.nextInt(2) : 0;
      int millis = random.nextInt(3) * random.nextInt(80);
      int retryMillis = random.nextInt(3) == 0 ? 4_000 : 120;
      return new Step(path, failures, millis, retryMillis);
    }

    private Queued queued(String path) {
      var hows = How.values();
      var how = hows[random.nextInt(hows.length)];
      var kinds = Jobs.Kind.values();
      var kind = kinds[random.nextInt(kinds.length)];
      var terms = Terms.draw(random);
      int times = kind == Jobs.Kind.BEATS ? 2 + random.nextInt(4) : 1 + random.nextInt(2);
      int millis = kind == Jobs.Kind.DAWDLES ? 2 * terms.visibility() : random.nextInt(200);
      return new Queued(how, new Jobs.Job(path, kind, times, millis), terms);
    }

    private Undoable undoable(String path) {
      int failures = random.nextInt(4) == 0 ? 1 : 0;
      return new Undoable(path, failures, random.nextBoolean());
    }

    private Offspring offspring() {
      var kin =
          new Kin(
              random.nextInt(3) == 0,
              random.nextInt(3) > 0,
              random.nextInt(3) == 0,
              random.nextInt(5) == 0,
              random.nextInt(8) == 0);
      var policies = ParentClose.values();
      var policy = policies[random.nextInt(policies.length)];
      int timeout = random.nextInt(6) == 0 ? 1 + random.nextInt(3_000) : 0;
      return new Offspring(kin, policy, timeout, random.nextLong() << 3 | CHILD);
    }

    private List<List<Program>> branches(String path, int depth) {
      var branches = new ArrayList<List<Program>>();
      int count = 2 + random.nextInt(2);
      for (int i = 0; i < count; i++) {
        branches.add(pieces(path + "." + i + ".", 1 + random.nextInt(2), depth - 1));
      }
      return branches;
    }
  }
}

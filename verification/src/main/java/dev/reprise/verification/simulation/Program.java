package dev.reprise.verification.simulation;

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

  /** The program of that number. */
  static List<Program> of(long number) {
    var random = new SplittableRandom(number);
    return pieces(random, "", 2 + random.nextInt(5), 2);
  }

  /** How many signals it takes at most. */
  static int receives(List<Program> pieces) {
    int sum = 0;
    for (var piece : pieces) {
      sum +=
          switch (piece) {
            case Receive _ -> 1;
            case Branches(_, var branches) -> branches.stream().mapToInt(Program::receives).sum();
            case Limit(_, var body) -> receives(body);
            case Step _, Sleep _, Values _ -> 0;
          };
    }
    return sum;
  }

  private static List<Program> pieces(SplittableRandom random, String path, int count, int depth) {
    var pieces = new ArrayList<Program>();
    for (int i = 0; i < count; i++) pieces.add(piece(random, path + i, depth));
    return pieces;
  }

  private static Program piece(SplittableRandom random, String path, int depth) {
    return switch (random.nextInt(depth > 0 ? 14 : 11)) {
      case 0, 1, 2, 3, 4 -> step(random, path);
      case 5, 6 -> new Sleep(1 + random.nextInt(1_500));
      case 7, 8 -> new Receive(0);
      case 9 -> new Receive(1 + random.nextInt(1_500));
      case 10 -> new Values();
      case 11, 12 -> new Branches(random.nextInt(3) > 0, branches(random, path, depth));
      default ->
          new Limit(
              1 + random.nextInt(1_000),
              pieces(random, path + ".", 1 + random.nextInt(2), depth - 1));
    };
  }

  private static Step step(SplittableRandom random, String path) {
    int failures = random.nextInt(5) == 0 ? 1 + random.nextInt(2) : 0;
    int millis = random.nextInt(3) * random.nextInt(80);
    int retryMillis = random.nextInt(3) == 0 ? 4_000 : 120;
    return new Step(path, failures, millis, retryMillis);
  }

  private static List<List<Program>> branches(SplittableRandom random, String path, int depth) {
    var branches = new ArrayList<List<Program>>();
    int count = 2 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      branches.add(pieces(random, path + "." + i + ".", 1 + random.nextInt(2), depth - 1));
    }
    return branches;
  }
}

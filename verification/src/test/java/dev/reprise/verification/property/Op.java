package dev.reprise.verification.property;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A piece of a random workflow. */
sealed interface Op {
  /** An activity whose first attempts fail; given up after some. */
  record Step(String path, int failures, int attempts) implements Op {}

  record Sleep(int millis) implements Op {}

  /** A signal of that name, or of any if it is empty; without limit if it is 0. */
  record Receive(String name, int limit) implements Op {}

  /** Waits until so many pieces are done, at most so long. */
  record Await(int done, int limit) implements Op {}

  record Join(Kind kind, List<List<Op>> branches) implements Op {}

  record Limit(int millis, List<Op> body) implements Op {}

  record Patch(String change) implements Op {}

  /** Asks for the time, a random number and a UUID. */
  record Values() implements Op {}

  enum Kind {
    ALL,
    ANY,
    RACE
  }

  /** A random program; the same for the same random numbers. */
  static List<Op> program(Random random) {
    return ops(random, "", 1 + random.nextInt(6), 2);
  }

  private static List<Op> ops(Random random, String path, int size, int depth) {
    var ops = new ArrayList<Op>();
    for (int i = 0; i < size; i++) ops.add(op(random, path + i, depth));
    return ops;
  }

  private static Op op(Random random, String path, int depth) {
    return switch (random.nextInt(depth > 0 ? 13 : 9)) {
      case 0, 1, 2 -> new Step(path, 0, 1);
      case 3 -> new Step(path, 1 + random.nextInt(3), 2 + random.nextInt(2));
      case 4 -> new Sleep(1 + random.nextInt(3_000));
      case 5 -> new Receive(random.nextBoolean() ? "a" : "b", limit(random));
      case 6 -> new Receive("", limit(random));
      case 7 -> new Await(1 + random.nextInt(8), 1 + random.nextInt(2_000));
      case 8 -> random.nextInt(3) == 0 ? new Patch("p" + path) : new Values();
      case 9, 10, 11 -> new Join(kind(random), branches(random, path, depth));
      default -> new Limit(1 + random.nextInt(2_500), body(random, path, depth));
    };
  }

  private static int limit(Random random) {
    return random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(2_000);
  }

  private static Kind kind(Random random) {
    return Kind.values()[random.nextInt(Kind.values().length)];
  }

  private static List<List<Op>> branches(Random random, String path, int depth) {
    var branches = new ArrayList<List<Op>>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      branches.add(ops(random, path + "." + i + ".", 1 + random.nextInt(2), depth - 1));
    }
    return branches;
  }

  private static List<Op> body(Random random, String path, int depth) {
    return ops(random, path + ".t.", 1 + random.nextInt(2), depth - 1);
  }

  /** Programs with about half of it, and with each piece left out. */
  static List<List<Op>> smaller(List<Op> program) {
    var smaller = new ArrayList<List<Op>>();
    int half = program.size() / 2;
    if (half > 0) {
      smaller.add(program.subList(0, half));
      smaller.add(program.subList(half, program.size()));
    }
    for (int i = 0; i < program.size() && program.size() > 1; i++) {
      var without = new ArrayList<>(program);
      without.remove(i);
      smaller.add(without);
    }
    for (int i = 0; i < program.size(); i++) {
      for (var inner : simpler(program.get(i))) {
        var with = new ArrayList<>(program);
        with.set(i, inner);
        smaller.add(with);
      }
    }
    return smaller;
  }

  private static List<Op> simpler(Op op) {
    return switch (op) {
      case Join(var kind, var branches) -> {
        var simpler = new ArrayList<Op>();
        for (int i = 0; i < branches.size(); i++) {
          if (branches.size() > 1) {
            var fewer = new ArrayList<>(branches);
            fewer.remove(i);
            simpler.add(new Join(kind, fewer));
          }
          for (var branch : smaller(branches.get(i))) {
            var other = new ArrayList<>(branches);
            other.set(i, branch);
            simpler.add(new Join(kind, other));
          }
        }
        yield simpler;
      }
      case Limit(var millis, var body) ->
          smaller(body).stream().<Op>map(less -> new Limit(millis, less)).toList();
      case Step _, Sleep _, Receive _, Await _, Patch _, Values _ -> List.of();
    };
  }
}

package dev.reprise.verification.property;

import dev.reprise.JoinPolicy;
import dev.reprise.ParentClose;
import dev.reprise.verification.property.Op.Care;
import dev.reprise.verification.property.Op.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes random programs; the same for the same random numbers. */
final class Programs {
  private static final int SECOND = 1_000_000;
  private static final int PLAIN = 11; // kinds of pieces without a body
  private static final int ALL = 22;

  private final Random random;

  private Programs(Random random) {
    this.random = random;
  }

  static List<Op> random(Random random) {
    return new Programs(random).program();
  }

  private List<Op> program() {
    var program = new ArrayList<Op>();
    if (random.nextInt(3) == 0) program.add(new Op.Answers("q"));
    program.addAll(ops("", 1 + random.nextInt(6), 2));
    if (random.nextInt(5) == 0) {
      program.add(new Op.Turns(1 + random.nextInt(6), ops("l.", 1 + random.nextInt(3), 1)));
    }
    if (random.nextInt(6) == 0) program.add(new Op.Again(1 + random.nextInt(2)));
    return program;
  }

  private List<Op> ops(String path, int size, int depth) {
    var ops = new ArrayList<Op>();
    for (int i = 0; i < size; i++) ops.add(op(path + i, depth));
    return ops;
  }

  private Op op(String path, int depth) {
    return switch (random.nextInt(depth > 0 ? ALL : PLAIN)) {
      case 0, 1, 2 -> new Op.Step(path, 0, 1);
      case 3 -> new Op.Step(path, 1 + random.nextInt(3), 2 + random.nextInt(2));
      case 4 -> new Op.Sleep(micros(3));
      case 5 -> new Op.Receive(random.nextBoolean() ? "a" : "b", limit());
      case 6 -> new Op.Receive("", limit());
      case 7 -> new Op.Await(1 + random.nextInt(8), micros(2));
      case 8 -> random.nextInt(3) == 0 ? new Op.Patch("p" + path) : new Op.Values();
      case 9 -> new Op.Remember(path, random.nextInt(3), 1 + random.nextInt(2));
      case 10 -> small(path);
      case 11, 12, 13 -> new Op.Join(kind(), branches(path, depth));
      case 14 -> new Op.Limit(micros(3), body(path, depth));
      case 15 -> new Op.Shield(body(path, depth));
      case 16, 17 -> new Op.Scoped(policy(), random.nextInt(3) == 0, branches(path, depth));
      case 18 -> new Op.Try(body(path, depth));
      default -> new Op.Kin(path, care(), close(), kinLimit(), kin(path, depth));
    };
  }

  private Op small(String path) {
    return switch (random.nextInt(3)) {
      case 0 -> new Op.Throw(path);
      case 1 -> new Op.Publish(path);
      default -> new Op.Attribute(random.nextBoolean() ? "x" : "y", random.nextInt(3) > 0);
    };
  }

  private int micros(int seconds) {
    return 1 + random.nextInt(seconds * SECOND);
  }

  private int limit() {
    return random.nextInt(3) == 0 ? 0 : micros(2);
  }

  private int kinLimit() {
    return random.nextInt(4) == 0 ? micros(4) : 0;
  }

  private Kind kind() {
    return Kind.values()[random.nextInt(Kind.values().length)];
  }

  private JoinPolicy policy() {
    return JoinPolicy.values()[random.nextInt(JoinPolicy.values().length)];
  }

  private Care care() {
    return Care.values()[random.nextInt(Care.values().length)];
  }

  private ParentClose close() {
    return ParentClose.values()[random.nextInt(ParentClose.values().length)];
  }

  private List<List<Op>> branches(String path, int depth) {
    var branches = new ArrayList<List<Op>>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      branches.add(ops(path + "." + i + ".", 1 + random.nextInt(2), depth - 1));
    }
    return branches;
  }

  private List<Op> body(String path, int depth) {
    return ops(path + ".t.", 1 + random.nextInt(2), depth - 1);
  }

  /** It begins with an activity: what its parent sends at once finds it there, every time. */
  private List<Op> kin(String path, int depth) {
    var program = new ArrayList<Op>();
    program.add(new Op.Step(path + ".k", 0, 1));
    program.addAll(ops(path + ".k.", 1 + random.nextInt(3), depth - 1));
    if (random.nextInt(6) == 0) program.add(new Op.Again(1));
    return program;
  }

  // ---- parts of a program -----------------------------------------------------------------------

  /** The programs of all its children, by path; its own is that of the empty path. */
  static Map<String, List<Op>> byPath(List<Op> program) {
    var programs = new HashMap<String, List<Op>>();
    programs.put("", program);
    program.forEach(op -> collect(op, programs));
    return programs;
  }

  private static void collect(Op op, Map<String, List<Op>> programs) {
    if (op instanceof Op.Kin kin) programs.put(kin.path(), kin.body());
    for (var body : Bodies.of(op)) body.forEach(inner -> collect(inner, programs));
  }
}

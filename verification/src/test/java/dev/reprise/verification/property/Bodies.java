package dev.reprise.verification.property;

import java.util.ArrayList;
import java.util.List;

/** The pieces that a piece is made of, and how to make a program smaller. */
final class Bodies {
  private Bodies() {}

  static List<List<Op>> of(Op op) {
    return switch (op) {
      case Op.Join(_, var branches) -> branches;
      case Op.Scoped(_, _, var branches) -> branches;
      case Op.Limit(_, var body) -> List.of(body);
      case Op.Shield(var body) -> List.of(body);
      case Op.Try(var body) -> List.of(body);
      case Op.Kin kin -> List.of(kin.body());
      case Op.Turns(_, var body) -> List.of(body);
      case Op.Step _,
          Op.Sleep _,
          Op.Receive _,
          Op.Await _,
          Op.Patch _,
          Op.Values _,
          Op.Remember _,
          Op.Throw _,
          Op.Publish _,
          Op.Attribute _,
          Op.Answers _,
          Op.Again _ ->
          List.of();
    };
  }

  private static Op with(Op op, List<List<Op>> bodies) {
    return switch (op) {
      case Op.Join(var kind, _) -> new Op.Join(kind, bodies);
      case Op.Scoped(var policy, var cancels, _) -> new Op.Scoped(policy, cancels, bodies);
      case Op.Limit(var micros, _) -> new Op.Limit(micros, bodies.getFirst());
      case Op.Shield _ -> new Op.Shield(bodies.getFirst());
      case Op.Try _ -> new Op.Try(bodies.getFirst());
      case Op.Kin kin ->
          new Op.Kin(kin.path(), kin.care(), kin.close(), kin.limit(), bodies.getFirst());
      case Op.Turns(var count, _) -> new Op.Turns(count, bodies.getFirst());
      case Op other -> other;
    };
  }

  /** Programs with about half of it, with each piece left out, and with simpler pieces. */
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
      for (var simpler : simpler(program.get(i))) {
        var with = new ArrayList<>(program);
        with.set(i, simpler);
        smaller.add(with);
      }
    }
    return smaller;
  }

  private static List<Op> simpler(Op op) {
    var bodies = of(op);
    var simpler = new ArrayList<Op>();
    for (int i = 0; i < bodies.size(); i++) {
      if (bodies.size() > 1) {
        var fewer = new ArrayList<>(bodies);
        fewer.remove(i);
        simpler.add(with(op, fewer));
      }
      for (var body : smaller(bodies.get(i))) {
        if (op instanceof Op.Kin && !(body.getFirst() instanceof Op.Step)) continue;
        var other = new ArrayList<>(bodies);
        other.set(i, body);
        simpler.add(with(op, other));
      }
    }
    return simpler;
  }
}

package dev.reprise.verification.property;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How often each activity of a program is still to fail. */
final class Failures {
  private final Map<String, Integer> left = new HashMap<>();

  Failures(List<Op> program) {
    program.forEach(this::collect);
  }

  private void collect(Op op) {
    switch (op) {
      case Op.Step step -> left.put(step.path(), step.failures());
      case Op.Join(_, var branches) -> branches.forEach(branch -> branch.forEach(this::collect));
      case Op.Limit(_, var body) -> body.forEach(this::collect);
      case Op.Sleep _, Op.Receive _, Op.Await _, Op.Patch _, Op.Values _ -> {}
    }
  }

  /** Whether the next attempt fails. */
  boolean next(String path) {
    return left.merge(path, -1, Integer::sum) >= 0;
  }
}

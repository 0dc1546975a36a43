package dev.reprise.engine.bind;

import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which instructions of a method are about the same variable.
 *
 * <p>The number of its slot does not say so: a slot serves several variables, and which one it is
 * depends on the options of the compiler. What is read at one place belongs together with all
 * places that may have written it. A write is known by the index of its instruction, and that of a
 * parameter by its slot after the last instruction.
 */
final class Variables {
  private final Instructions code;
  private final @Nullable BitSet[] written; // by instruction: the writes that may be seen there
  private final int[] same; // by write: another one of the same variable, or itself
  private final BitSet read = new BitSet();

  private Variables(Instructions code, int slots) {
    this.code = code;
    this.written = new @Nullable BitSet[code.size()];
    this.same = IntStream.range(0, code.size() + slots).toArray();
  }

  static Variables of(Instructions code) {
    int slots = 0;
    for (int i = 0; i < code.size(); i++) slots = Math.max(slots, slot(code, i) + 1);
    var variables = new Variables(code, slots);
    variables.follow(slots);
    for (int i = 0; i < code.size(); i++) variables.join(i);
    return variables;
  }

  /** One of the writes of the variable of this instruction, always the same; -1 if it has none. */
  int at(int index) {
    if (slot(code, index) < 0) return -1;
    if (code.get(index) instanceof StoreInstruction) return root(index);
    var seen = seenAt(index);
    return seen.isEmpty() ? -1 : root(seen.nextSetBit(0));
  }

  /** The slot of the parameter that this variable is; -1 if it is none. */
  int parameter(int variable) {
    return variable - code.size() < 0 ? -1 : variable - code.size();
  }

  /** Whether anybody reads what this instruction writes. */
  boolean isRead(int index) {
    return read.get(index);
  }

  /** Spreads writes along all paths, in the order of the code, until nothing changes. */
  private void follow(int slots) {
    if (code.size() == 0) return;
    var open = new BitSet();
    var parameters = new BitSet();
    parameters.set(code.size(), code.size() + slots);
    arrive(0, parameters, open);
    for (int i = 0; i >= 0; i = next(open, i)) {
      open.clear(i);
      var before = seen(i);
      code.forEachHandler(i, handler -> arrive(handler, before, open));
      var after = after(i, before);
      code.forEachNext(i, next -> arrive(next, after, open));
    }
  }

  private static int next(BitSet open, int index) {
    int next = open.nextSetBit(index);
    return next >= 0 ? next : open.nextSetBit(0);
  }

  private void arrive(int index, BitSet writes, BitSet open) {
    var known = written[index];
    if (known == null) {
      written[index] = (BitSet) writes.clone();
      open.set(index);
      return;
    }
    int before = known.cardinality();
    known.or(writes);
    if (known.cardinality() > before) open.set(index);
  }

  private BitSet after(int index, BitSet before) {
    int slot = slot(code, index);
    if (slot < 0 || code.get(index) instanceof LoadInstruction) return before;
    var after = (BitSet) before.clone();
    before.stream().filter(write -> slotOf(write) == slot).forEach(after::clear);
    after.set(index);
    return after;
  }

  private void join(int index) {
    if (slot(code, index) < 0 || code.get(index) instanceof StoreInstruction) return;
    var seen = seenAt(index);
    read.or(seen);
    if (seen.isEmpty()) return; // nothing leads there
    int first = seen.nextSetBit(0);
    seen.stream().forEach(write -> unite(write, first));
    if (code.get(index) instanceof IncrementInstruction) unite(index, first);
  }

  /** The last one stands for all: that of a parameter, if there is one. */
  private void unite(int write, int other) {
    int one = root(write);
    int two = root(other);
    same[Math.min(one, two)] = Math.max(one, two);
  }

  /** The writes of its slot that may be seen by this instruction. */
  private BitSet seenAt(int index) {
    int slot = slot(code, index);
    var seen = new BitSet();
    seen(index).stream().filter(write -> slotOf(write) == slot).forEach(seen::set);
    return seen;
  }

  private BitSet seen(int index) {
    var seen = written[index];
    return seen == null ? new BitSet() : seen;
  }

  private int root(int write) {
    int root = write;
    while (same[root] != root) root = same[root];
    return root;
  }

  private int slotOf(int write) {
    return write < code.size() ? slot(code, write) : write - code.size();
  }

  private static int slot(Instructions code, int index) {
    return switch (code.get(index)) {
      case LoadInstruction load -> load.slot();
      case StoreInstruction store -> store.slot();
      case IncrementInstruction increment -> increment.slot();
      default -> -1;
    };
  }
}

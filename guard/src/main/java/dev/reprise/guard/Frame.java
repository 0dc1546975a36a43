package dev.reprise.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The local variables and the stack at one place in a method: for each slot, where its value may
 * come from. A {@code long} and a {@code double} take two slots.
 */
final class Frame {
  static final Set<Origin> UNKNOWN = Set.of();

  private final List<Set<Origin>> locals;
  private final List<Set<Origin>> stack;

  Frame() {
    this(List.of(), List.of());
  }

  private Frame(List<Set<Origin>> locals, List<Set<Origin>> stack) {
    this.locals = new ArrayList<>(locals);
    this.stack = new ArrayList<>(stack);
  }

  Frame copy() {
    return new Frame(locals, stack);
  }

  /** As an exception handler finds it: with nothing on the stack but the exception. */
  Frame thrown() {
    return new Frame(locals, List.of(UNKNOWN));
  }

  /** Adds what the other frame knows. Returns whether that was anything new. */
  boolean join(Frame other) {
    boolean changed = join(locals, other.locals);
    return join(stack, other.stack) | changed;
  }

  private static boolean join(List<Set<Origin>> some, List<Set<Origin>> others) {
    boolean changed = false;
    for (int i = 0; i < others.size(); i++) {
      if (i >= some.size()) some.add(UNKNOWN);
      var joined = Origin.join(some.get(i), others.get(i));
      changed |= joined.size() != some.get(i).size();
      some.set(i, joined);
    }
    return changed;
  }

  Set<Origin> local(int slot) {
    return slot < locals.size() ? locals.get(slot) : UNKNOWN;
  }

  void local(int slot, Set<Origin> value) {
    while (locals.size() <= slot) locals.add(UNKNOWN);
    locals.set(slot, value);
  }

  void push(Set<Origin> value) {
    stack.add(value);
  }

  /** Pushes a value of so many slots. */
  void push(Set<Origin> value, int slots) {
    for (int i = 0; i < slots; i++) stack.add(value);
  }

  Set<Origin> pop() {
    return stack.removeLast();
  }

  /** Pops a value of so many slots. */
  Set<Origin> pop(int slots) {
    var value = UNKNOWN;
    for (int i = 0; i < slots; i++) value = pop();
    return value;
  }

  /** Puts a copy of the topmost slots below so many others: {@code dup2_x1} is 2 and 1. */
  void duplicate(int slots, int below) {
    int top = stack.size();
    var copy = List.copyOf(stack.subList(top - slots, top));
    stack.addAll(top - slots - below, copy);
  }

  void swap() {
    var top = pop();
    var below = pop();
    push(top);
    push(below);
  }
}

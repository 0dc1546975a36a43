package dev.reprise.engine.bind;

import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The instructions of a method without those that only a debugger needs.
 *
 * <p>A variable that is a constant, {@code final int days = 3}, is stored with {@code -g} and not
 * without, and never read either way. So constants that are stored where nobody reads them are left
 * out.
 */
final class Instructions {
  private final List<Instruction> all = new ArrayList<>();
  private final List<ExceptionCatch> handlers = new ArrayList<>();
  private final Map<Label, Integer> labels = new HashMap<>();
  private final BitSet useless = new BitSet();
  private final Variables variables;

  Instructions(CodeModel code) {
    for (var element : code) {
      switch (element) {
        case LabelTarget target -> labels.put(target.label(), all.size());
        case ExceptionCatch handler -> handlers.add(handler);
        case Instruction instruction when instruction.opcode() != Opcode.NOP ->
            all.add(instruction);
        default -> {}
      }
    }
    variables = Variables.of(this);
    findUseless();
  }

  int size() {
    return all.size();
  }

  Instruction get(int index) {
    return all.get(index);
  }

  /** Those that do something, each with what the variable is called that it is about. */
  void forEach(BiConsumer<Instruction, String> action) {
    var numbers = new HashMap<Integer, Integer>();
    for (int i = 0; i < all.size(); i++) {
      if (!useless.get(i)) action.accept(all.get(i), name(variables.at(i), numbers));
    }
  }

  /** A parameter is known by its place, another variable by when it first appears. */
  private String name(int variable, Map<Integer, Integer> numbers) {
    if (variable < 0) return "";
    int parameter = variables.parameter(variable);
    if (parameter >= 0) return "p" + parameter;
    numbers.putIfAbsent(variable, numbers.size());
    return "v" + numbers.get(variable);
  }

  private void findUseless() {
    for (int i = 1; i < all.size(); i++) {
      if (all.get(i) instanceof StoreInstruction
          && all.get(i - 1) instanceof ConstantInstruction
          && !variables.isRead(i)) {
        useless.set(i - 1, i + 1);
      }
    }
  }

  List<ExceptionCatch> handlers() {
    return handlers;
  }

  /** Among those that do something. */
  int position(Label label) {
    int index = index(label);
    return index - useless.get(0, index).cardinality();
  }

  private int index(Label label) {
    return Objects.requireNonNull(labels.get(label));
  }

  /** What may come after an instruction, if it does not fail. */
  void forEachNext(int index, Consumer<Integer> action) {
    switch (all.get(index)) {
      case ReturnInstruction _, ThrowInstruction _ -> {}
      case TableSwitchInstruction table -> targets(table.defaultTarget(), table.cases(), action);
      case LookupSwitchInstruction table -> targets(table.defaultTarget(), table.cases(), action);
      case BranchInstruction branch -> {
        action.accept(index(branch.target()));
        if (!isGoto(branch)) action.accept(index + 1);
      }
      default -> action.accept(index + 1);
    }
  }

  private void targets(Label otherwise, List<SwitchCase> cases, Consumer<Integer> action) {
    action.accept(index(otherwise));
    for (var each : cases) action.accept(index(each.target()));
  }

  private static boolean isGoto(BranchInstruction branch) {
    return branch.opcode() == Opcode.GOTO || branch.opcode() == Opcode.GOTO_W;
  }

  /** Where it goes on if an instruction fails. */
  void forEachHandler(int index, Consumer<Integer> action) {
    for (var handler : handlers) {
      if (index >= index(handler.tryStart()) && index < index(handler.tryEnd())) {
        action.accept(index(handler.handler()));
      }
    }
  }
}

package dev.reprise.guard;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the code of a method from top to bottom, with frames that know where values come
 * from. Where ways meet, their frames are joined; because of loops it goes through again until it
 * learns nothing new.
 */
final class MethodWalk {
  /** More than any real method needs; what is not known by then stays unknown. */
  private static final int MAX_PASSES = 20;

  private final List<CodeElement> elements;
  private final List<ExceptionCatch> handlers;
  private final Map<Label, Frame> frames = new HashMap<>();
  private final Set<ExceptionCatch> active = new HashSet<>();
  private final Uses uses;
  private final Effects effects;
  private final Frame entry;
  private @Nullable Frame frame;
  private boolean learned;

  MethodWalk(Code code, Member method, MethodModel model, CodeModel body) {
    elements = body.elementList();
    handlers = body.exceptionHandlers();
    uses = new Uses(code, method);
    effects = new Effects(uses);
    entry = entry(method, model.flags());
  }

  private static Frame entry(Member method, AccessFlags flags) {
    var frame = new Frame();
    int slot = 0;
    if ((flags.flagsMask() & ClassFile.ACC_STATIC) == 0) {
      frame.local(slot++, Set.of(new Origin.This()));
    }
    var parameters = Signature.of(method.type()).parameters();
    for (int i = 0; i < parameters.size(); i++) {
      var argument = Set.<Origin>of(new Origin.Argument(i));
      frame.local(slot, Origin.join(argument, Order.byType(parameters.get(i))));
      slot += Signature.slots(parameters.get(i));
    }
    return frame;
  }

  Facts facts() {
    for (int pass = 0; pass < MAX_PASSES; pass++) {
      learned = false;
      frame = entry.copy();
      active.clear();
      for (int i = 0; i < elements.size(); i++) visit(i, elements.get(i));
      if (!learned) break;
    }
    return uses.facts();
  }

  private void visit(int site, CodeElement element) {
    switch (element) {
      case LabelTarget target -> enter(target.label());
      case LineNumber number -> uses.at(number.line());
      case Instruction instruction when frame != null -> {
        follow(site, instruction, frame);
        if (frame != null && !active.isEmpty()) flowToHandlers(frame);
      }
      default -> {}
    }
  }

  private void enter(Label label) {
    if (frame != null) flow(label, frame);
    var known = frames.get(label);
    frame = known == null ? null : known.copy();
    for (var handler : handlers) {
      if (handler.tryStart().equals(label)) active.add(handler);
      if (handler.tryEnd().equals(label)) active.remove(handler);
    }
    if (frame != null) flowToHandlers(frame);
  }

  private void flowToHandlers(Frame from) {
    for (var handler : active) flow(handler.handler(), from.thrown());
  }

  private void flow(Label label, Frame from) {
    var known = frames.get(label);
    if (known == null) {
      frames.put(label, from.copy());
      learned = true;
    } else {
      learned |= known.join(from);
    }
  }

  private void follow(int site, Instruction instruction, Frame here) {
    switch (instruction) {
      case BranchInstruction branch -> branch(branch, here);
      case TableSwitchInstruction choice -> choose(choice.defaultTarget(), choice.cases(), here);
      case LookupSwitchInstruction choice -> choose(choice.defaultTarget(), choice.cases(), here);
      case ReturnInstruction end -> {
        uses.returned(here.pop(end.typeKind().slotSize()));
        frame = null;
      }
      case ThrowInstruction _ -> frame = null;
      default -> effects.apply(site, instruction, here);
    }
  }

  private void branch(BranchInstruction branch, Frame here) {
    here.pop(
        switch (branch.opcode()) {
          case GOTO, GOTO_W -> 0;
          case IFEQ, IFNE, IFLT, IFGE, IFGT, IFLE, IFNULL, IFNONNULL -> 1;
          default -> 2;
        });
    flow(branch.target(), here);
    switch (branch.opcode()) {
      case GOTO, GOTO_W -> frame = null;
      default -> {}
    }
  }

  private void choose(Label otherwise, List<SwitchCase> cases, Frame here) {
    here.pop();
    flow(otherwise, here);
    for (var each : cases) flow(each.target(), here);
    frame = null;
  }
}

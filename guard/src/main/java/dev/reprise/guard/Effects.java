package dev.reprise.guard;

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What each instruction does to a frame. */
final class Effects {
  private static final Set<Origin> UNKNOWN = Frame.UNKNOWN;

  private final Uses uses;

  Effects(Uses uses) {
    this.uses = uses;
  }

  void apply(int site, Instruction instruction, Frame frame) {
    switch (instruction) {
      case LoadInstruction load -> frame.push(frame.local(load.slot()), load.typeKind().slotSize());
      case StoreInstruction store ->
          frame.local(store.slot(), frame.pop(store.typeKind().slotSize()));
      case ConstantInstruction constant -> frame.push(UNKNOWN, constant.typeKind().slotSize());
      case ConvertInstruction convert ->
          replace(frame, convert.fromType().slotSize(), convert.toType());
      case OperatorInstruction operator -> operate(operator, frame);
      case StackInstruction stack -> shuffle(stack.opcode(), frame);
      case ArrayLoadInstruction load -> replace(frame, 2, load.typeKind());
      case ArrayStoreInstruction store -> storeInArray(store, frame);
      case FieldInstruction field -> field(field, frame);
      case InvokeInstruction invoke -> invoke(site, invoke, frame);
      case InvokeDynamicInstruction invoke -> invokeDynamic(site, invoke, frame);
      case NewObjectInstruction created ->
          frame.push(Set.of(new Origin.New(site, created.className().asInternalName())));
      case NewPrimitiveArrayInstruction _, NewReferenceArrayInstruction _ ->
          replace(frame, 1, TypeKind.REFERENCE);
      case NewMultiArrayInstruction array -> replace(frame, array.dimensions(), TypeKind.REFERENCE);
      case TypeCheckInstruction check -> {
        if (check.opcode() == Opcode.INSTANCEOF) replace(frame, 1, TypeKind.INT);
      }
      case MonitorInstruction _ -> frame.pop();
      default -> {}
    }
  }

  private static void replace(Frame frame, int slots, TypeKind by) {
    frame.pop(slots);
    frame.push(UNKNOWN, by.slotSize());
  }

  private static void operate(OperatorInstruction operator, Frame frame) {
    int size = operator.typeKind().slotSize();
    switch (operator.opcode()) {
      case INEG, LNEG, FNEG, DNEG -> {}
      case ARRAYLENGTH -> replace(frame, 1, TypeKind.INT);
      case ISHL, ISHR, IUSHR, LSHL, LSHR, LUSHR -> frame.pop();
      case LCMP, DCMPL, DCMPG -> replace(frame, 4, TypeKind.INT);
      case FCMPL, FCMPG -> replace(frame, 2, TypeKind.INT);
      default -> {
        frame.pop(2 * size);
        frame.push(UNKNOWN, size);
      }
    }
  }

  private static void shuffle(Opcode opcode, Frame frame) {
    switch (opcode) {
      case POP -> frame.pop();
      case POP2 -> frame.pop(2);
      case DUP -> frame.duplicate(1, 0);
      case DUP_X1 -> frame.duplicate(1, 1);
      case DUP_X2 -> frame.duplicate(1, 2);
      case DUP2 -> frame.duplicate(2, 0);
      case DUP2_X1 -> frame.duplicate(2, 1);
      case DUP2_X2 -> frame.duplicate(2, 2);
      case SWAP -> frame.swap();
      default -> throw new IllegalStateException("not an instruction of the stack: " + opcode);
    }
  }

  private void storeInArray(ArrayStoreInstruction store, Frame frame) {
    frame.pop(store.typeKind().slotSize() + 1);
    uses.storedInArray(frame.pop());
  }

  private void field(FieldInstruction instruction, Frame frame) {
    var field =
        new Member(
            instruction.owner().asInternalName(),
            instruction.name().stringValue(),
            instruction.type().stringValue());
    int slots = Signature.slots(field.type());
    switch (instruction.opcode()) {
      case GETSTATIC -> frame.push(uses.readStatic(field), slots);
      case PUTSTATIC -> uses.writeStatic(field, frame.pop(slots));
      case GETFIELD -> {
        frame.pop();
        frame.push(uses.read(field), slots);
      }
      default -> {
        var value = frame.pop(slots);
        frame.pop();
        uses.write(field, value);
      }
    }
  }

  private void invoke(int site, InvokeInstruction instruction, Frame frame) {
    var call =
        new Member(
            instruction.owner().asInternalName(),
            instruction.name().stringValue(),
            instruction.type().stringValue());
    var operands = operands(frame, call.type());
    if (instruction.opcode() != Opcode.INVOKESTATIC) operands.addFirst(frame.pop());
    var result = uses.invoke(new Invocation(site, instruction.opcode(), call, operands));
    frame.push(result, Signature.slots(Signature.of(call.type()).result()));
  }

  private void invokeDynamic(int site, InvokeDynamicInstruction instruction, Frame frame) {
    var type = instruction.type().stringValue();
    var operands = operands(frame, type);
    var lambda = LambdaSite.of(instruction.invokedynamic(), operands);
    var result = lambda == null ? UNKNOWN : uses.lambda(site, lambda);
    frame.push(result, Signature.slots(Signature.of(type).result()));
  }

  private static List<Set<Origin>> operands(Frame frame, String type) {
    var operands = new ArrayList<Set<Origin>>();
    for (var parameter : Signature.of(type).parameters().reversed()) {
      operands.addFirst(frame.pop(Signature.slots(parameter)));
    }
    return operands;
  }
}

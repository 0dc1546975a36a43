package dev.reprise.engine.bind;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.SerializedLambda;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A method reference that may be nothing but an argument of one call: {@code ctx.run(bank::charge,
 * order)}. Then whoever has it was called from there.
 *
 * @param writtenIn the internal name of the class in whose source it stands
 * @param type the descriptor of the functional interface
 * @param owner the descriptor of the class of the method
 * @param method its name
 * @param signature its descriptor
 */
record DirectUse(String writtenIn, String type, String owner, String method, String signature) {
  private static final Set<String> CALLED = Set.of("dev/reprise/Context", "dev/reprise/Steps");
  private static final String COPIES =
      "$deserializeLambda$"; // of all references, never called here
  private static final Set<Opcode> UNARY =
      Set.of(Opcode.ARRAYLENGTH, Opcode.INEG, Opcode.LNEG, Opcode.FNEG, Opcode.DNEG);
  private static final int UNKNOWN = -1;

  static DirectUse of(SerializedLambda reference) {
    return new DirectUse(
        reference.getCapturingClass(),
        "L" + reference.getFunctionalInterfaceClass() + ";",
        "L" + reference.getImplClass() + ";",
        reference.getImplMethodName(),
        reference.getImplMethodSignature());
  }

  /**
   * Where the call is, such as {@code Checkout.java:42}; null if the class has the reference more
   * than once, or does anything else with it.
   */
  @Nullable String line(ClassModel written) {
    CodeModel only = null;
    for (var of : written.methods()) {
      if (of.methodName().equalsString(COPIES) || of.code().isEmpty()) continue;
      for (var element : of.code().get()) {
        if (!isMade(element)) continue;
        if (only != null) return null;
        only = of.code().get();
      }
    }
    var file = written.findAttribute(Attributes.sourceFile());
    int line = only == null ? UNKNOWN : lineOfCall(only);
    if (line == UNKNOWN || file.isEmpty()) return null;
    return file.get().sourceFile().stringValue() + ":" + line;
  }

  private boolean isMade(CodeElement element) {
    if (!(element instanceof InvokeDynamicInstruction made)) return false;
    if (!made.typeSymbol().returnType().descriptorString().equals(type)) return false;
    return made.bootstrapArgs().stream()
        .anyMatch(argument -> argument instanceof DirectMethodHandleDesc to && isMethod(to));
  }

  private boolean isMethod(DirectMethodHandleDesc handle) {
    return handle.owner().descriptorString().equals(owner)
        && handle.methodName().equals(method)
        && handle.lookupDescriptor().equals(signature);
  }

  /** Follows the reference on the stack until something takes it from there. */
  private int lineOfCall(CodeModel code) {
    int line = UNKNOWN;
    int above = UNKNOWN; // values on the stack above the reference, once it is there
    for (var element : code) {
      if (element instanceof LineNumber number) line = number.line();
      if (!(element instanceof Instruction instruction)) continue;
      if (above == UNKNOWN) {
        if (isMade(element)) above = 0;
        continue;
      }
      int taken = taken(instruction);
      if (taken == UNKNOWN) return UNKNOWN;
      if (taken > above) return isOurs(instruction) ? line : UNKNOWN;
      above += given(instruction) - taken;
    }
    return UNKNOWN;
  }

  private static boolean isOurs(Instruction instruction) {
    return instruction instanceof InvokeInstruction call
        && CALLED.contains(call.owner().asInternalName());
  }

  /** How many values it takes from the stack; unknown if it does more than to make arguments. */
  private static int taken(Instruction instruction) {
    return switch (instruction) {
      case LoadInstruction _, ConstantInstruction _, IncrementInstruction _ -> 0;
      case TypeCheckInstruction _, ConvertInstruction _ -> 1;
      case ArrayLoadInstruction _ -> 2;
      case OperatorInstruction operator -> UNARY.contains(operator.opcode()) ? 1 : 2;
      case FieldInstruction field when field.opcode() == Opcode.GETSTATIC -> 0;
      case FieldInstruction field when field.opcode() == Opcode.GETFIELD -> 1;
      case InvokeInstruction call ->
          call.typeSymbol().parameterCount() + (call.opcode() == Opcode.INVOKESTATIC ? 0 : 1);
      case InvokeDynamicInstruction made -> made.typeSymbol().parameterCount();
      default -> UNKNOWN;
    };
  }

  /** How many values it leaves there. */
  private static int given(Instruction instruction) {
    return switch (instruction) {
      case IncrementInstruction _ -> 0;
      case InvokeInstruction call -> results(call.typeSymbol());
      default -> 1;
    };
  }

  private static int results(MethodTypeDesc type) {
    return type.returnType().descriptorString().equals("V") ? 0 : 1;
  }
}

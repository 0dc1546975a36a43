package dev.reprise.guard;

import java.lang.classfile.Opcode;
import java.util.List;
import java.util.Set;

/**
 * A call in the code of a method.
 *
 * @param site which instruction it is
 * @param operands where the object, if there is one, and the arguments come from
 */
record Invocation(int site, Opcode opcode, Member method, List<Set<Origin>> operands) {

  boolean isStatic() {
    return opcode == Opcode.INVOKESTATIC;
  }

  boolean isVirtual() {
    return opcode == Opcode.INVOKEVIRTUAL || opcode == Opcode.INVOKEINTERFACE;
  }

  Set<Origin> object() {
    return isStatic() ? Frame.UNKNOWN : operands.getFirst();
  }

  List<Set<Origin>> arguments() {
    return isStatic() ? operands : operands.subList(1, operands.size());
  }

  boolean onThis() {
    return object().contains(new Origin.This());
  }

  /** Where the result comes from if only its type tells. */
  Set<Origin> byType() {
    return Order.byType(Signature.of(method.type()).result());
  }
}

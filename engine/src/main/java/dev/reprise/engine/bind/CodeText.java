package dev.reprise.engine.bind;

import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.ConstantDynamicEntry;
import java.lang.classfile.constantpool.DoubleEntry;
import java.lang.classfile.constantpool.DynamicConstantPoolEntry;
import java.lang.classfile.constantpool.FloatEntry;
import java.lang.classfile.constantpool.IntegerEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.LongEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.util.List;
import java.util.stream.Collectors;

/** The instructions of a method, with names in place of numbers of a constant pool. */
final class CodeText {
  private final Instructions code;
  private final Nest nest;

  CodeText(CodeModel code, Nest nest) {
    this.code = new Instructions(code);
    this.nest = nest;
  }

  String text() {
    var text = new StringBuilder();
    code.forEach(
        (instruction, variable) ->
            text.append("  ").append(line(instruction, variable)).append('\n'));
    for (var handler : code.handlers()) {
      text.append("  catch ")
          .append(handler.catchType().map(type -> nest.name(type.asInternalName())).orElse("all"))
          .append(at(handler.tryStart()))
          .append(at(handler.tryEnd()))
          .append(at(handler.handler()))
          .append('\n');
    }
    return text.toString();
  }

  private String line(Instruction instruction, String variable) {
    return switch (instruction) {
      case LoadInstruction load -> "load " + load.typeKind() + " " + variable;
      case StoreInstruction store -> "store " + store.typeKind() + " " + variable;
      case IncrementInstruction inc -> "increment " + variable + " " + inc.constant();
      case ConstantInstruction.LoadConstantInstruction load ->
          "push " + constant(load.constantEntry());
      case ConstantInstruction push -> "push " + push.typeKind() + " " + push.constantValue();
      case FieldInstruction field -> field(field);
      case InvokeInstruction call -> call(call);
      case InvokeDynamicInstruction call -> "dynamic " + dynamic(call.invokedynamic());
      case BranchInstruction branch -> opcode(branch) + at(branch.target());
      case TableSwitchInstruction table -> "switch" + cases(table.defaultTarget(), table.cases());
      case LookupSwitchInstruction table -> "switch" + cases(table.defaultTarget(), table.cases());
      default -> ofType(instruction);
    };
  }

  /** Those that name a type, and those that name nothing. */
  private String ofType(Instruction instruction) {
    return switch (instruction) {
      case NewObjectInstruction made -> "new " + nest.name(made.className().asInternalName());
      case TypeCheckInstruction check ->
          opcode(check) + " " + nest.name(check.type().asInternalName());
      case NewPrimitiveArrayInstruction made -> "array " + made.typeKind();
      case NewReferenceArrayInstruction made ->
          "array " + nest.name(made.componentType().asInternalName());
      case NewMultiArrayInstruction made ->
          "array " + nest.name(made.arrayType().asInternalName()) + " " + made.dimensions();
      default -> opcode(instruction);
    };
  }

  private String field(FieldInstruction field) {
    var owner = field.owner().asInternalName();
    return "%s %s.%s %s"
        .formatted(
            opcode(field),
            nest.name(owner),
            nest.field(owner, field.name().stringValue()),
            nest.descriptor(field.type().stringValue()));
  }

  private String call(InvokeInstruction call) {
    return "%s %s.%s %s"
        .formatted(
            opcode(call),
            nest.name(call.owner().asInternalName()),
            call.name().stringValue(),
            nest.descriptor(call.type().stringValue()));
  }

  private String dynamic(DynamicConstantPoolEntry entry) {
    var bootstrap = entry.bootstrap();
    return "%s %s by %s (%s)"
        .formatted(
            entry.name().stringValue(),
            nest.descriptor(entry.type().stringValue()),
            handle(bootstrap.bootstrapMethod()),
            bootstrap.arguments().stream().map(this::constant).collect(Collectors.joining(", ")));
  }

  private String handle(MethodHandleEntry handle) {
    var member = handle.reference();
    var owner = member.owner().asInternalName();
    var name = member.name().stringValue();
    var type = member.type().stringValue();
    var lambda = nest.lambda(owner, name, type);
    return lambda != null
        ? handle.kind() + " " + lambda
        : "%d %s.%s %s".formatted(handle.kind(), nest.name(owner), name, nest.descriptor(type));
  }

  private String constant(LoadableConstantEntry entry) {
    return switch (entry) {
      case StringEntry text -> quoted(text.stringValue());
      case IntegerEntry number -> "INT " + number.intValue();
      case LongEntry number -> "LONG " + number.longValue();
      case FloatEntry number -> "FLOAT " + number.floatValue();
      case DoubleEntry number -> "DOUBLE " + number.doubleValue();
      case ClassEntry type -> "class " + nest.name(type.asInternalName());
      case MethodTypeEntry type -> "type " + nest.descriptor(type.descriptor().stringValue());
      case MethodHandleEntry handle -> "handle " + handle(handle);
      case ConstantDynamicEntry dynamic -> "dynamic " + dynamic(dynamic);
    };
  }

  private String cases(Label otherwise, List<SwitchCase> cases) {
    var text = new StringBuilder(" default").append(at(otherwise));
    for (var each : cases) text.append(' ').append(each.caseValue()).append(at(each.target()));
    return text.toString();
  }

  private String at(Label label) {
    return " @" + code.position(label);
  }

  /** The same for short and for wide operands. */
  private static String opcode(Instruction instruction) {
    var name = instruction.opcode().name();
    return name.endsWith("_W") ? name.substring(0, name.length() - 2) : name;
  }

  /** So that no text can look like code. */
  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"") + '"';
  }
}

package dev.reprise.engine.bind;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.SignatureAttribute;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a class does, as a text that does not depend on the order of its members. */
final class ClassText {
  private static final String CAPTURED = "val$";
  private static final String LAMBDA = "lambda$";
  private static final String REVIVED_LAMBDAS = "$deserializeLambda$"; // follows from the others
  private static final int OF_FIELD = ClassFile.ACC_STATIC;
  private static final int OF_METHOD =
      ClassFile.ACC_STATIC
          | ClassFile.ACC_ABSTRACT
          | ClassFile.ACC_SYNCHRONIZED
          | ClassFile.ACC_NATIVE;

  private final ClassModel model;
  private final Nest nest;
  private final Map<String, MethodModel> lambdas = new HashMap<>();
  private final Set<String> entered = new HashSet<>();
  private final List<String> captured = new ArrayList<>();

  ClassText(ClassModel model, Nest nest) {
    this.model = model;
    this.nest = nest;
    for (var field : model.fields()) {
      var name = field.fieldName().stringValue();
      if (isSynthetic(field.flags().flagsMask()) && name.startsWith(CAPTURED)) captured.add(name);
    }
    for (var method : model.methods()) if (isLambda(method)) lambdas.put(key(method), method);
  }

  String text() {
    var text = new StringBuilder("class ").append(self()).append(" extends ");
    model.superclass().ifPresent(parent -> text.append(nest.name(parent.asInternalName())));
    model.interfaces().stream()
        .map(each -> nest.name(each.asInternalName()))
        .sorted()
        .forEach(each -> text.append(" implements ").append(each));
    text.append(generic(model.findAttribute(Attributes.signature()).orElse(null))).append('\n');
    text.append(components());
    model.fields().stream().map(this::field).sorted().forEach(text::append);
    model.methods().stream()
        .filter(method -> !isLambda(method) && !name(method).equals(REVIVED_LAMBDAS))
        .sorted(Comparator.comparing(ClassText::key))
        .forEach(method -> text.append(method(method)));
    return text.toString();
  }

  private String self() {
    return nest.name(model.thisClass().asInternalName());
  }

  private String components() {
    var text = new StringBuilder();
    model
        .findAttribute(Attributes.record())
        .ifPresent(
            parts ->
                parts
                    .components()
                    .forEach(
                        part ->
                            text.append("component ")
                                .append(part.name().stringValue())
                                .append(' ')
                                .append(nest.descriptor(part.descriptor().stringValue()))
                                .append('\n')));
    return text.toString();
  }

  private String field(FieldModel field) {
    var constant =
        field
            .findAttribute(Attributes.constantValue())
            .map(value -> " = " + CodeText.quoted(String.valueOf(value.constant().constantValue())))
            .orElse("");
    return "field %s %x %s%s%s\n"
        .formatted(
            field(field.fieldName().stringValue()),
            field.flags().flagsMask() & OF_FIELD,
            nest.descriptor(field.fieldType().stringValue()),
            generic(field.findAttribute(Attributes.signature()).orElse(null)),
            constant);
  }

  /** A captured variable is called by its place among them. */
  String field(String name) {
    int place = captured.indexOf(name);
    return place < 0 ? name : CAPTURED + place;
  }

  private String method(MethodModel method) {
    return "method "
        + name(method)
        + " "
        + signature(method)
        + generic(method.findAttribute(Attributes.signature()).orElse(null))
        + body(method);
  }

  private String signature(MethodModel method) {
    return "%x %s"
        .formatted(
            method.flags().flagsMask() & OF_METHOD,
            nest.descriptor(method.methodType().stringValue()));
  }

  private String body(MethodModel method) {
    return method.code().map(code -> "\n" + new CodeText(code, nest).text()).orElse("\n");
  }

  /** The digest of a lambda, if that is one: where it is used it stands for its body. */
  @Nullable String lambda(String name, String descriptor) {
    var method = lambdas.get(name + descriptor);
    if (method == null) return null;
    if (!entered.add(name + descriptor)) return "lambda^"; // one that makes itself
    var digest = "lambda#" + SourceHash.digest(signature(method) + body(method));
    entered.remove(name + descriptor);
    return digest;
  }

  private String generic(@Nullable SignatureAttribute signature) {
    return signature == null ? "" : " " + nest.descriptor(signature.signature().stringValue());
  }

  private static boolean isLambda(MethodModel method) {
    return isSynthetic(method.flags().flagsMask()) && name(method).startsWith(LAMBDA);
  }

  private static boolean isSynthetic(int flags) {
    return (flags & ClassFile.ACC_SYNTHETIC) != 0;
  }

  private static String name(MethodModel method) {
    return method.methodName().stringValue();
  }

  private static String key(MethodModel method) {
    return name(method) + method.methodType().stringValue();
  }
}

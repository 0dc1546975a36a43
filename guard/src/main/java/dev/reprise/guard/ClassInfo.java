package dev.reprise.guard;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.DebugElementsOption;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A class file, with its members by name. */
record ClassInfo(
    String name,
    @Nullable String parent,
    List<String> interfaces,
    Map<String, MethodModel> methods,
    Map<String, FieldModel> fields,
    ClassModel model) {
  private static final ClassFile READER = ClassFile.of(DebugElementsOption.DROP_DEBUG);

  static ClassInfo read(byte[] bytes) {
    var model = READER.parse(bytes);
    var methods = new HashMap<String, MethodModel>();
    for (var method : model.methods()) {
      methods.put(method.methodName().stringValue() + method.methodType().stringValue(), method);
    }
    var fields = new HashMap<String, FieldModel>();
    for (var field : model.fields()) fields.put(field.fieldName().stringValue(), field);
    return new ClassInfo(
        model.thisClass().asInternalName(),
        model.superclass().map(parent -> parent.asInternalName()).orElse(null),
        model.interfaces().stream().map(each -> each.asInternalName()).toList(),
        methods,
        fields,
        model);
  }

  @Nullable MethodModel method(String name, String type) {
    return methods.get(name + type);
  }

  boolean isInterface() {
    return (model.flags().flagsMask() & ClassFile.ACC_INTERFACE) != 0;
  }

  /** The source file; made up from the name of the class if it was compiled without. */
  String file() {
    return model
        .findAttribute(Attributes.sourceFile())
        .map(source -> source.sourceFile().stringValue())
        .orElseGet(() -> name.substring(name.lastIndexOf('/') + 1).split("\\$")[0] + ".java");
  }
}

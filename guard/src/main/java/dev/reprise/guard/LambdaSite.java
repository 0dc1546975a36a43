package dev.reprise.guard;

import java.lang.classfile.constantpool.InvokeDynamicEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.invoke.MethodHandleInfo;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A lambda or a method reference in the source.
 *
 * @param type the interface it implements
 * @param body the method that runs: of a lambda the compiler made one
 * @param reference how it is called, see {@link MethodHandleInfo}
 * @param takesAlong the types of the values that it takes along
 * @param captured where these come from
 */
record LambdaSite(
    String type, Member body, int reference, List<String> takesAlong, List<Set<Origin>> captured) {
  private static final String FACTORY = "java/lang/invoke/LambdaMetafactory";

  /** Null if it makes something else, such as a text of several parts. */
  static @Nullable LambdaSite of(InvokeDynamicEntry entry, List<Set<Origin>> captured) {
    var bootstrap = entry.bootstrap();
    var factory = bootstrap.bootstrapMethod().reference().owner().asInternalName();
    if (!factory.equals(FACTORY)) return null;
    if (!(bootstrap.arguments().get(1) instanceof MethodHandleEntry body)) return null;
    var method = body.reference();
    var made = Signature.of(entry.type().stringValue());
    return new LambdaSite(
        Signature.type(made.result()),
        new Member(
            method.owner().asInternalName(),
            method.name().stringValue(),
            method.type().stringValue()),
        body.kind(),
        made.parameters(),
        captured);
  }

  boolean isVirtual() {
    return reference == MethodHandleInfo.REF_invokeVirtual
        || reference == MethodHandleInfo.REF_invokeInterface;
  }

  Origin.Body asBody() {
    return new Origin.Body(body, isVirtual());
  }

  boolean isStatic() {
    return reference == MethodHandleInfo.REF_invokeStatic;
  }

  boolean onThis() {
    return !isStatic() && !captured.isEmpty() && captured.getFirst().contains(new Origin.This());
  }

  /** Whether it is no method reference: then the compiler has named the body. */
  boolean isLambda() {
    return body.name().startsWith("lambda$");
  }

  boolean isActivity() {
    return Types.isActivity(type);
  }
}

package dev.reprise.guard;

import dev.reprise.Deterministic;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.MethodModel;
import java.util.Optional;

/** Reads {@link Deterministic} from class files. */
final class Suppression {
  private static final String ANNOTATION =
      "L" + Deterministic.class.getName().replace('.', '/') + ";";

  private Suppression() {}

  /** The reason that stands at the method, at the method around a lambda, or at the class. */
  static Optional<String> reason(ClassInfo type, MethodModel method) {
    var name = method.methodName().stringValue();
    return reason(method)
        .or(() -> name.startsWith("lambda$") ? around(type, name) : Optional.empty())
        .or(() -> reason(type.model()));
  }

  private static Optional<String> around(ClassInfo type, String lambda) {
    var name = Member.written(lambda);
    return type.model().methods().stream()
        .filter(method -> method.methodName().equalsString(name))
        .flatMap(method -> reason(method).stream())
        .findFirst();
  }

  /** Whether a reason stands at that class, method or field. */
  static boolean isGiven(AttributedElement element) {
    return reason(element).filter(text -> !text.isBlank()).isPresent();
  }

  private static Optional<String> reason(AttributedElement element) {
    return element.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
        .flatMap(all -> all.annotations().stream())
        .filter(annotation -> annotation.className().equalsString(ANNOTATION))
        .flatMap(annotation -> annotation.elements().stream())
        .map(
            each -> each.value() instanceof AnnotationValue.OfString text ? text.stringValue() : "")
        .findFirst();
  }
}

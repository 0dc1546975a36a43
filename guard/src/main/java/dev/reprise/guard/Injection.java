package dev.reprise.guard;

import java.lang.classfile.Attributes;
import java.util.Collection;
import java.util.Set;

/**
 * Objects that a workflow has from elsewhere, such as a payment service that its constructor takes:
 * what they do is an effect, and belongs into an activity. A field counts if its type is an
 * interface or a class of the user, and if the user's code does not make the object where it sets
 * the field.
 */
final class Injection {
  private static final String RECORD = "java/lang/Record";
  private static final String ENUM = "java/lang/Enum";
  private static final Set<String> OF_OBJECT = Set.of("equals", "hashCode", "toString");

  private final Code code;
  private final Types types;

  Injection(Code code) {
    this.code = code;
    this.types = code.types();
  }

  /** Whether such an object is in the field. Records hold data, unless they are workflows. */
  boolean isInto(Member field) {
    var type = Signature.type(field.type());
    if (!types.isOwn(type) || isData(type) || types.isWorkflow(type)) return false;
    if (isData(field.owner()) && !types.isWorkflow(field.owner())) return false;
    return !code.stored(field, false).contains(new Origin.Here());
  }

  private boolean isData(String type) {
    var info = types.find(type);
    if (info == null) return false;
    boolean sealed = info.model().findAttribute(Attributes.permittedSubclasses()).isPresent();
    return sealed || RECORD.equals(info.parent()) || ENUM.equals(info.parent());
  }

  static boolean isMadeHere(Set<Origin> value) {
    return value.stream()
        .anyMatch(
            origin ->
                origin instanceof Origin.New
                    || origin instanceof Origin.Lambda
                    || origin instanceof Origin.Body);
  }

  /** Not what every object has. */
  static boolean isOfObject(Member call) {
    return OF_OBJECT.contains(call.name());
  }

  /**
   * Whether a direct call of the object is a call of an activity. What implements an interface is
   * known if the workflow makes the object; and a method of a class is an activity if the workflow
   * runs it as one elsewhere.
   *
   * @param made classes that the workflow makes objects of
   * @param steps methods that it runs as activities
   */
  boolean isActivity(Facts.Direct call, Collection<String> made, Set<Member> steps) {
    var type = Signature.type(call.field().type());
    var info = types.find(type);
    if (info == null || isExcused(call, info)) return false;
    return info.isInterface()
        ? made.stream().noneMatch(each -> types.supertypes(each).contains(type))
        : steps.stream().anyMatch(step -> isSame(step, call.method()));
  }

  private boolean isSame(Member step, Member call) {
    return step.name().equals(call.name())
        && step.type().equals(call.type())
        && (types.supertypes(call.owner()).contains(step.owner())
            || types.supertypes(step.owner()).contains(call.owner()));
  }

  /** Whether somebody says that the object, or the method, does the same on every replay. */
  private boolean isExcused(Facts.Direct call, ClassInfo type) {
    if (Suppression.isGiven(type.model())) return true;
    var holder = types.find(call.field().owner());
    var field = holder == null ? null : holder.fields().get(call.field().name());
    if (field != null && Suppression.isGiven(field)) return true;
    for (var each : types.supertypes(call.method().owner())) {
      var info = types.find(each);
      var method = info == null ? null : info.method(call.method().name(), call.method().type());
      if (method != null && Suppression.isGiven(method)) return true;
    }
    return false;
  }

  /** What is wrong with it. */
  static Facts.Trouble trouble(Facts.Direct call) {
    return new Facts.Trouble(
        Kind.ACTIVITY,
        call.line(),
        call.method().shown(),
        "ctx.run(%s::%s, …)".formatted(call.field().name(), call.method().name()));
  }
}

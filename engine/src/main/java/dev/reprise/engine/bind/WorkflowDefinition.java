package dev.reprise.engine.bind;

import dev.reprise.ErrorCode;
import dev.reprise.Name;
import dev.reprise.RepriseException;
import dev.reprise.SourcePolicy;
import dev.reprise.Texts;
import dev.reprise.Was;
import dev.reprise.WhenChanged;
import dev.reprise.Workflow;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A registered workflow: its name, its types and the object that runs it.
 *
 * @param name as it is recorded
 * @param input type of what it is started with
 * @param output type of what it returns
 * @param workflow the object, shared by all runs
 */
public record WorkflowDefinition(
    String name, Type input, Type output, Workflow<@Nullable Object, @Nullable Object> workflow) {

  private static final int MAX_NAME = 255;

  public WorkflowDefinition {
    if (name.isBlank() || name.length() > MAX_NAME || Texts.flaw(name) >= 0) {
      throw new RepriseException(
          ErrorCode.R120,
          "a workflow name has 1 to %d characters, and none that cannot be stored: '%s'"
              .formatted(MAX_NAME, name));
    }
  }

  /** Reads name and types from the class. */
  public static WorkflowDefinition of(Workflow<?, ?> workflow) {
    var type = workflow.getClass();
    if (type.isSynthetic() || type.isHidden()) {
      throw new RepriseException(
          ErrorCode.R120,
          "a lambda has no name and no types of its own: register it as"
              + " workflow(\"name\", Input.class, Output.class, lambda)");
    }
    var types = typeArguments(type);
    return new WorkflowDefinition(nameOf(type), types[0], types[1], untyped(workflow));
  }

  /** With a name and types given by the user. */
  public static WorkflowDefinition of(
      String name, Type input, Type output, Workflow<?, ?> workflow) {
    return new WorkflowDefinition(name, input, output, untyped(workflow));
  }

  /** What its code does, as a {@link SourceHash}; empty if that is not known. */
  public String hash() {
    return SourceHash.of(workflow.getClass());
  }

  /** What happens to open runs when its code changes; null if its class does not say. */
  public @Nullable SourcePolicy policy() {
    var changed = workflow.getClass().getAnnotation(WhenChanged.class);
    return changed == null ? null : changed.value();
  }

  /** The names that its class had before. */
  public List<String> formerNames() {
    return formerNamesOf(workflow.getClass());
  }

  /** The names that a workflow class had before. */
  public static List<String> formerNamesOf(Class<?> type) {
    var was = type.getAnnotation(Was.class);
    return was == null ? List.of() : List.of(was.value());
  }

  /** The recorded name of a workflow class. */
  public static String nameOf(Class<?> type) {
    var name = type.getAnnotation(Name.class);
    return name != null ? name.value() : type.getSimpleName();
  }

  /** The input type of a workflow class. */
  public static Type inputOf(Class<?> type) {
    return typeArguments(type)[0];
  }

  /** The output type of a workflow class. */
  public static Type outputOf(Class<?> type) {
    return typeArguments(type)[1];
  }

  @SuppressWarnings("unchecked") // the codec gives it what its own types say
  private static Workflow<@Nullable Object, @Nullable Object> untyped(Workflow<?, ?> workflow) {
    return (Workflow<@Nullable Object, @Nullable Object>) workflow;
  }

  /** The arguments of {@code Workflow<I, O>}, followed through superclasses and interfaces. */
  private static Type[] typeArguments(Class<?> type) {
    var known = Bindings.of(type);
    var found = new Type[2];
    for (int i = 0; i < found.length; i++) {
      var variable = Workflow.class.getTypeParameters()[i];
      found[i] = known.getOrDefault(variable, variable);
      if (Resolved.isOpen(found[i])) throw unreadable(type);
    }
    return found;
  }

  private static RepriseException unreadable(Class<?> type) {
    return new RepriseException(
        ErrorCode.R120,
        "the input and output types of %s cannot be read from its type parameters: register it as"
                .formatted(type.getName())
            + " workflow(\"name\", Input.class, Output.class, object)");
  }
}

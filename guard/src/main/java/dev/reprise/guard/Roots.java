package dev.reprise.guard;

import dev.reprise.Workflow;
import java.io.Serializable;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.InvokeDynamicEntry;
import java.lang.invoke.SerializedLambda;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds workflows. */
final class Roots {
  private static final String RUN = "(Ldev/reprise/Context;Ljava/lang/Object;)Ljava/lang/Object;";
  private static final String LAMBDA = "$$Lambda";

  private Roots() {}

  /** The workflow that the class is, and those that its lambdas are. */
  static List<Root> all(Types types, ClassInfo type) {
    var roots = new ArrayList<>(ofClass(types, type));
    lambdas(type, made -> types.isWorkflow(made.type()))
        .forEach(body -> roots.add(new Root(type.name(), body)));
    return roots;
  }

  /** The workflow that the class is, unless it is abstract or none. */
  static List<Root> ofClass(Types types, ClassInfo type) {
    int flags = type.model().flags().flagsMask();
    if ((flags & (ClassFile.ACC_ABSTRACT | ClassFile.ACC_INTERFACE)) != 0) return List.of();
    if (!types.isWorkflow(type.name())) return List.of();
    var run = types.resolve(new Member(type.name(), "run", RUN));
    return run == null ? List.of() : List.of(new Root(type.name(), run));
  }

  /**
   * The body of a lambda, of whose class the JVM keeps no class file. It is one of those in the
   * class where it stands; which one is known if only one implements the same interface and takes
   * along values of the same types.
   */
  static List<Root> ofLambda(Types types, Class<?> lambda) {
    int end = lambda.getName().indexOf(LAMBDA);
    var type = end < 0 ? null : types.find(internal(lambda.getName().substring(0, end)));
    if (type == null) return List.of();
    var captured =
        Arrays.stream(lambda.getDeclaredFields())
            .map(field -> field.getType().descriptorString())
            .toList();
    var interfaces =
        Arrays.stream(lambda.getInterfaces()).map(each -> internal(each.getName())).toList();
    var bodies =
        lambdas(
            type, made -> interfaces.contains(made.type()) && made.takesAlong().equals(captured));
    return bodies.size() == 1 ? List.of(new Root(type.name(), bodies.getFirst())) : List.of();
  }

  /** The body of a lambda that can say itself where it is: a serializable one. */
  static @Nullable Root ofSerializable(Workflow<?, ?> workflow) {
    if (!(workflow instanceof Serializable)) return null;
    try {
      var replace = workflow.getClass().getDeclaredMethod("writeReplace");
      replace.setAccessible(true);
      if (!(replace.invoke(workflow) instanceof SerializedLambda lambda)) return null;
      return new Root(
          lambda.getCapturingClass(),
          new Member(
              lambda.getImplClass(), lambda.getImplMethodName(), lambda.getImplMethodSignature()));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null; // it is serialized in a way of its own
    }
  }

  private static List<Member> lambdas(ClassInfo type, Predicate<LambdaSite> wanted) {
    var bodies = new ArrayList<Member>();
    for (var entry : type.model().constantPool()) {
      if (!(entry instanceof InvokeDynamicEntry made)) continue;
      var site = LambdaSite.of(made, List.of());
      if (site != null && wanted.test(site)) bodies.add(site.body());
    }
    return bodies.stream().distinct().toList();
  }

  private static String internal(String name) {
    return name.replace('.', '/');
  }
}

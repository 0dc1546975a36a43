package dev.reprise.guard;

import dev.reprise.Workflow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Looks into the bytecode of workflows for what would be different on replay: clocks, random
 * numbers, threads, waiting, I/O, the order of hash tables, shared state; and into query handlers
 * and validators for what would change the run.
 *
 * <p>It follows the code from {@link Workflow#run} on, as far as it is the user's own: what lies
 * where the workflow lies, in folders, or in the same packages. It does not look into activities,
 * nor into libraries. What it cannot see, such as a call of an interface whose object comes from
 * elsewhere, it does not report.
 */
public final class DeterminismGuard {
  private static final Comparator<Finding> BY_PLACE =
      Comparator.comparing(Finding::type).thenComparing(Finding::line).thenComparing(Finding::what);

  private static final ClassValue<Findings> CHECKED =
      new ClassValue<>() {
        @Override
        protected Findings computeValue(Class<?> type) {
          return checkClass(type);
        }
      };

  private DeterminismGuard() {}

  /**
   * Checks workflow classes. The result is kept for each class, so asking again costs nothing.
   *
   * @throws IllegalArgumentException if one of the classes is not a workflow
   */
  public static Findings check(Class<?>... workflows) {
    return join(Arrays.stream(workflows).map(CHECKED::get).toList());
  }

  /**
   * Checks the class of a workflow. Of a lambda the body is looked for in the class where it
   * stands; if that has several of the same kind and the lambda is not serializable, nothing is
   * checked.
   */
  public static Findings check(Workflow<?, ?> workflow) {
    var type = workflow.getClass();
    var root = type.isHidden() ? Roots.ofSerializable(workflow) : null;
    if (root == null) return check(type);
    return findings(code(type, root.workflow()), List.of(root));
  }

  /**
   * Checks all workflows in folders and jars, without loading them.
   *
   * @param places where to look for workflows
   * @param classPath what they need
   */
  public static Findings scan(List<Path> places, List<Path> classPath) {
    try (var source = new ClassPath(places, classPath)) {
      var types = new Types(source);
      var roots = new ArrayList<Root>();
      for (int place = 0; place < places.size(); place++) {
        for (var name : source.classes(place)) {
          roots.addAll(Roots.all(types, Objects.requireNonNull(types.find(name))));
        }
      }
      return findings(new Code(types), roots);
    }
  }

  private static Findings checkClass(Class<?> type) {
    if (!Workflow.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(type.getName() + " is not a workflow");
    }
    var code = code(type, type.getName().replace('.', '/'));
    if (type.isHidden()) return findings(code, Roots.ofLambda(code.types(), type));
    var info = code.types().find(type.getName().replace('.', '/'));
    return findings(code, info == null ? List.of() : Roots.ofClass(code.types(), info));
  }

  private static Code code(Class<?> type, String workflow) {
    var loader = type.getClassLoader();
    var source =
        new LoadedClasses(loader == null ? ClassLoader.getSystemClassLoader() : loader, workflow);
    return new Code(new Types(source));
  }

  private static Findings findings(Code code, List<Root> roots) {
    return join(
        roots.stream()
            .map(
                root ->
                    new Findings(
                        List.of(root.workflow().replace('/', '.')), Reach.from(code, root)))
            .toList());
  }

  /** Several workflows may come to the same line; the way of the first is told. */
  private static Findings join(List<Findings> parts) {
    var all =
        parts.stream()
            .flatMap(part -> part.all().stream())
            .collect(
                Collectors.toMap(
                    each -> List.of(each.type(), each.line(), each.what()),
                    Function.identity(),
                    (first, _) -> first,
                    LinkedHashMap::new));
    return new Findings(
        parts.stream().map(Findings::workflows).flatMap(Collection::stream).distinct().toList(),
        all.values().stream().sorted(BY_PLACE).toList());
  }
}

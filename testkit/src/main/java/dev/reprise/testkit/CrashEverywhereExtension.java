package dev.reprise.testkit;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Runs a test with {@link CrashEverywhere}: first straight, and then as its histories say. */
final class CrashEverywhereExtension implements TestTemplateInvocationContextProvider {

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getTestMethod(), CrashEverywhere.class);
  }

  /**
   * Where to crash is known only after the first, so the others are made when they are asked for.
   */
  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    var options =
        AnnotationSupport.findAnnotation(context.getTestMethod(), CrashEverywhere.class)
            .orElseThrow();
    var plan = new CrashPlan(options.limit(), options.onlyOutcomes());
    Stream<TestTemplateInvocationContext> crashes =
        Stream.of(plan).flatMap(made -> made.points().stream()).map(at -> new Crash(plan, at));
    return Stream.concat(Stream.of(new Straight(plan)), crashes);
  }

  /** The test as it is. */
  private record Straight(CrashPlan plan)
      implements TestTemplateInvocationContext, AfterEachCallback {

    @Override
    public String getDisplayName(int index) {
      return "without a crash";
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public void afterEach(ExtensionContext test) {
      if (test.getExecutionException().isPresent()) return;
      plan.record(RepriseExtension.engine(test));
    }
  }

  /** The test with a crash. */
  private record Crash(CrashPlan plan, CrashPoint point)
      implements TestTemplateInvocationContext, BeforeEachCallback, AfterEachCallback {

    @Override
    public String getDisplayName(int index) {
      return point.name();
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public void beforeEach(ExtensionContext test) {
      RepriseExtension.engine(test).crashAfter(point.moment());
    }

    @Override
    public void afterEach(ExtensionContext test) {
      if (test.getExecutionException().isPresent()) return;
      plan.compare(RepriseExtension.engine(test), point);
    }
  }
}

package dev.reprise.testkit;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Makes a {@link TestEngine} for each test that wants one, and closes it after the test. */
final class RepriseExtension implements ParameterResolver, AfterEachCallback {
  private static final Namespace OURS = Namespace.create(RepriseExtension.class);

  /** The engine of a test. */
  static TestEngine engine(ExtensionContext test) {
    return test.getStore(OURS)
        .computeIfAbsent(TestEngine.class, _ -> TestEngine.create(), TestEngine.class);
  }

  /** A parameter of the constructor belongs to the test that the object is made for. */
  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestEngine.class;
  }

  @Override
  public TestEngine resolveParameter(ParameterContext parameter, ExtensionContext context) {
    if (context.getTestMethod().isPresent()) return engine(context);
    throw new ParameterResolutionException(
        "each test has a TestEngine of its own: take it as a parameter of the test, of @BeforeEach"
            + " or of the constructor (not with Lifecycle.PER_CLASS), not in "
            + parameter.getDeclaringExecutable());
  }

  @Override
  public void afterEach(ExtensionContext test) {
    var engine = test.getStore(OURS).remove(TestEngine.class, TestEngine.class);
    if (engine == null) return;
    var failure = test.getExecutionException();
    if (failure.isEmpty()) {
      engine.close();
      return;
    }
    try {
      Histories.showIn(failure.get(), engine);
    } finally {
      engine.discard();
    }
  }
}

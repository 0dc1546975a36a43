package dev.reprise.testkit;

import dev.reprise.Handle;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/**
 * The assertions of AssertJ, and those about runs of workflows: one static import for both.
 *
 * <pre>{@code
 * import static dev.reprise.testkit.RepriseAssertions.assertThat;
 *
 * assertThat(checkout).ran("Payments.charge").once().completedWith(receipt);
 * }</pre>
 */
public final class RepriseAssertions extends Assertions {
  private RepriseAssertions() {}

  /** About a run of a workflow. */
  public static <O extends @Nullable Object> RunAssert<O> assertThat(Handle<O> run) {
    return new RunAssert<>(run);
  }
}

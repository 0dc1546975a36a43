package dev.reprise.verification.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Workflow;
import dev.reprise.guard.DeterminismGuard;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BenchWorkflowsTest {

  @Test
  void what_is_measured_does_the_same_on_every_replay() {
    var workflows =
        Stream.of(Workflows.class.getDeclaredClasses())
            .filter(Workflow.class::isAssignableFrom)
            .toArray(Class<?>[]::new);

    var findings = DeterminismGuard.check(workflows);

    assertThat(findings.workflows()).hasSizeGreaterThan(3);
    assertThat(findings.all()).as(findings.describe()).isEmpty();
  }
}

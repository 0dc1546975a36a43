package dev.reprise.verification.histories;

import java.util.List;
import java.util.stream.Stream;

/** All scenarios. New ones are added at the end of their class or in a class of their own. */
final class Scenarios {
  private Scenarios() {}

  static List<Scenario> with(Desk desk) {
    return Stream.of(
            new StepScenarios(desk).all(),
            new WaitScenarios(desk).all(),
            new BranchScenarios(desk).all(),
            new CancelScenarios(desk).all(),
            new EndScenarios(desk).all(),
            new SagaScenarios(desk).all(),
            new ChildScenarios(desk).all(),
            new EndlessScenarios(desk).all(),
            new RequestScenarios(desk).all(),
            new QueueScenarios(desk).all())
        .flatMap(List::stream)
        .toList();
  }
}

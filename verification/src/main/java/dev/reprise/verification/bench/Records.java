package dev.reprise.verification.bench;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is stored of workflows. */
public interface Records extends AutoCloseable {

  /**
   * The end of a step.
   *
   * @param index which step of its workflow, from 0
   * @param at when it was recorded
   */
  record Step(int index, Instant at) {}

  /** The steps of a workflow in their order, if it has completed. */
  Optional<List<Step>> steps(String workflowId);

  @Override
  void close();
}

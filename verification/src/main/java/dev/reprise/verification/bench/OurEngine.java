package dev.reprise.verification.bench;

import dev.reprise.Status;
import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import dev.reprise.engine.store.EventRow;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The engine of this project at work. */
record OurEngine(Engine engine) implements Subject {
  private static final long OFTEN = TimeUnit.MILLISECONDS.toNanos(20);

  @Override
  public Run start(Job job, String id, int number) {
    return engine.start(workflow(job), id, number)::result;
  }

  @Override
  public Run find(Job job, String id) {
    return engine.handle(workflow(job), id)::result;
  }

  private static Class<? extends Workflow<Integer, Integer>> workflow(Job job) {
    return switch (job) {
      case SEQUENCE -> Workflows.Sequence.class;
      case PARALLEL -> Workflows.Parallel.class;
      case WAITING -> Workflows.Waiting.class;
      case SLEEPING -> Workflows.Sleeping.class;
      case LOGGED -> Workflows.Logged.class;
    };
  }

  @Override
  public void signal(String id, int number) {
    engine.signal(id, Workflows.Waiting.NUMBER, number);
  }

  @Override
  public void awaitWait(String id) {
    engine.describe(id); // answers when it waits
  }

  @Override
  public void awaitEnds(int count) {
    while (engine.count("status = completed") < count) LockSupport.parkNanos(OFTEN);
  }

  @Override
  public Optional<List<Step>> steps(String workflowId) {
    if (engine.describe(workflowId).status() != Status.COMPLETED) return Optional.empty();
    return Optional.of(Ours.steps(engine.history(workflowId)));
  }

  /** The history of a workflow as a store has it. */
  List<EventRow> rows(String workflowId) {
    return BareTable.rows(engine.history(workflowId));
  }

  @Override
  public void close() {
    engine.close();
  }
}

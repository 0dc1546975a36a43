package dev.reprise.verification.bench;

import dev.reprise.Workflow;
import dev.reprise.engine.Engine;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

/** An engine to be measured. Safe for use by many threads. */
final class TestBed implements AutoCloseable {
  private final Engine engine;
  private final NoOps steps;
  private final Database database;
  private final AtomicLong started = new AtomicLong();
  private final AtomicLong expectedSteps = new AtomicLong();

  TestBed(Engine engine, NoOps steps, Database database) {
    this.engine = engine;
    this.steps = steps;
    this.database = database;
  }

  Engine engine() {
    return engine;
  }

  NoOps steps() {
    return steps;
  }

  /** Of the database. */
  String url() {
    return database.url();
  }

  /**
   * Runs a workflow of so many steps, and checks what it returns.
   *
   * @return its id
   */
  String run(Class<? extends Workflow<Integer, Integer>> workflow, int size) {
    var id = workflow.getSimpleName() + "-" + started.incrementAndGet();
    expectedSteps.addAndGet(size);
    int result = engine.start(workflow, id, size).result();
    int expected = Workflows.sumBelow(size);
    if (result == expected) return id;
    throw new IllegalStateException("%s gave %d instead of %d".formatted(id, result, expected));
  }

  /** Checks that every step of every workflow ran, and none twice. */
  void checkSteps() {
    if (steps.executions() == expectedSteps.get()) return;
    throw new IllegalStateException(
        "%d steps ran instead of %d".formatted(steps.executions(), expectedSteps.get()));
  }

  @Override
  public void close() throws SQLException {
    engine.close();
    database.close();
  }
}

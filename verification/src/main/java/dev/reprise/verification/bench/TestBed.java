package dev.reprise.verification.bench;

import dev.reprise.engine.store.EventRow;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** An engine to be measured. Safe for use by many threads. */
final class TestBed implements AutoCloseable {
  private final Subject subject;
  private final Probes probes;
  private final Database database;
  private final String prefix;
  private final AtomicLong started = new AtomicLong();
  private final AtomicLong expectedSteps = new AtomicLong();

  TestBed(Subject subject, Probes probes, Database database) {
    this(subject, probes, database, "");
  }

  /**
   * @param prefix of workflow ids, where there are several on one database
   */
  TestBed(Subject subject, Probes probes, Database database, String prefix) {
    this.subject = subject;
    this.probes = probes;
    this.database = database;
    this.prefix = prefix;
  }

  Subject subject() {
    return subject;
  }

  Probes probes() {
    return probes;
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
  String run(Job job, int size) {
    var id = prefix + job.name().toLowerCase(Locale.ROOT) + "-" + started.incrementAndGet();
    expectedSteps.addAndGet(size);
    int result = subject.start(job, id, size).result();
    int expected = Workflows.sumBelow(size);
    if (result == expected) return id;
    throw new IllegalStateException("%s gave %d instead of %d".formatted(id, result, expected));
  }

  /** Checks that every step of every workflow ran, and none twice. */
  void checkSteps() {
    long executions = probes.steps().executions();
    if (executions == expectedSteps.get()) return;
    throw new IllegalStateException(
        "%d steps ran instead of %d".formatted(executions, expectedSteps.get()));
  }

  /** The history of a workflow of ours, as the store has it. */
  List<EventRow> rows(String id) {
    if (subject instanceof OurEngine ours) return ours.rows(id);
    throw new IllegalStateException("no engine of ours");
  }

  @Override
  public void close() throws SQLException {
    subject.close();
    database.close();
  }
}

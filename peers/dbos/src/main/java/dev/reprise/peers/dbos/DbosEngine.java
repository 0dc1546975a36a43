package dev.reprise.peers.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.reprise.verification.bench.Job;
import dev.reprise.verification.bench.Probes;
import dev.reprise.verification.bench.Subject;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** The library at work in this process, which is client and worker. */
final class DbosEngine implements Subject {
  private static final long OFTEN = TimeUnit.MILLISECONDS.toNanos(20);

  private final DBOS dbos;
  private final Jobs jobs;
  private final DbosRecords records;

  private DbosEngine(DBOS dbos, Jobs jobs, DbosRecords records) {
    this.dbos = dbos;
    this.jobs = jobs;
    this.records = records;
  }

  static DbosEngine open(String url, Probes probes) {
    var dbos = new DBOS(config(url));
    var workflows = new DbosJobs(dbos, probes);
    var jobs = dbos.registerProxy(Jobs.class, workflows);
    workflows.through(jobs);
    dbos.launch();
    return new DbosEngine(dbos, jobs, new DbosRecords(url));
  }

  /** The defaults; only that the library wants user and password beside the URL. */
  private static DBOSConfig config(String url) {
    var parts = Driver.parseURL(url, null);
    if (parts == null) throw new IllegalArgumentException("not a URL of PostgreSQL");
    return DBOSConfig.defaults("bench")
        .withDatabaseUrl(url)
        .withDbUser(PGProperty.USER.getOrDefault(parts))
        .withDbPassword(parts.getProperty(PGProperty.PASSWORD.getName(), ""));
  }

  @Override
  public Run start(Job job, String id, int number) {
    var handle = dbos.startWorkflow(() -> call(job, number), new StartWorkflowOptions(id));
    return handle::getResult;
  }

  private int call(Job job, int number) {
    return switch (job) {
      case SEQUENCE -> jobs.sequence(number);
      case PARALLEL -> jobs.parallel(number);
      case WAITING -> jobs.waiting(number);
      case SLEEPING -> jobs.sleeping(number);
      case LOGGED -> jobs.logged(number);
    };
  }

  @Override
  public Run find(Job job, String id) {
    return dbos.<Integer, RuntimeException>retrieveWorkflow(id)::getResult;
  }

  @Override
  public void signal(String id, int number) {
    dbos.send(id, number, DbosJobs.TOPIC);
  }

  /** Its first record is the time at which the wait would end. */
  @Override
  public void awaitWait(String id) {
    while (dbos.listWorkflowSteps(id).isEmpty()) LockSupport.parkNanos(OFTEN);
  }

  /** A handle of the library that was not started here looks once a second only. */
  @Override
  public void awaitEnds(int count) {
    while (records.completed() < count) LockSupport.parkNanos(OFTEN);
  }

  @Override
  public Optional<List<Step>> steps(String workflowId) {
    return records.steps(workflowId);
  }

  @Override
  public void close() {
    records.close();
    dbos.shutdown();
  }
}

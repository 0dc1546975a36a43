package dev.reprise.peers.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.workflow.Workflow;
import dev.dbos.transact.workflow.WorkflowHandle;
import dev.reprise.verification.bench.Probes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The workflows of all jobs. */
final class DbosJobs implements Jobs {
  static final String TOPIC = "number";
  private static final String STEP = "step";
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final DBOS dbos;
  private final Probes probes;
  private @Nullable Jobs self;

  DbosJobs(DBOS dbos, Probes probes) {
    this.dbos = dbos;
    this.probes = probes;
  }

  /** By which children are started, before the library is. */
  void through(Jobs proxy) {
    self = proxy;
  }

  @Override
  @Workflow
  public int sequence(int steps) {
    int sum = 0;
    for (int i = 0; i < steps; i++) {
      int index = i;
      sum += dbos.runStep(() -> probes.step(index), STEP);
    }
    return sum;
  }

  @Override
  @Workflow
  public int parallel(int width) {
    var children = new ArrayList<WorkflowHandle<Integer, RuntimeException>>();
    for (int i = 0; i < width; i++) {
      int index = i;
      children.add(dbos.startWorkflow(() -> Objects.requireNonNull(self).task(index)));
    }
    int sum = 0;
    for (var child : children) sum += child.getResult();
    return sum;
  }

  @Override
  @Workflow
  public int task(int index) {
    return probes.step(index);
  }

  @Override
  @Workflow
  public int waiting(int number) {
    probes.arrive();
    return dbos.<Integer>recv(TOPIC, PATIENCE).orElseThrow();
  }

  @Override
  @Workflow
  public int sleeping(int millis) {
    var id = Objects.requireNonNull(DBOS.workflowId());
    probes.ask(id);
    dbos.sleep(Duration.ofMillis(millis));
    probes.wake(id);
    return 1;
  }

  @Override
  @Workflow
  public int logged(int steps) {
    var id = Objects.requireNonNull(DBOS.workflowId());
    int sum = 0;
    for (int i = 0; i < steps; i++) {
      int index = i;
      sum += dbos.runStep(() -> probes.logged(id, index), STEP);
    }
    return sum;
  }
}

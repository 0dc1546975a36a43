package dev.reprise.verification.faults;

import dev.reprise.Context;
import dev.reprise.Workflow;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Many short steps. A step begins when the one before it is recorded durably; so if a step begins
 * when a later one has begun before, the database has lost what it had promised.
 */
final class ShortSteps implements Workflow<Integer, Integer> {
  private static final long STEP_NANOS = 1_000_000;

  private final Effects effects;

  ShortSteps(Effects effects) {
    this.effects = effects;
  }

  @Override
  public Integer run(Context ctx, Integer steps) {
    int sum = 0;
    for (int i = 0; i < steps; i++) sum += ctx.run(effects::make, ctx.workflowId() + "#" + i);
    return sum;
  }

  /** What the steps of one engine did. */
  static final class Effects {
    private final Map<String, Integer> latest;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();

    /**
     * @param latest the latest step of each workflow, in whichever engine
     */
    Effects(ConcurrentHashMap<String, Integer> latest) {
      this.latest = latest;
    }

    int make(String name) {
      var workflow = name.substring(0, name.indexOf('#'));
      int step = Integer.parseInt(name.substring(name.indexOf('#') + 1));
      int before = latest.getOrDefault(workflow, 0);
      latest.merge(workflow, step, Math::max);
      if (step < before) repeated.incrementAndGet();
      count.incrementAndGet();
      LockSupport.parkNanos(STEP_NANOS);
      return 1;
    }

    /** How many steps have begun. */
    int count() {
      return count.get();
    }

    /** How many began again although their results had been durable. */
    int repeated() {
      return repeated.get();
    }
  }
}

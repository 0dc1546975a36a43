package dev.reprise.verification.simulation;

import dev.reprise.engine.store.Wakeups;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Carries hints between processes: some are lost, some come twice, some come late. */
final class Hints {
  private final Scheduler scheduler;
  private final Auditor auditor;
  private final Plan plan;
  private final Map<SimulatedProcess, Wakeups.Listener> listeners = new LinkedHashMap<>();
  private final Map<SimulatedProcess, Wakeups> ends = new HashMap<>();
  private boolean quiet;

  Hints(Scheduler scheduler, Auditor auditor, Plan plan) {
    this.scheduler = scheduler;
    this.auditor = auditor;
    this.plan = plan;
  }

  /** From now on none is lost. */
  void calmDown() {
    quiet = true;
  }

  Wakeups of(SimulatedProcess process) {
    return ends.computeIfAbsent(process, End::new);
  }

  private final class End implements Wakeups {
    private final SimulatedProcess process;

    End(SimulatedProcess process) {
      this.process = process;
    }

    @Override
    public void onHint(Listener listener) {
      listeners.put(process, listener);
    }

    @Override
    public void inputsFor(long run) {
      send(process, listener -> listener.inputsFor(List.of(run)));
    }

    @Override
    public void tasksOn(String queue) {
      send(process, listener -> listener.tasksOn(List.of(queue)));
    }

    @Override
    public void due() {
      send(process, Wakeups.Listener::due);
    }
  }

  private void send(SimulatedProcess from, Consumer<Wakeups.Listener> hint) {
    listeners.forEach(
        (process, listener) -> {
          if (process.equals(from) || process.isDead()) return;
          if (isLucky(plan.hintsLost())) {
            auditor.count("hints lost");
            return;
          }
          deliver(process, () -> hint.accept(listener));
          if (!isLucky(plan.hintsDoubled())) return;
          auditor.count("hints doubled");
          deliver(process, () -> hint.accept(listener));
        });
  }

  private boolean isLucky(int percent) {
    return !quiet && scheduler.random().nextInt(100) < percent;
  }

  private void deliver(SimulatedProcess process, Runnable hint) {
    scheduler.after(
        scheduler.random().nextLong(plan.hintDelay()),
        () -> {
          if (!process.isDead()) process.begin("hint", hint);
        });
  }
}

package dev.reprise.verification.bench;

import dev.reprise.HistoryEvent;
import dev.reprise.Status;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.HistoryView;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import java.util.List;
import java.util.Optional;

/** The engine of this project. */
record Ours() implements Contestant {
  static final String NAME = "Reprise";
  private static final String STEP = "ActivityCompleted";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String version() {
    return NAME;
  }

  @Override
  public Subject open(String url, Probes probes) {
    var reprise =
        Database.reprise(url)
            .workflow(new Workflows.Sequence(probes.steps()))
            .workflow(new Workflows.Parallel(probes.steps()))
            .workflow(new Workflows.Waiting(probes.arrived()))
            .workflow(new Workflows.Sleeping(probes.alarms()));
    var ledger = probes.ledger();
    if (ledger != null) reprise.workflow(new Workflows.Logged(ledger));
    return new OurEngine(reprise.start());
  }

  @Override
  public Records read(String url) {
    return new Stored(Reprise.open(url, new StoreProvider.Options(false, true)));
  }

  /** The steps of a history; each gave its index. */
  static List<Records.Step> steps(List<HistoryEvent> history) {
    return history.stream()
        .filter(event -> event.type().equals(STEP))
        .map(event -> new Records.Step(Integer.parseInt("" + event.value()), event.recordedAt()))
        .toList();
  }

  private record Stored(Store store) implements Records {
    @Override
    public Optional<List<Step>> steps(String workflowId) {
      return store
          .find(workflowId)
          .filter(run -> run.status() == Status.COMPLETED)
          .map(run -> Ours.steps(HistoryView.of(store, run.key())));
    }

    @Override
    public void close() {
      store.close();
    }
  }
}

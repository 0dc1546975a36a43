package dev.reprise.verification.histories;

import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Runs scenarios on the engine of today, and leaves their histories in a database. */
final class Recorder {
  private static final Duration GRACE = Duration.ofMillis(100); // some activities never end
  static final int LOOP_LIMIT = 6; // events of a loop, so that some are cut

  private Recorder() {}

  static void record(Path database, Desk desk) {
    var scenarios = Scenarios.with(desk);
    try (var engine = open(database, desk, scenarios)) {
      for (var scenario : scenarios) {
        engine.start(scenario.name(), scenario.name(), "Ada");
        scenario.record().accept(new Run(engine, scenario.name()));
      }
    }
    try (var engine = open(database, desk, scenarios)) {
      for (var scenario : scenarios) scenario.later().accept(new Run(engine, scenario.name()));
    }
  }

  private static Engine open(Path database, Desk desk, List<Scenario> scenarios) {
    var reprise =
        Reprise.open("jdbc:sqlite:" + database).shutdownGrace(GRACE).loopLimit(LOOP_LIMIT);
    reprise.activities(new PostOffice(), desk).worker(QueueScenarios.SERVED, 2);
    for (var scenario : scenarios) {
      reprise.workflow(scenario.name(), String.class, String.class, scenario.code());
    }
    return reprise.start();
  }

  static final class PostOffice implements Desk.Post {
    @Override
    public String send(String parcel, int pieces) {
      return "%s in %d pieces".formatted(parcel, pieces);
    }

    @Override
    public void close() {}
  }
}

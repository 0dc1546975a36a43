package dev.reprise.verification.histories;

import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Runs scenarios on the engine of today, and leaves their histories in a database. */
final class Recorder {
  private static final Duration GRACE = Duration.ofMillis(100); // some activities never end

  private Recorder() {}

  static void record(Path database, List<Scenario> scenarios) {
    var reprise =
        Reprise.open("jdbc:sqlite:" + database).shutdownGrace(GRACE).activities(new PostOffice());
    for (var scenario : scenarios) {
      reprise.workflow(scenario.name(), String.class, String.class, scenario.code());
    }
    try (var engine = reprise.start()) {
      for (var scenario : scenarios) record(engine, scenario);
    }
  }

  private static void record(Engine engine, Scenario scenario) {
    engine.start(scenario.name(), scenario.name(), "Ada");
    scenario.record().accept(new Run(engine, scenario.name()));
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

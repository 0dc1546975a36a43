package dev.reprise.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Health;
import dev.reprise.engine.Reprise;
import dev.reprise.verification.behaviour.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that watches its engine's health must learn that the database is lost. */
class LostFileTest {

  @Test
  void an_idle_engine_whose_file_is_deleted_is_down(@TempDir Path folder) throws IOException {
    var file = folder.resolve("orders.db");
    var open =
        Reprise.open("jdbc:sqlite:" + file)
            .workflow("echo", String.class, String.class, (_, in) -> in);
    try (var engine = open.start()) {
      Await.until("it is up", () -> engine.health().isUp());

      Files.delete(file);

      Await.until("it is down", () -> engine.health().state() == Health.State.DOWN);
      assertThat(engine.health().reasons()).singleElement().asString().contains("R141");
    }
  }
}

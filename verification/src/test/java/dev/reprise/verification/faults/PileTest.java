package dev.reprise.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.testpostgres.PostgresServer;
import dev.reprise.verification.chaos.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that nobody waits for do not pile up while the database is away. */
class PileTest {
  private static final List<String> SMALL = List.of("-Xmx160m", "-XX:+UseSerialGC");
  private static final Duration AWAY = Duration.ofSeconds(14); // 20 MB a second would fill the heap

  @TempDir Path folder;

  @Test
  void callers_with_large_inputs_are_refused_while_the_database_is_away_and_nothing_is_lost()
      throws Exception {
    try (var server = PostgresServer.start();
        var processes = new Processes()) {
      var end = folder.resolve("end");
      var child =
          processes.start(
              folder.resolve("out.txt"),
              SMALL,
              Pile.class,
              server.createDatabase(),
              end.toString());
      child.awaitOutput("READY");

      server.kill();
      LockSupport.parkNanos(AWAY.toNanos());
      server.restart();
      Files.createFile(end);
      child.awaitOutput("END");

      assertThat(child.output())
          .contains("R142=")
          .contains("R123=")
          .doesNotContain("heap=")
          .contains("lost: 0")
          .contains("afterwards: 1");
    }
  }
}

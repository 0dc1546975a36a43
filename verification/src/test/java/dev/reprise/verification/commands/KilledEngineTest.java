package dev.reprise.verification.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.Reprise;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on an SQLite file whose engine is there, is killed, and comes back. */
class KilledEngineTest {
  private static final String READY = "ready";

  /** An engine process that does not end by itself. */
  static final class Victim {
    private Victim() {}

    public static void main(String[] arguments) throws InterruptedException {
      try (var engine = Reprise.open(arguments[0]).workflow(new Painting()).start()) {
        engine.start(Painting.class, "wall", "a wall");
        System.out.println(READY);
        new CountDownLatch(1).await();
      }
    }
  }

  @Test
  void what_is_sent_after_an_engine_was_killed_is_taken_in_by_the_next(@TempDir Path folder)
      throws Exception {
    var file = folder.resolve("walls.db");
    var url = "jdbc:sqlite:" + file;
    var commands = new Commands(file.toString(), folder);
    var victim = victim(url);
    try {
      assertThat(commands.run(1, "signal", "wall", "colour", "\"red\"")).contains("R117");
      assertThat(commands.run(0, "describe", "wall")).startsWith("wall, a Painting: RUNNING");
    } finally {
      victim.destroyForcibly().waitFor();
    }

    commands.run(0, "signal", "wall", "colour", "\"blue\"");

    assertThat(commands.run(0, "doctor")).endsWith("nothing found\n");
    try (var engine = Reprise.open(url).workflow(new Painting()).start()) {
      assertThat(engine.handle(Painting.class, "wall").result(Commands.LIMIT))
          .isEqualTo("a wall in blue");
    }
  }

  private static Process victim(String url) throws IOException {
    var command = new ArrayList<>(Commands.java(Victim.class));
    command.add(url);
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    var output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    assertThat(output.readLine()).isEqualTo(READY);
    return process;
  }
}

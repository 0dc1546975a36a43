package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingTest {
  @TempDir Path folder;

  @Test
  void every_command_finds_what_it_looks_for_but_a_closed_run_takes_no_signal() {
    var codes = Training.run(folder.resolve("training.db"));

    assertThat(Collections.frequency(codes, 0)).isEqualTo(codes.size() - 1);
    assertThat(codes.getLast()).isEqualTo(1);
  }
}

package dev.reprise.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();

  private int run(String... args) {
    var out = new PrintStream(output, true, StandardCharsets.UTF_8);
    return Main.run(List.of(args), out, out);
  }

  private String output() {
    return output.toString(StandardCharsets.UTF_8);
  }

  @Test
  void findings_are_printed_and_the_exit_code_is_1() {
    Samples.compile(folder, Map.of("Sample", Samples.workflow("Sample", "UUID.randomUUID();")));

    assertThat(run("--class-path", Samples.api().toString(), folder.toString())).isEqualTo(1);
    assertThat(output())
        .startsWith("Sample.java:3: UUID.randomUUID() is another value on replay: use ctx.uuid()")
        .containsIgnoringNewLines("checked 1 workflow: 1 finding");
  }

  @Test
  void the_exit_code_is_0_if_there_is_nothing_to_say() {
    Samples.compile(folder, Map.of("Sample", Samples.workflow("Sample", "ctx.uuid();")));

    assertThat(run("--class-path", Samples.api().toString(), folder.toString())).isZero();
    assertThat(output().strip()).isEqualTo("checked 1 workflow: nothing found");
  }

  @Test
  void who_calls_it_wrongly_is_told_how() {
    assertThat(run()).isEqualTo(2);
    assertThat(run(folder.resolve("missing").toString())).isEqualTo(2);
    assertThat(run("--class-path")).isEqualTo(2);
    assertThat(output()).contains("usage:", "there is no " + folder.resolve("missing"));
  }
}

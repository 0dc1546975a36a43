package dev.reprise.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.testpostgres.PostgresServer;
import dev.reprise.verification.chaos.Processes;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A heap that is full for a second or two leaves an engine that does all its work. The JVM itself
 * may have failed to link a class or a call site meanwhile, which it never tries again: then the
 * engine has closed itself, and says so.
 */
class FullHeapTest {
  private static final List<String> SMALL = List.of("-Xmx64m", "-XX:+UseSerialGC");
  private static final int TIMES = 2;

  @TempDir Path folder;

  @Test
  void an_engine_on_sqlite_does_all_its_work_after_the_heap_was_full() {
    check("jdbc:sqlite:" + folder.resolve("heap.db"));
  }

  @Test
  void an_engine_on_postgresql_does_all_its_work_after_the_heap_was_full() {
    check(PostgresServer.shared().createDatabase());
  }

  private void check(String url) {
    try (var processes = new Processes()) {
      var child =
          processes.start(
              folder.resolve("out.txt"), SMALL, FullHeap.class, url, Integer.toString(TIMES));

      child.awaitOutput("the heap is free again");
      child.awaitOutput(FullHeap.END);
      child.awaitOutput("closed");

      if (child.output().contains("Health[state=DOWN")) {
        assertThat(child.output()).containsPattern("the engine closed itself.*(Error|memory)");
        return;
      }
      assertThat(child.output().lines())
          .as(child.output())
          .contains(
              "signal: got x",
              "sleep: slept",
              "queue: did two",
              "sleep begun before: slept",
              "delayed start: slept",
              "evicted run: got z",
              "nodes alive: 1",
              "health: Health[state=UP, reasons=[]]");
    }
  }
}

package dev.reprise.verification.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.reprise.testpostgres.PostgresServer;
import dev.reprise.verification.behaviour.Await;
import dev.reprise.verification.bench.Costs.Counter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** That what is said to be used was used. */
class BenchCostTest {
  @TempDir Path folder;

  private String url;

  @BeforeEach
  void database() {
    url = PostgresServer.shared().createDatabase();
  }

  @Test
  void a_transaction_that_writes_counts_and_one_that_reads_does_not() throws Exception {
    try (var counters = PostgresCounters.of(url);
        var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE numbers (n integer)");
      var before = counters.written();

      for (int i = 0; i < 5; i++) statement.execute("INSERT INTO numbers VALUES (1)");
      for (int i = 0; i < 50; i++) statement.execute("SELECT count(*) FROM numbers");

      var after = counters.written();
      assertThat(after.transactions() - before.transactions()).isBetween(5L, 10L);
      assertThat(after.logBytes() - before.logBytes()).isBetween(5 * 50L, 200_000L);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void the_work_of_the_server_is_seen_also_when_the_process_that_did_it_is_gone() throws Exception {
    try (var counters = PostgresCounters.of(url)) {
      long before = counters.cpuNanos().orElseThrow();

      try (var connection = DriverManager.getConnection(url);
          var statement = connection.createStatement()) {
        statement.execute("SELECT count(*) FROM generate_series(1, 2000000)");
      }

      long least = before + Duration.ofMillis(30).toNanos();
      Await.until( // its parent has the time of a process when it has seen its end
          "the time that it took", () -> counters.cpuNanos().orElseThrow() > least);
      assertThat(counters.folder()).hasValueSatisfying(data -> assertThat(data).isDirectory());
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void a_disk_counts_flushes() throws Exception {
    var disk = Disk.of(Path.of("").toAbsolutePath());
    var before = disk.flushes();
    assumeThat(before).as("a disk that the kernel counts").isPresent();

    var file = Files.createTempFile(Path.of("target"), "flushed", ".bin");
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int i = 0; i < 10; i++) {
        channel.write(ByteBuffer.wrap(new byte[] {1}));
        channel.force(true);
      }
    } finally {
      Files.delete(file);
    }

    assertThat(disk.flushes().orElseThrow() - before.orElseThrow()).isGreaterThanOrEqualTo(10);
  }

  @Test
  void costs_are_for_each_step_and_flushes_for_each_workflow() {
    var before = new Costs(new Cpu(0, 0), 0, counters(0, 0, 0, 0));
    var after = new Costs(new Cpu(1_000_000, 500_000), 100, counters(250_000, 3_000, 20, 5));
    var series = new Series();

    after.addTo(series, before, 10);

    assertThat(series.spreads().keySet())
        .containsExactly(
            "engine cores",
            "database cores",
            "CPU µs/step",
            "WAL bytes/step",
            "transactions/step",
            "flushes/workflow");
    assertThat(series.of("engine cores")).containsExactly(0.5);
    assertThat(series.of("database cores")).containsExactly(0.25);
    assertThat(series.of("CPU µs/step").getFirst()).isCloseTo(7.5, within(0.001));
    assertThat(series.of("WAL bytes/step")).containsExactly(30.0);
    assertThat(series.of("transactions/step")).containsExactly(0.2);
    assertThat(series.of("flushes/workflow")).containsExactly(0.5);
  }

  @Test
  void an_engine_on_a_file_is_metered_by_what_its_process_writes() throws Exception {
    var site = new Site(StoreKind.SQLITE, folder);
    try (var bed = site.open();
        var meter = CostMeter.of(site, bed)) {
      var before = meter.now();
      bed.run(Job.SEQUENCE, 10);
      var after = meter.now();

      assertThat(after.steps() - before.steps()).isEqualTo(10);
      assumeThat(after.counters()).containsKey(Counter.FILE_BYTES);
      assertThat(after.counters().get(Counter.FILE_BYTES))
          .isGreaterThan(before.counters().get(Counter.FILE_BYTES) + 10_000);
    }
  }

  private static Map<Counter, Long> counters(long cpu, long log, long transactions, long flushes) {
    var counters = new EnumMap<Counter, Long>(Counter.class);
    counters.put(Counter.DATABASE_CPU, cpu);
    counters.put(Counter.LOG_BYTES, log);
    counters.put(Counter.TRANSACTIONS, transactions);
    counters.put(Counter.FLUSHES, flushes);
    return counters;
  }
}

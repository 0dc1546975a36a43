package dev.reprise.verification.bench;

import dev.reprise.verification.bench.Costs.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what the work of an engine costs: of this process, its database and their disk. */
final class CostMeter implements AutoCloseable {
  private static final Path OWN_IO = Path.of("/proc/self/io");
  private static final String WRITTEN = "write_bytes: ";

  private final TestBed bed;
  private final @Nullable PostgresCounters postgres;
  private final @Nullable Path files; // of a database in this process
  private final @Nullable Disk disk;

  private CostMeter(TestBed bed, @Nullable PostgresCounters postgres, @Nullable Path files)
      throws IOException {
    this.bed = bed;
    this.postgres = postgres;
    this.files = files;
    var folder = postgres == null ? Optional.ofNullable(files) : postgres.folder();
    this.disk = folder.isPresent() ? Disk.of(folder.get()) : null;
  }

  static CostMeter of(Site site, TestBed bed) throws IOException, SQLException {
    return switch (site.kind()) {
      case MEMORY -> new CostMeter(bed, null, null);
      case SQLITE -> new CostMeter(bed, null, site.folder());
      case POSTGRES -> new CostMeter(bed, PostgresCounters.of(bed.url()), null);
    };
  }

  Costs now() throws IOException, SQLException {
    var counters = new EnumMap<Counter, Long>(Counter.class);
    if (postgres != null) read(postgres, counters);
    if (files != null && Files.isReadable(OWN_IO)) counters.put(Counter.FILE_BYTES, fileBytes());
    if (disk != null) {
      disk.flushes().ifPresent(flushes -> counters.put(Counter.FLUSHES, flushes));
    }
    return new Costs(Cpu.now(), bed.probes().steps().executions(), counters);
  }

  private static void read(PostgresCounters postgres, Map<Counter, Long> counters)
      throws SQLException {
    postgres.cpuNanos().ifPresent(nanos -> counters.put(Counter.DATABASE_CPU, nanos));
    var written = postgres.written();
    counters.put(Counter.LOG_BYTES, written.logBytes());
    counters.put(Counter.TRANSACTIONS, written.transactions());
  }

  private static long fileBytes() throws IOException {
    try (var lines = Files.lines(OWN_IO)) {
      return lines
          .filter(line -> line.startsWith(WRITTEN))
          .mapToLong(line -> Long.parseLong(line.substring(WRITTEN.length())))
          .sum();
    }
  }

  @Override
  public void close() throws SQLException {
    if (postgres != null) postgres.close();
  }
}
